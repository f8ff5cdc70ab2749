"""Reading all members of an API that gives them in pages."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Final

from graphql import GraphQLField

from dbplanet.clubber.endpoint import ApiCall
from dbplanet.clubber.members import Reply, request_for, schema_of, send
from dbplanet.clubber.naming import LIST, first, root_field
from dbplanet.clubber.placing import default_of, place
from dbplanet.clubber.selecting import select
from dbplanet.mcp.errors import ToolError

PAGE_SIZE: Final = 100
MAX_PAGES: Final = 2_000

_SIZES: Final = ("first", "limit", "take", "pagesize", "perpage", "size", "count")
_CURSORS: Final = ("after", "cursor")
_OFFSETS: Final = ("offset", "skip", "start")
_PAGES: Final = ("page", "pagenumber")


@dataclass(frozen=True)
class Progress:
    """How far the reading came: pages and members so far, and what the last page gave."""

    pages: int
    members: int
    last: Reply


@dataclass(frozen=True)
class Way:
    """How an API pages: the arguments of the first page, and those of the next (None: that was the last)."""

    begin: dict[str, Any]
    go_on: Callable[[Progress], dict[str, Any] | None]


def read_all(call: ApiCall) -> Iterator[Reply]:
    """Yield the replies that together hold all members; the last one is that with faults, if there is one.

    Raises ToolError where the API has no list of members, and when its pages do not end.
    """
    schema = schema_of(call)
    name, field = root_field(schema, LIST)
    selection, way = select(schema, field), _way(field)
    arguments: dict[str, Any] | None = place(field, way.begin)
    before: list[Any] = []
    pages = members = 0
    while arguments is not None:
        if pages == MAX_PAGES:
            raise ToolError(502, f"The API's list of members did not end after {pages} pages.")
        reply = send(call, request_for(LIST, name, field, selection, arguments))
        if reply.members and reply.members == before:
            # An API that does not heed its own arguments gives the same page for ever.
            return
        yield reply
        before, pages, members = reply.members, pages + 1, members + len(reply.members)
        step = None if reply.faults or reply.problems else way.go_on(Progress(pages, members, reply))
        arguments = None if step is None else {**arguments, **step}


def _way(field: GraphQLField) -> Way:
    size, cursor, offset, page = (first(field.args, names) for names in (_SIZES, _CURSORS, _OFFSETS, _PAGES))
    begin = {size[0]: PAGE_SIZE} if size else {}
    if cursor is not None:
        return Way(begin, _after(cursor[0]))
    if offset is not None:
        # Until a page is empty: a short one may be the API's own limit.
        return Way(begin, lambda so_far: {offset[0]: so_far.members} if so_far.last.members else None)
    if page is not None:
        default = default_of(page[1])
        start = default if isinstance(default, int) else 1
        return Way(
            {page[0]: start, **begin},
            lambda so_far: {page[0]: start + so_far.pages} if so_far.last.members else None,
        )
    return Way({}, lambda so_far: None)


def _after(cursor: str) -> Callable[[Progress], dict[str, Any] | None]:
    def go_on(so_far: Progress) -> dict[str, Any] | None:
        value = so_far.last.value
        found = first(value, ("pageinfo",)) if isinstance(value, dict) else None
        info = found[1] if found and isinstance(found[1], dict) else {}
        more, end = first(info, ("hasnextpage",)), first(info, ("endcursor",))
        return {cursor: end[1]} if more and more[1] and end and end[1] else None

    return go_on
