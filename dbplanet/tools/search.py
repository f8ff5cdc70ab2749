"""Search: full text, by name, grouped by type (Requirement 3)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Final, Literal

from pydantic import BeforeValidator, Field

from dbplanet.haiilo.client import HaiiloClient
from dbplanet.haiilo.generations import GROUPED, QUICK, SEARCH
from dbplanet.haiilo.paths import query_string
from dbplanet.haiilo.shapes import Entity, Page, first_text, mapping, read_page, type_name
from dbplanet.mcp.arguments import show
from dbplanet.mcp.errors import ToolError
from dbplanet.mcp.tools import READ, tool
from dbplanet.text.layout import Document, one_line
from dbplanet.tools.parameters import FilledText, PageNumber, PageSize, lower, paging
from dbplanet.tools.present import Pairs, count_of, hit, listing, name_of, numbered, person, sender

_OPEN: Final = (
    "Content_GetFull reads a hit: contentId is its id, contentType its type; pass appId and senderId too. "
    "Event_Get reads an event, People_Search finds a user."
)
_NONE: Final = "Most content is German: try a German word, or a shorter one."
_ALL_OF_ONE: Final = "Search_FullText with type lists all hits of one type."

# The types that the platform's search finds (API §3.1).
_FOUND_TYPES: Final = (
    *("blog-article", "wiki-article", "page", "workspace", "event", "timeline-item", "user", "app", "file"),
)

Modified = Annotated[Literal["last_week", "last_month", "last_year"], BeforeValidator(lower)]


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
    types: Annotated[
        FilledText,
        Field(alias="type", description=f"Only this type, several by commas: {', '.join(_FOUND_TYPES)}"),
    ]
    | None = None,
    modified: Annotated[Modified, Field(description="Only what was changed since")] | None = None,
    place: Annotated[
        FilledText, Field(alias="sender", description="Only in this page or workspace: its id, not its slug")
    ]
    | None = None,
) -> Document:
    """Requirement 3.1, 3.2, 3.5: ``GET /api/search``; the filters are those of API §4.1."""
    filters = _filters(types, modified, place)
    data = client.ask(SEARCH, params={"term": query, **paging(page, page_size), "filters": filters})
    return listing(f"Search results for {_quoted(query)}", read_page(data), hit, tail=_OPEN, none=_NONE)


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
    data = client.ask(QUICK, params={"term": query})
    none = f"{_NONE} Search_FullText looks inside texts, and finds apps and articles."
    return listing(f"Entities named like {_quoted(query)}", read_page(data), _named, none=none)


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
    groups = _groups(client.ask(GROUPED, params={"term": query}))
    found = {kind: page for kind, page in groups.items() if page.items or page.total}
    head = f"Search results for {_quoted(query)} by type: {_count(len(found))}."
    tail = f"{_OPEN} {_ALL_OF_ONE}" if found else _NONE
    return Document(head, [_group(kind, page) for kind, page in found.items()], tail)


def _count(types: int) -> str:
    return {0: "none", 1: "1 type"}.get(types, f"{types} types")


def _filters(types: str | None, modified: str | None, place: str | None) -> str | None:
    """Return the value of ``filters``: a query string that is encoded once more in the query (API §3.4)."""
    kinds = [kind.strip().lower() for kind in (types or "").split(",") if kind.strip()]
    unknown = [kind for kind in kinds if kind not in _FOUND_TYPES]
    if unknown:
        allowed = ", ".join(_FOUND_TYPES)
        raise ToolError(400, f"Invalid arguments: type: {show(unknown[0])} is not one of {allowed}")
    wanted = {
        "type": kinds or None,
        "modified": modified.upper() if modified else None,
        "sender": place,
    }
    return query_string(wanted) or None


def _quoted(query: str) -> str:
    return f"“{one_line(query)}”"


def _named(entity: Entity) -> tuple[str, Pairs]:
    """Return a person with their job and contact, a page, workspace or event with its state."""
    kind = type_name(entity) or "unknown type"
    title, pairs = person(entity) if kind == "user" else sender(entity)
    return f"{title} ({kind})", [*pairs, ("type", kind if kind == "user" else None)]


def _group(kind: str, page: Page) -> str:
    items = [numbered(number, *hit(entity)) for number, entity in enumerate(page.items, 1)]
    count = count_of(page) if items else f"{page.total}, none among the best hits"
    return "\n\n".join((f"## {kind}: {count}", *items))


def _groups(data: Any) -> dict[str, Page]:
    """Return type → page, from an array of groups, ``{groups: […]}`` or a map by type."""
    groups = data.get("groups", data) if isinstance(data, Mapping) else data
    if isinstance(groups, Mapping):
        return {one_line(kind): read_page(page) for kind, page in groups.items()}
    return {_kind(group): read_page(group.get("page", group)) for group in read_page(groups).items}


def _kind(group: Entity) -> str:
    named = first_text(group.get("key"), group.get("typeName"), group.get("type"))
    return one_line(named) if named else name_of(mapping(group))
