"""Removes from text what a reader cannot see and a model would obey, and what looks like markup.

Invisible characters (zero-width, bidirectional overrides, Unicode tags) carry instructions past a human
reviewer. Kept are those that change what is seen: joiners inside emoji and inside Arabic or Indic words,
variation selectors of a character that has variants, the tag sequences of the three regional flags.
"""

import re

_CONTROLS = re.compile("[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f]")
_LINE_ENDS = re.compile("\r\n|[\r\x85\u2028\u2029]")
_PAGE_BREAKS = re.compile("[\x0b\x0c]")
_HAS_CONTROLS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029]")
_SURROGATE = re.compile("[\ud800-\udfff]")

_PICTOGRAPH = (
    "\u00a9\u00ae\u203c\u2049\u2122\u2139\u2190-\u21ff\u2300-\u27bf\u2900-\u297f\u2b00-\u2bff"
    "\u3030\u303d\u3297\u3299\U0001f000-\U0001faff"
)
# scripts in which a joiner or non-joiner between two letters changes their shapes
_JOINING = "\u0600-\u08ff\u0900-\u0dff\u1000-\u109f\u1780-\u17b3\u17b6-\u17ff\u1820-\u18aa"
_IDEOGRAPH = "\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_HAS_VARIANTS = f"#*0-9\u203c-\u2fff{_PICTOGRAPH}{_IDEOGRAPH}"

# the default-ignorable characters of Unicode, but for joiners and variation selectors
_IGNORABLE = (
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f"
    "\u3164\ufeff\uffa0\ufff0-\ufffb\U0001bca0-\U0001bca3\U0001d173-\U0001d17a"
    "\U000e0000-\U000e00ff\U000e01f0-\U000e0fff"
)
_SELECTORS = "\ufe00-\ufe0f"
_IDEOGRAPH_SELECTORS = "\U000e0100-\U000e01ef"
_SUSPECT = re.compile(f"[{_IGNORABLE}{_SELECTORS}{_IDEOGRAPH_SELECTORS}\u200c\u200d]")


def _tags(letters: str) -> str:
    return "".join(chr(0xE0000 + ord(letter)) for letter in letters)


# England, Scotland and Wales: the only flags written as a black flag and tag characters
_FLAG = "\U0001f3f4(?:" + "|".join(map(_tags, ("gbeng", "gbsct", "gbwls"))) + ")\U000e007f"

# In this order: what an earlier pass removes must not be what a later one takes for a neighbour.
_PASSES = (
    (re.compile(f"({_FLAG})|[{_IGNORABLE}]+"), r"\1"),
    (re.compile(f"(?<![{_HAS_VARIANTS}])[{_SELECTORS}]|(?<![{_IDEOGRAPH}])[{_IDEOGRAPH_SELECTORS}]"), ""),
    (
        re.compile(
            f"(?<=[{_PICTOGRAPH}\ufe0f])(\u200d)(?=[{_PICTOGRAPH}])"
            f"|(?<=[{_JOINING}])([\u200c\u200d])(?=[{_JOINING}])"
            "|[\u200c\u200d]"
        ),
        r"\1\2",
    ),
)

_PAIR = re.compile("<([^>]*)>")
_MARKER = re.compile(r"[ \t>.\-0-9]*")


def replace_surrogates(text: str) -> str:
    """Join surrogate pairs into the character they stand for; a lone surrogate becomes U+FFFD."""
    if text.isascii() or not _SURROGATE.search(text):
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def strip_controls(text: str) -> str:
    """Remove control characters; line ends of every kind become a newline, page breaks a space, tabs stay."""
    if not _HAS_CONTROLS.search(text):
        return text
    return _CONTROLS.sub("", _PAGE_BREAKS.sub(" ", _LINE_ENDS.sub("\n", text)))


def strip_invisible(text: str) -> str:
    """Remove invisible characters, but for those that shape what is seen (see the module's text)."""
    if text.isascii() or not _SUSPECT.search(text):
        return text
    for pattern, kept in _PASSES:
        text = pattern.sub(kept, text)
    return text


def _guillemets(pair: re.Match[str]) -> str:
    inside = pair[1]
    line = inside[inside.rfind("\n") + 1 :] if "\n" in inside else None
    # a `>` that begins a line marks a quotation; the opening sign is gone, so it may stay
    is_quotation = line is not None and _MARKER.fullmatch(line)
    return "‹" + inside.replace("<", "‹") + (">" if is_quotation else "›")


def neutralise_tags(text: str) -> str:
    """Write `<…>` as `‹…›`, so that no such sequence is left (Property 8); a lone `<` or `>` stays.

    The `>` of a Markdown quotation stays as well, its partner does not.
    """
    end = text.rfind(">") + 1  # beyond it nothing can match, and every try would read to the end
    return _PAIR.sub(_guillemets, text[:end]) + text[end:]


def clean_text(text: str) -> str:
    """Make plain text or Markdown fit for a model: nothing invisible, no control character, no `<…>`.

    :param text: a field that is not HTML: a post, a comment, a name, an error text
    :return: the same text with newlines as `\\n`; cleaning it again changes nothing
    """
    if not text.isprintable():  # what is printable has neither surrogates nor control characters
        text = strip_controls(replace_surrogates(text))
    if not text.isascii():
        text = strip_invisible(text)
    return neutralise_tags(text) if "<" in text else text
