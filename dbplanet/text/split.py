"""Cuts a long text into parts that a reader can go on from."""

import unicodedata

_JOINER = "\u200d"


def _is_regional(char: str) -> bool:
    return "\U0001f1e6" <= char <= "\U0001f1ff"


def _extends(char: str) -> bool:
    """Whether the character belongs to the one before it (marks, selectors, skin tones, tags, joiners)."""
    return (
        unicodedata.category(char) in ("Mn", "Mc", "Me", "Cf")
        or "\U0001f3fb" <= char <= "\U0001f3ff"
        or "\udc00" <= char <= "\udfff"
        or "\u1160" <= char <= "\u11ff"  # medial and final letters of a Hangul syllable
    )


def _can_cut(text: str, index: int, start: int) -> bool:
    """Whether a cut before `index` leaves every user-perceived character whole (after UAX #29)."""
    before, after = text[index - 1], text[index]
    if before == "\n":
        return True
    if before == _JOINER or _extends(after):
        return False
    if _is_regional(before) and _is_regional(after):
        first = index
        while first > start and _is_regional(text[first - 1]):
            first -= 1
        return (index - first) % 2 == 0
    return True


def _separator_end(text: str, separator: str, low: int, high: int) -> int:
    """The end of the last separator that ends within (low, high], else 0."""
    found = text.rfind(separator, low, high)
    return found + len(separator) if found >= 0 else 0


def _cut(text: str, start: int, limit: int) -> int:
    end = start + limit
    # A block boundary, unless it would leave the part less than half full; then a line, then a word.
    cut = (
        _separator_end(text, "\n\n", start + limit // 2, end)
        or _separator_end(text, "\n", start, end)
        or _separator_end(text, " ", start, end)
        or end
    )
    for index in range(cut, start, -1):
        if _can_cut(text, index, start):
            return index
    return end


def split_text(text: str, limit: int) -> list[str]:
    """Cut a text into parts of at most `limit` characters; joined, the parts are the text.

    A cut falls after a block, else after a line (so never inside a table row); only a line longer than the
    limit is cut itself, after a word if it can be. A character with its marks, a flag or an emoji sequence
    stays whole unless it alone is longer than the limit.

    :param limit: characters (code points) a part may hold, at least 1
    :raise ValueError: the limit is below 1
    """
    if limit < 1:
        raise ValueError(f"limit must be at least 1, not {limit}")
    parts = []
    start = 0
    while len(text) - start > limit:
        cut = _cut(text, start, limit)
        parts.append(text[start:cut])
        start = cut
    parts.append(text[start:])
    return parts
