"""The grid of a table, with merged cells as empty ones, and the table as Markdown."""

import re
from typing import NamedTuple

_MAX_PADDING = 50_000
_PIPE = re.compile(r"(\\*)\|")


class Cell(NamedTuple):
    """A cell's text, on one line, and how many columns and rows it takes."""

    text: str
    columns: int = 1
    rows: int = 1


class Grid:
    """Fills the grids of one page's tables.

    Spans are numbers in the markup that cost nothing to write, so the empty cells of a page are counted; when
    there are too many, the rest of its tables go without.
    """

    def __init__(self, padding: int = _MAX_PADDING) -> None:
        self._padding = padding

    def filled(self, rows: list[list[Cell]]) -> list[list[str]]:
        """Lay cells out in rows of equal length; a merged cell has its text at the first of its places."""
        covered: dict[int, int] = {}  # column → rows still covered from above
        grid = [self._row(cells, covered, len(rows) - index) for index, cells in enumerate(rows)]
        grid = [row for row in grid if any(row)]
        width = max(map(len, grid), default=0)
        return [row + [""] * self._granted(width - len(row)) for row in grid]

    def _row(self, cells: list[Cell], covered: dict[int, int], rows_left: int) -> list[str]:
        if len(covered) > self._padding:
            covered.clear()
        row: list[str] = []
        for cell in cells:
            self._skip_covered(row, covered)
            columns = 1 + self._granted(cell.columns - 1)
            if (rows := min(cell.rows or rows_left, rows_left)) > 1:
                covered.update(dict.fromkeys(range(len(row), len(row) + columns), rows))
            row += [cell.text] + [""] * (columns - 1)
        missing = max(covered, default=-1) + 1 - len(row)
        row += [""] * self._granted(missing)
        if missing > self._padding:
            covered.clear()
        for column, rows in list(covered.items()):
            covered[column] = rows - 1
            if rows <= 1:
                del covered[column]
        return row

    def _skip_covered(self, row: list[str], covered: dict[int, int]) -> None:
        while covered.get(len(row), 0) > 0 and self._granted(1):
            row.append("")

    def _granted(self, wanted: int) -> int:
        granted = wanted if 0 < wanted <= self._padding else 0
        self._padding -= granted
        return granted


def _escaped(text: str) -> str:
    return _PIPE.sub(r"\1\1\\|", text)


def markdown_table(rows: list[list[str]]) -> str:
    """Write rows as a Markdown table whose first row is the header."""
    if not rows:
        return ""
    lines = ["| " + " | ".join(map(_escaped, row)) + " |" for row in rows]
    lines.insert(1, "| " + " | ".join(["---"] * len(rows[0])) + " |")
    return "\n".join(lines)
