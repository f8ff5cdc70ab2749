"""A page's tree as Markdown, written plainly.

Blocks inside a table cell or a heading are written flat: one line each, without list marks, fences or table
lines, for the cell to join. The walk is recursive; `tree` bounds how deep it goes.
"""

import re
from collections.abc import Callable, Iterator
from itertools import groupby

from dbplanet.text.flow import Block, Flow, fenced, join_blocks
from dbplanet.text.scan import BREAK
from dbplanet.text.table import Cell, Grid, markdown_table
from dbplanet.text.tree import Node
from dbplanet.text.urls import absolute_url

_MAX_INDENTS = 8
_INTEGER = re.compile(r"\s*([+-]?[0-9]{1,9})")
_INLINE = frozenset({"a", "code"})
_EDGE = "\x04"
_LINE_EDGES = re.compile(f"\n?{_EDGE}+\n?|{BREAK}")
_NO_LINE_INSIDE = re.compile(f"[\n{BREAK}{_EDGE}]+")


def _integer(text: str, default: int) -> int:
    match = _INTEGER.match(text)
    return int(match[1]) if match else default


def _raw_text(node: Node) -> str:
    """All text below a node as it is; an `_EDGE` stands at the boundary of every block."""
    pieces: list[str] = []
    stack: list[Node | str] = [node]
    while stack:
        item = stack.pop()
        if isinstance(item, str):
            pieces.append(item)
            continue
        edge = [] if item is node or item.name in _INLINE else [_EDGE]
        stack += [*edge, *reversed(item.children), *edge]
    return "".join(pieces).replace("\xa0", " ")


def _indented(text: str, first: str, rest: str) -> str:
    lines = text.split("\n")
    return "\n".join([first + lines[0], *(rest + line if line else "" for line in lines[1:])])


class Renderer:
    """Writes one tree; an instance serves one page.

    :param base_url: the page's address, against which links are resolved
    """

    def __init__(self, base_url: str = "") -> None:
        self._base_url = base_url
        self._flat = False
        self._indents = 0
        self._grid = Grid()
        self._linked: set[int] = set()
        self._open_link = ""  # around the block that is about to be written, and without text so far

    def markdown(self, root: Node) -> str:
        """The whole page."""
        return join_blocks(self._blocks(root))

    def _blocks(self, node: Node) -> list[Block]:
        flow = Flow()
        flow.open_link(self._open_link)
        self._open_link = ""
        self._fill(flow, node)
        flow.end_block()
        self._open_link = flow.take_link()
        return flow.blocks

    def _fill(self, flow: Flow, node: Node) -> None:
        for child in node.children:
            if isinstance(child, str):
                flow.add_text(child)
            elif child.name == "a":
                self._link(flow, child)
            elif child.name == "code":
                self._code(flow, child)
            else:
                flow.end_block()
                self._open_link = flow.take_link()
                flow.add_block(*_WRITERS.get(child.name, Renderer._blocks)(self, child))
                flow.open_link(self._open_link)
                self._open_link = ""

    def _link(self, flow: Flow, node: Node) -> None:
        # Where the parser split a misnested link, the copies share these attributes; the first is the link.
        href = "" if id(node.attributes) in self._linked else node.attributes.get("href", "")
        self._linked.add(id(node.attributes))
        flow.open_link(absolute_url(href, self._base_url))
        self._fill(flow, node)
        flow.close_link()

    def _code(self, flow: Flow, node: Node) -> None:
        code = _raw_text(node).strip(f"\n{BREAK}{_EDGE}")
        if not code.strip():
            flow.add_text(code)
        elif _LINE_EDGES.search(code) and not self._flat:
            flow.add_block(Block(fenced(_LINE_EDGES.sub("\n", code))))
        else:
            flow.add_code(_NO_LINE_INSIDE.sub(" ", code))

    def _heading(self, node: Node) -> list[Block]:
        text = " ".join(self._flat_lines(node))
        marks = "" if self._flat else "#" * int(node.name[1]) + " "
        return [Block(marks + text)] if text else []

    def _preformatted(self, node: Node) -> list[Block]:
        code = _LINE_EDGES.sub("\n", _raw_text(node)).strip("\n")
        if not code.strip():
            return []
        return [Block(code if self._flat else fenced(code))]

    def _quotation(self, node: Node) -> list[Block]:
        if self._flat or self._indents >= _MAX_INDENTS:
            return self._blocks(node)
        text = self._nested(node)
        quoted = "\n".join(f"> {line}" if line else ">" for line in text.split("\n"))
        return [Block(quoted)] if text else []

    def _rule(self, node: Node) -> list[Block]:
        return [] if self._flat else [Block("---")]

    def _nested(self, node: Node) -> str:
        self._indents += 1
        text = join_blocks(self._blocks(node))
        self._indents -= 1
        return text

    def _list(self, node: Node) -> list[Block]:
        if self._flat:
            return self._blocks(node)
        number = _integer(node.attributes.get("start", ""), 1)
        items = []
        for item, is_marked in _items(node):
            number = _integer(item.attributes.get("value", ""), number)
            mark = f"{number}. " if node.name == "ol" else "- "
            if text := self._item(item, mark if is_marked else " " * len(mark), len(mark)):
                items.append(text)
                number += is_marked
        return [Block("\n".join(items), tight=self._indents > 0)] if items else []

    def _item(self, node: Node, mark: str, width: int) -> str:
        text = self._nested(node)
        indent = " " * width if self._indents < _MAX_INDENTS else ""
        return _indented(text, mark, indent) if text else ""

    def _marked(self, node: Node) -> list[Block]:
        """A definition, or a list item without a list."""
        if self._flat:
            return self._blocks(node)
        text = self._item(node, ": " if node.name == "dd" else "- ", 2)
        return [Block(text, tight=True)] if text else []

    def _flat_lines(self, node: Node) -> list[str]:
        outer, self._flat = self._flat, True
        blocks = self._blocks(node)
        self._flat = outer
        return [line for block in blocks for line in block.text.split("\n") if line.strip()]

    def _table(self, node: Node) -> list[Block]:
        caption, rows = _table_parts(node)
        blocks = self._blocks(caption)
        if self._flat or _is_layout(rows):
            cells = (cell for row in rows for cell in row)
            return blocks + [block for cell in cells for block in self._blocks(cell)]
        grid = [[self._cell(cell) for cell in row] for row in rows]
        table = markdown_table(self._grid.filled(grid))
        return [*blocks, Block(table)] if table else blocks

    def _cell(self, node: Node) -> Cell:
        return Cell(
            "; ".join(self._flat_lines(node)),
            _integer(node.attributes.get("colspan", ""), 1),
            _integer(node.attributes.get("rowspan", ""), 1),
        )


