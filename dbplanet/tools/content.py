"""The full text of one item (Requirement 11)."""

from __future__ import annotations

from typing import Annotated, Final

from pydantic import Field

from dbplanet.haiilo.client import HaiiloClient
from dbplanet.haiilo.content import READERS, Content, Reference
from dbplanet.haiilo.shapes import Entity, entity_id, moment, words
from dbplanet.mcp.arguments import Integer, Text, show
from dbplanet.mcp.errors import ToolError
from dbplanet.mcp.tools import READ, tool
from dbplanet.text.layout import LongText, item, labelled
from dbplanet.tools.parameters import Id
from dbplanet.tools.present import is_named, name_of, who

_TYPES: Final = ", ".join(READERS)


@tool(
    "Content_GetFull",
    title="Read full content",
    annotations=READ,
    description="Read the full text of one item as Markdown, after Search_FullText or News_GetFeed gave its "
    "ids. Long texts come in parts.",
)
def get_full(
    client: HaiiloClient,
    content_id: Annotated[Id, Field(description="ID of the content item")],
    content_type: Annotated[
        Text, Field(description="Content type of the item", json_schema_extra={"enum": list(READERS)})
    ],
    app_id: Annotated[Id, Field(description="App ID (required for blog and wiki articles)")] | None = None,
    slug: Annotated[Id, Field(description="Slug (alternative identifier for pages and workspaces)")]
    | None = None,
    sender_id: Annotated[
        Id, Field(description="ID of the page or workspace it belongs to; adds title, author and date")
    ]
    | None = None,
    part: Annotated[Integer, Field(ge=1, description="Part of a long text (default 1)")] = 1,
) -> LongText:
    """Requirement 11: the widget layouts of the item, by its type."""
    reader = READERS.get(content_type)
    if reader is None:
        raise ToolError(400, f"Unsupported content type {show(content_type)}", f"Supported: {_TYPES}.")
    content = reader(client, Reference(content_id, app_id, sender_id, slug))
    return LongText(_head(content, content_type, content_id), content.text, part)


def _head(content: Content, content_type: str, content_id: str) -> str:
    entity = content.entity
    title = f"{content_type}: {name_of(entity)}" if is_named(entity) else f"{content_type} {content_id}"
    apps = [_app(number, app) for number, app in enumerate(content.apps, 1)]
    listed = ["Its apps (Content_GetFull with contentType app):", *apps] if apps else []
    return "\n".join(filter(None, (title, _fields(entity, content_id), *listed)))


def _fields(entity: Entity, content_id: str) -> str:
    return labelled(
        [
            ("id", entity_id(entity) or content_id),
            ("slug", entity.get("slug")),
            ("author", who(entity.get("author"))),
            ("published", moment(entity.get("publishDate"))),
            ("created", moment(entity.get("created"))),
            ("modified", moment(entity.get("modified"))),
            ("visibility", words(entity.get("visibility"))),
        ]
    )


def _app(number: int, app: Entity) -> str:
    return item(number, name_of(app), [("app", app.get("key")), ("id", entity_id(app))])
