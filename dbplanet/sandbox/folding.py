"""Comparing German text as a search engine does, and marking what was found."""

from __future__ import annotations

import html
import unicodedata
from collections.abc import Iterator

_EXCERPT = 180
"""Characters of text in an excerpt."""


def fold(text: str) -> str:
    """Return ``text`` without case, accents and umlauts: ``Brücke``, ``BRÜCKE`` and ``bruecke`` are one."""
    return "".join(character for character, _ in _folded(text))


def _folded(text: str) -> Iterator[tuple[str, int]]:
    """Yield each folded character with the position it came from."""
    last = ""
    for position, original in enumerate(text):
        # most text is ASCII, and normalising it a character at a time is what a search would wait for
        letters = original.lower() if original.isascii() else _decomposed(original)
        for character in letters:
            if unicodedata.combining(character):
                continue
            umlaut_in_ascii = character == "e" and last in ("a", "o", "u")
            last = character
            if not umlaut_in_ascii:
                yield character, position


def _decomposed(character: str) -> str:
    return unicodedata.normalize("NFKD", character.casefold())


def excerpt(text: str, words: list[str]) -> str:
    """Return HTML of the place in ``text`` where the first of the folded ``words`` occurs, hits in ``<em>``.

    Without any hit the beginning of the text is returned.
    """
    hits = _hits(text, words)
    start = max(0, hits[0][0] - _EXCERPT // 3) if hits else 0
    if start:
        start = text.find(" ", start, hits[0][0]) + 1 or start
    end = min(len(text), start + _EXCERPT)
    marked = _mark(text, start, end, hits)
    return ("… " if start else "") + marked + (" …" if end < len(text) else "")


def _hits(text: str, words: list[str]) -> list[tuple[int, int]]:
    """Return the disjoint spans of ``text`` where a word occurs, in order."""
    folded = list(_folded(text))
    haystack = "".join(character for character, _ in folded)
    positions = [position for _, position in folded] + [len(text)]
    spans = []
    for word in filter(None, words):
        at = haystack.find(word)
        while at >= 0:
            spans.append((positions[at], positions[at + len(word)]))
            at = haystack.find(word, at + len(word))
    return _merged(sorted(spans))


def _merged(spans: list[tuple[int, int]]) -> list[tuple[int, int]]:
    merged: list[tuple[int, int]] = []
    for start, end in spans:
        if merged and start < merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return merged


def _mark(text: str, start: int, end: int, hits: list[tuple[int, int]]) -> str:
    parts = []
    done = start
    for hit_start, hit_end in hits:
        if hit_start >= start and hit_end <= end:
            found = html.escape(text[hit_start:hit_end], quote=False)
            parts.append(html.escape(text[done:hit_start], quote=False) + f"<em>{found}</em>")
            done = hit_end
    return "".join(parts) + html.escape(text[done:end], quote=False)
