"""The running text of one container: inline pieces, which every boundary turns into a block."""

import re
from typing import NamedTuple

from dbplanet.text.scan import BREAK

_CODE_SPACE = "\x03"
_BACKTICKS = re.compile("`+")


class Block(NamedTuple):
    """A finished piece of Markdown, of one or more lines."""

    text: str
    tight: bool = False
    """Whether it follows the block before it without a blank line, as a list inside a list item does."""


def join_blocks(blocks: list[Block]) -> str:
    """Join blocks with blank lines, tight ones with a newline."""
    return "".join(
        block.text if index == 0 else ("\n" if block.tight else "\n\n") + block.text
        for index, block in enumerate(blocks)
    )


def _lines(text: str) -> str:
    """Collapse white space; forced breaks become newlines, several of them a blank line."""
    if BREAK not in text:
        return " ".join(text.split())
    lines = [" ".join(line.split()) for line in text.split(BREAK)]
    return re.sub("\n{3,}", "\n\n", "\n".join(lines)).strip("\n")


def _longest_run(text: str) -> int:
    return max((len(run) for run in _BACKTICKS.findall(text)), default=0)


def fenced(code: str) -> str:
    """Preformatted text as a fenced block; the fence is longer than any in the text."""
    fence = "`" * max(3, _longest_run(code) + 1)
    return f"{fence}\n{code}\n{fence}"


def _code_span(code: str) -> str:
    fence = "`" * (_longest_run(code) + 1)
    pad = " " if code[0] == "`" or code[-1] == "`" else ""
    return f"{fence}{pad}{code}{pad}{fence}"


class Flow:
    """Collects the blocks of one container.

    A link is written where its first text is: a link around several blocks marks the first of them.
    """

    def __init__(self) -> None:
        self.blocks: list[Block] = []
        self._parts: list[str] = []
        self._link = ""
        self._link_start = 0

    def add_text(self, text: str) -> None:
        """Add decoded text, white space and forced breaks as the page has them."""
        self._parts.append(text)

    def add_code(self, code: str) -> None:
        """Add a piece of code whose spaces stay as they are."""
        self._parts.append(_code_span(code).replace(" ", _CODE_SPACE))

    def open_link(self, url: str) -> None:
        """Begin a link; with an empty URL its text is text."""
        self._write_link()
        self._link = url
        self._link_start = len(self._parts)

    def close_link(self) -> None:
        """End the link; one that had no text shows its address."""
        self._write_link()
        if url := self.take_link():
            self._parts.append(url)

    def take_link(self) -> str:
        """The address of an open link that has had no text yet; from then on it is the caller's."""
        url, self._link = self._link, ""
        return url

    def add_block(self, *blocks: Block) -> None:
        """End the running text and add finished blocks."""
        self.end_block()
        self.blocks += blocks

    def end_block(self) -> None:
        """Make the running text a block, unless it is blank."""
        if not self._parts:
            return
        self._write_link()
        text = _lines("".join(self._parts))
        if text:
            self.blocks.append(Block(text.replace(_CODE_SPACE, " ")))
        self._parts.clear()
        self._link_start = 0

    def _write_link(self) -> None:
        if not self._link:
            return
        text = "".join(self._parts[self._link_start :]).replace(BREAK, " ")
        label = text.strip()
        if label:
            before, after = text[: -len(text.lstrip())], text[len(text.rstrip()) :]
            self._parts[self._link_start :] = [before, f"[{label}]({self.take_link()})", after]
