"""The parameters that tools share, each typed, checked and described once."""

from __future__ import annotations

from itertools import count
from typing import Annotated, Any, Final, Literal

from pydantic import AfterValidator, BeforeValidator, Field

from dbplanet.haiilo.client import HaiiloClient
from dbplanet.haiilo.paths import check_id
from dbplanet.mcp.arguments import Integer, Text
from dbplanet.mcp.context import Context

# Java's int, which the tenant's paging counts in.
_LAST_PAGE: Final = 2_147_483_647
_LARGEST_PAGE_SIZE: Final = 1_000


def _not_blank(value: str) -> str:
    if not value.strip():
        raise ValueError("is empty; give some text")
    return value


Id = Annotated[Text, AfterValidator(check_id)]
"""An id or slug that stands in a path."""

FilledText = Annotated[Text, AfterValidator(_not_blank)]
"""A string with something in it."""


def lower(value: Any) -> Any:
    """Return a string in lower case, so that the platform's own spelling of a choice is accepted."""
    return value.lower() if isinstance(value, str) else value


WorkspaceVisibility = Annotated[Literal["public", "protected", "private"], BeforeValidator(lower)]
"""Everyone joins, on request, by invitation; the platform's own PUBLIC and so on are accepted."""

PageVisibility = Annotated[Literal["public", "private"], BeforeValidator(lower)]
"""Everyone reads it, or its members."""

# The id lists that the API requires of a new sender even where they are empty (API §4.4, §4.5).
NOBODY_YET: Final[dict[str, Any]] = {
    key: [] for key in ("categoryIds", "adminIds", "adminGroupIds", "memberIds", "memberGroupIds")
}

PageNumber = Annotated[Integer, Field(ge=0, le=_LAST_PAGE, description="Page number (0-based)")]
PageSize = Annotated[Integer, Field(ge=1, le=_LARGEST_PAGE_SIZE, description="Items per page (default 20)")]


def paging(page: int | None, page_size: int | None) -> dict[str, Any]:
    """Return the paging part of a query; what was not given stays out of the request (Property 2)."""
    return {"_page": page, "_pageSize": page_size}


def reporting(client: HaiiloClient, context: Context) -> HaiiloClient:
    """Return a client that reports each request of a call that makes several, and stops when nobody waits."""
    steps = count(1)
    return client.observed(lambda: context.progress(next(steps), message="Reading from DB Planet"))


def given(**fields: Any) -> dict[str, Any]:
    """Return the fields that were given, for a request body."""
    return {name: value for name, value in fields.items() if value is not None}
