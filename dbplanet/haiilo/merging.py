"""Lists that a tenant has only in pieces, put together into one page (API §3.4: zero-based pages)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from dbplanet.haiilo.shapes import Entity, read_page, whole
from dbplanet.haiilo.variants import Request
from dbplanet.mcp.errors import ToolError

DEFAULT_SIZE: Final = 20
_LARGEST_READ: Final = 100  # a page that every known tenant gives
_MOST_READS: Final = 20  # pages read of one piece, should the tenant's pages be small
_DEEPEST: Final = 1_000  # entities read from each piece: page 50 of twenty items

Piece = tuple[Sequence[Entity], int | None]
"""The beginning of a list, and how long the list is where that is known."""


def window(params: Mapping[str, Any]) -> tuple[int, int]:
    """Return page number and page size as asked for; raises ToolError 400 where it is too deep to merge."""
    number, size = whole(params.get("_page")) or 0, whole(params.get("_pageSize")) or DEFAULT_SIZE
    if (number + 1) * size > _DEEPEST:
        raise ToolError(
            400,
            f"Invalid arguments: page: {number} is too far on",
            f"This list is put together here; page and pageSize reach its first {_DEEPEST} items.",
        )
    return number, size


def beginning(request: Request, path: str, params: Mapping[str, Any], wanted: int) -> Piece:
    """Return at least the first ``wanted`` entities of a list, or all, reading as many pages as it takes."""
    found: list[Entity] = []
    size = min(wanted, _LARGEST_READ)
    for number in range(_MOST_READS):
        page = read_page(request("GET", path, {**params, "_page": number or None, "_pageSize": size}))
        found += page.items
        if page.last or not page.items or len(found) >= wanted:
            break
    return found, page.total


def merged(pieces: Iterable[Piece], number: int, size: int, *, by: str) -> dict[str, Any]:
    """Return one page of all pieces, the largest ``by`` (a time in milliseconds) first."""
    read = list(pieces)
    everything = sorted(
        (entity for found, _ in read for entity in found), key=lambda entity: -(whole(entity.get(by)) or 0)
    )
    totals = [total for _, total in read if total is not None]
    total = sum(totals) if len(totals) == len(read) else None
    end = (number + 1) * size
    page: dict[str, Any] = {"content": everything[number * size : end], "number": number, "size": size}
    if total is None:
        return {**page, "last": len(everything) <= end}
    return {**page, "totalElements": total, "last": total <= end}
