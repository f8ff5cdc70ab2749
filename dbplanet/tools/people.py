"""The people directory (Requirement 6)."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from dbplanet.haiilo.client import ME_PATH, HaiiloClient
from dbplanet.haiilo.generations import CHOOSER
from dbplanet.haiilo.shapes import mapping, read_page
from dbplanet.mcp.tools import READ, tool
from dbplanet.text.layout import Document, one_line
from dbplanet.tools.parameters import FilledText, PageNumber, PageSize, paging
from dbplanet.tools.present import details, listing, person


@tool(
    "People_GetMe",
    title="My profile",
    annotations=READ,
    description="Get the signed-in user's own profile: id, name, job, department, contact, time zone.",
)
def get_me(client: HaiiloClient) -> Document:
    """Requirement 6.1: ``GET /api/users/me``."""
    return details("Signed-in user", mapping(client.request("GET", ME_PATH)), person)


@tool(
    "People_List",
    title="List people",
    annotations=READ,
    description="List the users of DB Planet, a page at a time: id, name, job, department, contact. "
    "Use People_Search to find somebody.",
)
def list_people(
    client: HaiiloClient, page: PageNumber | None = None, page_size: PageSize | None = None
) -> Document:
    """Requirement 6.2, 6.4: ``GET /api/users``."""
    return listing("People", read_page(client.request("GET", "/api/users", paging(page, page_size))), person)


@tool(
    "People_Search",
    title="Find people",
    annotations=READ,
    description="Search people by name, job title or department. Returns id, name, job, department, contact.",
)
def search_people(
    client: HaiiloClient, query: Annotated[FilledText, Field(description="Search query for people")]
) -> Document:
    """Requirement 6.3: ``GET /api/users/chooser/search``."""
    data = client.ask(CHOOSER, params={"term": query})
    none = "Try a part of the name, or a German word for the job; Search_FullText finds people by their work."
    return listing(f"People found for “{one_line(query)}”", read_page(data), person, none=none)
