"""Search: full text, by name, grouped by type (Requirement 3)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Final

from pydantic import Field

from dbplanet.haiilo.client import HaiiloClient
from dbplanet.haiilo.shapes import Entity, Page, first_text, mapping, read_page, type_name
from dbplanet.mcp.tools import READ, tool
from dbplanet.text.layout import Document, item, one_line
from dbplanet.tools.parameters import FilledText, PageNumber, PageSize, paging
from dbplanet.tools.present import Pairs, count_of, hit, listing, name_of, sender

_OPEN: Final = (
    "Content_GetFull reads a hit: contentId is its id, contentType its type; pass appId and senderId too."
)


@tool(
    "Search_FullText",
    title="Full-text search",
    annotations=READ,
    description="Full-text search across DB Planet (articles, pages, workspaces, events, posts, people). "
    "Returns metadata only: id, title, type, excerpt, modified date and the ids for the next call. "
    "Use Content_GetFull for a hit's full content.",
)
def full_text(
    client: HaiiloClient,
    query: Annotated[FilledText, Field(description="Search query term")],
    page: PageNumber | None = None,
    page_size: PageSize | None = None,
) -> Document:
    """Requirement 3.1, 3.2, 3.5: ``GET /api/search``."""
    data = client.request("GET", "/api/search", {"term": query, **paging(page, page_size)})
    return listing(f"Search results for {_quoted(query)}", read_page(data), hit, tail=_OPEN)


@tool(
    "Search_QuickEntity",
    title="Find by name",
    annotations=READ,
    description="Quick search by name for pages, workspaces, people and events. Returns name, type and id. "
    "Fast and short; use Search_FullText to search inside content.",
)
def quick_entity(
    client: HaiiloClient, query: Annotated[FilledText, Field(description="Name, or the beginning of one")]
) -> Document:
    """Requirement 3.3: ``GET /api/quick-entity-search``."""
    data = client.request("GET", "/api/quick-entity-search", {"term": query})
    return listing(f"Entities named like {_quoted(query)}", read_page(data), _named)


@tool(
    "Search_Grouped",
    title="Search grouped by type",
    annotations=READ,
    description="Search across DB Planet with the results grouped by content type: the best hits and the "
    "count of each. Use it to see where something is found; Search_FullText lists all hits.",
)
def grouped(
    client: HaiiloClient, query: Annotated[FilledText, Field(description="Search query term")]
) -> Document:
    """Requirement 3.4: ``GET /api/search/grouped``."""
    groups = _groups(client.request("GET", "/api/search/grouped", {"term": query}))
    found = {kind: page for kind, page in groups.items() if page.items}
    head = f"Search results for {_quoted(query)} by type: {len(found) or 'none'}."
    return Document(head, [_group(kind, page) for kind, page in found.items()], _OPEN if found else "")


def _quoted(query: str) -> str:
    return f"“{one_line(query)}”"


def _named(entity: Entity) -> tuple[str, Pairs]:
    title, pairs = sender(entity)
    return f"{title} ({type_name(entity) or 'unknown type'})", pairs


def _group(kind: str, page: Page) -> str:
    items = [item(number, *hit(entity)) for number, entity in enumerate(page.items, 1)]
    return "\n\n".join((f"## {kind}: {count_of(page)}", *items))


def _groups(data: Any) -> dict[str, Page]:
    """Return type → page, from an array of groups, ``{groups: […]}`` or a map by type."""
    groups = data.get("groups", data) if isinstance(data, Mapping) else data
    if isinstance(groups, Mapping):
        return {one_line(kind): read_page(page) for kind, page in groups.items()}
    return {_kind(group): read_page(group.get("page", group)) for group in read_page(groups).items}


def _kind(group: Entity) -> str:
    named = first_text(group.get("key"), group.get("typeName"), group.get("type"))
    return one_line(named) if named else name_of(mapping(group))