_Writer = Callable[[Renderer, Node], list[Block]]
_WRITERS: dict[str, _Writer] = {
    **dict.fromkeys(("h1", "h2", "h3", "h4", "h5", "h6"), Renderer._heading),
    "pre": Renderer._preformatted,
    "blockquote": Renderer._quotation,
    "hr": Renderer._rule,
    "ul": Renderer._list,
    "ol": Renderer._list,
    "li": Renderer._marked,
    "dd": Renderer._marked,
    "table": Renderer._table,
}


def _items(node: Node) -> Iterator[tuple[Node, bool]]:
    """The items of a list, and whether each has a mark.

    What stands between items becomes an item; a list directly inside a list continues the item before it.
    """
    for is_item, group in groupby(node.children, _is_item):
        if is_item:
            yield from ((child, True) for child in group if isinstance(child, Node))
        else:
            stray = Node("stray")
            stray.children = list(group)
            yield stray, not _parted(stray, "ul", "ol")[1]


def _is_item(child: Node | str) -> bool:
    return isinstance(child, Node) and child.name == "li"


def _table_parts(table: Node) -> tuple[Node, list[list[Node]]]:
    """What stands before the table, captions as a rule, and the rows, each a list of its cells."""
    before = Node("caption")
    before.children, sections = _parted(table, "thead", "tbody", "tfoot")
    rows = []
    for section in sections:
        strays, section_rows = _parted(section, "tr")
        before.children += strays
        for row in section_rows:
            strays, cells = _parted(row, "td", "th")
            before.children += strays
            rows.append(cells)
    return before, rows


def _parted(node: Node, *names: str) -> tuple[list[Node | str], list[Node]]:
    """A node's children without, and with, the given names."""
    named = [child for child in node.children if isinstance(child, Node) and child.name in names]
    others = [child for child in node.children if isinstance(child, str) or child.name not in names]
    return others, named


def _is_layout(rows: list[list[Node]]) -> bool:
    """Whether a table has one column and holds blocks: a frame around a text, as mail programs make them."""
    return all(len(row) <= 1 for row in rows) and any(
        isinstance(child, Node) and child.name not in _INLINE
        for row in rows
        for cell in row
        for child in cell.children
    )
