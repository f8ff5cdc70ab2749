"""The full text of one item (Requirement 11)."""

from __future__ import annotations

from typing import Annotated, Final

from pydantic import Field

from dbplanet.haiilo.client import HaiiloClient
from dbplanet.haiilo.content import READERS, Content, Reference
from dbplanet.haiilo.shapes import Entity, entity_id, mapping, moment, text, type_name, words
from dbplanet.mcp.arguments import Integer, Text, show
from dbplanet.mcp.context import Context
from dbplanet.mcp.errors import ToolError
from dbplanet.mcp.tools import READ, tool
from dbplanet.text.layout import LongText, labelled, one_line
from dbplanet.tools.parameters import Id, reporting
from dbplanet.tools.present import is_named, name_of, numbered, who

_APPS: Final = "Its apps (Content_GetFull with contentType app; senderId is the id above):"
_NO_TEXT: Final = "(no text)"
# Kind of an app → the content type of what it lists.
_ENTRIES: Final = {"blog": "blog-article", "wiki": "wiki-article"}
_SUPPORTED: Final = f"Supported: {', '.join(READERS)}. Event_Get reads events, People_Search finds users."


@tool(
    "Content_GetFull",
    title="Read full content",
    annotations=READ,
    description="Read the full text of one item as Markdown, after Search_FullText or News_GetFeed gave its "
    "ids; above it title, author, dates, place and link. Long texts come in parts.",
)
def get_full(
    client: HaiiloClient,
    context: Context,
    content_id: Annotated[
        Id, Field(description="ID of the content item; for pages and workspaces a slug works too")
    ],
    content_type: Annotated[
        Text, Field(description="Content type of the item", json_schema_extra={"enum": list(READERS)})
    ],
    app_id: Annotated[Id, Field(description="App ID (required for blog and wiki articles)")] | None = None,
    slug: Annotated[Id, Field(description="Slug (alternative identifier for pages and workspaces)")]
    | None = None,
    sender_id: Annotated[
        Id, Field(description="ID of the page or workspace it belongs to; adds title, author, date and link")
    ]
    | None = None,
    language: Annotated[
        Id, Field(description="Language of the text, such as en (default: the user's, where translated)")
    ]
    | None = None,
    part: Annotated[Integer, Field(ge=1, description="Part of a long text (default 1)")] = 1,
) -> LongText:
    """Requirement 11: the widget layouts of the item, by its type."""
    reader = READERS.get(content_type)
    if reader is None:
        raise ToolError(
            400,
            f"Unsupported content type {show(content_type)}",
            _SUPPORTED,
        )
    content = reader(reporting(client, context), Reference(content_id, app_id, sender_id, slug, language))
    return LongText(_head(content, content_type, content_id), content.text or _NO_TEXT, part)


def _head(content: Content, content_type: str, content_id: str) -> str:
    name = content.title or (name_of(content.entity) if is_named(content.entity) else None)
    title = f"{content_type}: {name}" if name else f"{content_type} {content_id}"
    apps = [_app(number, app) for number, app in enumerate(content.apps, 1)]
    listed = [_APPS, *apps] if apps else []
    return "\n".join(
        filter(None, (one_line(title), _fields(content, content_id), _entries(content), *listed))
    )


def _entries(content: Content) -> str:
    """Return how to read what the text of a blog, or of a wiki without a home article, lists."""
    app, sender_id = content.entity, entity_id(content.sender)
    kind = _ENTRIES.get(str(app.get("key")))
    if kind is None or sender_id is None or text(mapping(app.get("settings")).get("home")):
        return ""
    ids = f"appId {entity_id(app)} and senderId {sender_id}"
    return one_line(f"An entry is read by Content_GetFull with contentType {kind}, its id, {ids}.")


def _fields(content: Content, content_id: str) -> str:
    entity = content.entity
    return labelled(
        [
            ("id", entity_id(entity) or content_id),
            ("slug", entity.get("slug")),
            ("app", entity.get("key")),
            ("in", _place(content.sender)),
            ("author", who(entity.get("author"))),
            ("published", moment(entity.get("publishDate"))),
            ("created", moment(entity.get("created"))),
            ("modified", moment(entity.get("modified"))),
            ("visibility", words(entity.get("visibility"))),
            ("language", content.language),
            ("translated to", ", ".join(map(str, mapping(entity.get("translations"))))),
            ("link", content.url),
        ]
    )


def _place(sender: Entity) -> str | None:
    """Return where an item is: ``page Infrastruktur (id …)``."""
    named = sender if is_named(sender) else {**sender, "name": sender.get("slug")}
    return " ".join(filter(None, (type_name(sender), who(named)))) if sender else None


def _app(number: int, app: Entity) -> str:
    return numbered(number, name_of(app), [("app", app.get("key")), ("id", entity_id(app))])
