"""Pages (Requirement 10)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Final

from pydantic import Field

from dbplanet.haiilo.client import HaiiloClient
from dbplanet.haiilo.paths import segment
from dbplanet.haiilo.shapes import entity_id, mapping, read_page
from dbplanet.mcp.arguments import Text
from dbplanet.mcp.tools import ADD, READ, tool
from dbplanet.text.layout import Document, labelled
from dbplanet.tools.parameters import (
    NOBODY_YET,
    FilledText,
    Id,
    PageNumber,
    PageSize,
    PageVisibility,
    given,
    paging,
)
from dbplanet.tools.present import details, listing, member, sender, sender_details

# The id lists of a page's members (API §4.5) → what they are called here.
_ROLES: Final = {
    "adminIds": "admins (user ids)",
    "adminGroupIds": "admins (group ids)",
    "memberIds": "members (user ids)",
    "memberGroupIds": "members (group ids)",
}


@tool(
    "Page_List",
    title="List pages",
    annotations=READ,
    description="List the intranet pages that the user can see, with id, slug, visibility and description.",
)
def list_pages(
    client: HaiiloClient, page: PageNumber | None = None, page_size: PageSize | None = None
) -> Document:
    """Requirement 10.1: ``GET /api/pages``."""
    return listing("Pages", read_page(client.request("GET", "/api/pages", paging(page, page_size))), sender)


@tool(
    "Page_Get",
    title="Page details",
    annotations=READ,
    description="Get one page by id or slug: title, description, visibility, apps and metadata. "
    "Use Content_GetFull with contentType page for the text of its widgets.",
)
def get_page(
    client: HaiiloClient, page_id: Annotated[Id, Field(alias="id", description="Page ID or slug")]
) -> Document:
    """Requirement 10.2: ``GET /api/pages/{id}``."""
    return details("Page", mapping(client.request("GET", f"/api/pages/{segment(page_id)}")), sender_details)


@tool(
    "Page_GetMembers",
    title="Page members",
    annotations=READ,
    description="List the members and admins of a page with their ids and roles.",
)
def get_members(
    client: HaiiloClient, page_id: Annotated[Id, Field(alias="id", description="Page ID")]
) -> Document:
    """Requirement 10.3: ``GET /api/pages/{id}/members``: id lists, on some tenants a page of users."""
    data = client.request("GET", f"/api/pages/{segment(page_id)}/members")
    if isinstance(data, Mapping) and not _ROLES.keys().isdisjoint(data):
        return _id_lists(data)
    return listing("Members of the page", read_page(data), member)


@tool(
    "Page_Create",
    title="Create a page",
    annotations=ADD,
    description="Create an intranet page; the signed-in user becomes its admin. Returns its id and slug.",
)
def create(
    client: HaiiloClient,
    title: Annotated[FilledText, Field(description="Page title", max_length=255)],
    content: Annotated[Text, Field(description="Page content, shown as the page's description")]
    | None = None,
    visibility: Annotated[
        PageVisibility, Field(description="Who reads it: everyone or its members (default private)")
    ] = "private",
) -> Document:
    """Requirement 10.4: ``POST /api/pages``, with the fields that the API requires."""
    me = entity_id(client.me())
    data = {
        "name": title,
        "visibility": visibility.upper(),
        **NOBODY_YET,
        "adminIds": [me] if me else [],
        "defaultLanguage": None,
        "translations": {},
        "autoSubscribeType": "NONE",
    }
    created = mapping(client.request("POST", "/api/pages", data=data | given(description=content)))
    return details("Page created", {"displayName": title, **created}, sender_details)


def _id_lists(data: Mapping[str, Any]) -> Document:
    lists = {label: data.get(key) for key, label in _ROLES.items()}
    shown = {label: ids for label, ids in lists.items() if isinstance(ids, list)}
    count = sum(map(len, shown.values()))
    lines = labelled((label, ", ".join(map(str, ids)) or "none") for label, ids in shown.items())
    return Document(f"Members of the page: {count}.", [lines], "People_List and People_Search show names.")
