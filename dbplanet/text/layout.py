"""Plain text for a model to read: a first line that says what this is, then labelled items."""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Final

from dbplanet.text import clean_text, split_text

_INDENT: Final = "   "
_GAP: Final = "\n\n"
_MARKERS: Final = 240  # room for the lines around a part


@dataclass(frozen=True)
class Document:
    """An answer: ``head`` says what it is and how much, ``blocks`` are its items, ``tail`` what comes next.

    ``less`` tells how to ask for less where the whole does not fit.
    """

    head: str
    blocks: Sequence[str] = ()
    tail: str = ""
    less: str = "Ask for less, such as a smaller pageSize."

    def render(self, limit: int) -> str:
        """Return the text in at most ``limit`` characters, cut between items and saying so."""
        whole = _joined(self.head, self.blocks, self.tail)
        if len(whole) <= limit:
            return whole
        count = self._fitting(limit)
        if count == 0:
            return self._cut_inside(limit)
        return _joined(self.head, self.blocks[:count], self._cut_note(count))

    def _fitting(self, limit: int) -> int:
        """Return how many items fit beside the head and the note about the cut."""
        room = limit - len(self.head) - len(self._cut_note(len(self.blocks))) - len(_GAP)
        lengths = accumulate(len(_GAP) + len(block) for block in self.blocks)
        return sum(1 for length in lengths if length <= room)

    def _cut_note(self, count: int) -> str:
        return f"Cut here: {count} of {len(self.blocks)} items are shown. {self.less}"

    def _cut_inside(self, limit: int) -> str:
        """Return what fits of a single long item, ending at a line where there is one."""
        note = f"Cut here: the text is longer than {limit} characters. {self.less}"
        room = max(limit - len(note) - 2, 0)
        text = _joined(self.head, self.blocks, "")[:room]
        return f"{_cut_back(text)}…\n\n{note}"


def _cut_back(text: str) -> str:
    """Return ``text`` to its last line end, or to its last word where most of it is one line."""
    ends = (text.rfind("\n"), text.rfind(" "))
    end = next((end for end in ends if end > len(text) // 2), len(text))
    return text[:end].rstrip()


def _joined(head: str, blocks: Sequence[str], tail: str) -> str:
    return _GAP.join(filter(None, (head, *blocks, tail)))


def one_line(value: object) -> str:
    """Return a field as one clean line, so that it cannot pose as another field or as our own words."""
    return " ".join(clean_text(str(value)).split())


@dataclass(frozen=True)
class Prose:
    """A field of several lines; they are indented below its label, so that none can pose as a field."""

    text: str


def labelled(pairs: Iterable[tuple[str, object]], indent: str = "") -> str:
    """Return ``label: value`` lines; what is missing (None, empty) is left out, never invented."""
    return "\n".join(
        [line for label, value in pairs if value is not None and (line := _line(label, value, indent))]
    )


def _line(label: str, value: object, indent: str) -> str:
    if isinstance(value, Prose):
        lines = clean_text(value.text).strip().splitlines()
        return (
            "\n".join((f"{indent}{label}:", *(f"{indent}{_INDENT}{line}" for line in lines))) if lines else ""
        )
    line = one_line(value)
    return f"{indent}{label}: {line}" if line else ""


def item(number: int, title: str, pairs: Iterable[tuple[str, object]]) -> str:
    """Return one numbered item of a list with its labelled lines below."""
    return "\n".join(filter(None, (f"{number}. {title}", labelled(pairs, _INDENT))))


@dataclass(frozen=True)
class LongText:
    """One long text with a head, given out in parts of at most ``limit`` characters.

    The text is the intranet's own and stands unchanged between two marker lines. They carry a mark that is
    made anew for each answer, so that no text can hold the line that ends it.
    """

    head: str
    text: str
    part: int = 1

    def render(self, limit: int) -> str:
        """Return the wanted part; raises NoSuchPartError where the text has fewer."""
        room = max(limit - len(self.head) - _MARKERS, _MARKERS)
        parts = split_text(self.text, room)
        count = len(parts)
        if not 1 <= self.part <= count:
            raise NoSuchPartError(self.part, count)
        mark = secrets.token_hex(4)
        begin = f"--- content from DB Planet, part {self.part} of {count}, mark {mark} ---"
        end = f"--- end of part {self.part} of {count}, mark {mark} ---"
        more = f"Call again with part={self.part + 1} to go on." if self.part < count else ""
        return _GAP.join(filter(None, (self.head, begin, parts[self.part - 1], end, more)))


class NoSuchPartError(Exception):
    """A part was asked for that the text does not have."""

    def __init__(self, part: int, count: int) -> None:
        super().__init__(part, count)
        self.part = part
        self.count = count
