"""Reading the whole text of an item: articles, pages, workspaces, apps and posts.

The text of an article is not in its JSON but in the widgets of a layout whose name is made of its ids
(API §5). What only adds to the text (title, author, dates, a page's further apps) is read best effort.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from dbplanet.haiilo.client import HaiiloClient
from dbplanet.haiilo.errors import HaiiloError, StatusError, UnauthorizedError
from dbplanet.haiilo.paths import segment
from dbplanet.haiilo.shapes import Entity, entity_id, first_text, mapping, read_page, text, whole
from dbplanet.haiilo.widgets import layout_to_text
from dbplanet.mcp.errors import ToolError
from dbplanet.text import html_to_text

_MAX_APPS: Final = 20  # content apps of one page that are read


@dataclass(frozen=True)
class Reference:
    """What the caller knows of an item."""

    id: str
    app_id: str | None = None
    sender_id: str | None = None
    slug: str | None = None


@dataclass(frozen=True)
class Content:
    """An item's own JSON (empty where it could not be read), its text in Markdown, and its apps."""

    entity: Entity
    text: str
    apps: list[Entity] = field(default_factory=list)


def read_blog_article(client: HaiiloClient, ref: Reference) -> Content:
    """Return a blog article from its layout ``app-blog-{appId}-{id}``."""
    return _article(client, ref, "blog", lambda app_id, article: f"app-blog-{app_id}-{ref.id}")


def read_wiki_article(client: HaiiloClient, ref: Reference) -> Content:
    """Return a wiki article from the layout of its latest revision."""

    def layout(app_id: str, article: Entity) -> str:
        revision = whole(article.get("latestRevision")) or whole(article.get("revisionNumber"))
        name = f"app-wiki-{app_id}-{ref.id}"
        return name if revision is None else f"{name}-{revision}"

    return _article(client, ref, "wiki", layout)


def read_page_or_workspace(kind: str) -> Callable[[HaiiloClient, Reference], Content]:
    """Return a reader for a page or workspace: description, fixed slot, and each content app."""

    def read(client: HaiiloClient, ref: Reference) -> Content:
        entity = _sender(client, f"/api/{kind}s", ref)
        found = entity_id(entity) or ref.id
        apps = read_page(_optional(client, f"/api/senders/{segment(found)}/apps")).items
        parts = [_html(client, entity.get("description")), _slot(client, kind, found)]
        parts += _content_apps(client, apps)
        return Content(entity, _joined(parts), list(apps))

    return read


def read_app(client: HaiiloClient, ref: Reference) -> Content:
    """Return an app: the layout of a content app, the home article of a wiki, the titles of a blog.

    Without ``sender_id`` the app's kind is unknown and its content layout is read.
    """
    app: Entity = {}
    if ref.sender_id is not None:
        app = mapping(client.request("GET", f"/api/senders/{segment(ref.sender_id)}/apps/{segment(ref.id)}"))
    reader = _APP_READERS.get(text(app.get("key")) or "", _content_app)
    return Content(app, reader(client, ref, app))


def read_timeline_item(client: HaiiloClient, ref: Reference) -> Content:
    """Return a post: its message (Markdown), or the article it shares."""
    entity = mapping(client.request("GET", f"/api/timeline-items/{segment(ref.id)}"))
    data = mapping(entity.get("data"))
    article = mapping(data.get("article"))
    shared = [text(article.get("title")), _html(client, article.get("teaserText"))]
    return Content(entity, _joined([text(data.get("message")), *shared]))


Reader = Callable[[HaiiloClient, Reference], Content]

READERS: Final[Mapping[str, Reader]] = {
    "blog-article": read_blog_article,
    "wiki-article": read_wiki_article,
    "page": read_page_or_workspace("page"),
    "workspace": read_page_or_workspace("workspace"),
    "app": read_app,
    "timeline-item": read_timeline_item,
}
"""Content type → reader: the six types of Requirement 11.2."""


def _article(
    client: HaiiloClient, ref: Reference, app_kind: str, layout: Callable[[str, Entity], str]
) -> Content:
    if ref.app_id is None:
        raise ToolError(
            400,
            f"Invalid arguments: appId: is required for a {app_kind} article; "
            "search and news results show it",
        )
    article: Entity = {}
    if ref.sender_id is not None:
        app = f"/api/senders/{segment(ref.sender_id)}/apps/{segment(ref.app_id)}"
        article = mapping(_optional(client, f"{app}/{app_kind}/articles/{segment(ref.id)}"))
    body = _article_text(client, f"{app_kind}-article", ref.id, layout(ref.app_id, article), bool(article))
    return Content(article, _joined([_html(client, article.get("teaserText")), body]))


def _article_text(client: HaiiloClient, kind: str, article_id: str, layout: str, known: bool) -> str:
    """Return a layout's text; an article that is known to exist may be without a layout."""
    try:
        return _layout(client, kind, article_id, layout)
    except StatusError as error:
        if error.status == 404 and known:
            return ""
        raise


def _layout(client: HaiiloClient, parent_type: str, parent_id: str, name: str) -> str:
    path = f"/api/{parent_type}/{segment(parent_id)}/widgets/{segment(name)}"
    return layout_to_text(client.request("GET", path), base_url=client.base_url)


def _optional(client: HaiiloClient, path: str) -> Any:
    """Return what adds to the text, or None where it cannot be read."""
    try:
        return client.request("GET", path)
    except UnauthorizedError:
        raise
    except HaiiloError:
        return None


def _sender(client: HaiiloClient, base: str, ref: Reference) -> Entity:
    try:
        return mapping(client.request("GET", f"{base}/{segment(ref.id)}"))
    except StatusError as error:
        if error.status != 404 or ref.slug is None:
            raise
    return mapping(client.request("GET", f"{base}/{segment(ref.slug)}"))


def _slot(client: HaiiloClient, kind: str, sender_id: str) -> str:
    path = f"/api/{kind}/{segment(sender_id)}/widgets/{kind}-content"
    return layout_to_text(_optional(client, path), base_url=client.base_url)


def _content_apps(client: HaiiloClient, apps: Any) -> Iterator[str]:
    readable = [app for app in apps if app.get("key") == "content" and app.get("active") is not False]
    for app in readable[:_MAX_APPS]:
        app_id = entity_id(app)
        if app_id is None:
            continue
        path = f"/api/app/{segment(app_id)}/widgets/{segment(f'app-content-{app_id}')}"
        body = layout_to_text(_optional(client, path), base_url=client.base_url)
        yield _joined([f"# {name}" if (name := text(app.get("name"))) and body else None, body])


def _content_app(client: HaiiloClient, ref: Reference, app: Entity) -> str:
    return _layout(client, "app", ref.id, f"app-content-{ref.id}")


def _wiki_app(client: HaiiloClient, ref: Reference, app: Entity) -> str:
    home = first_text(mapping(app.get("settings")).get("home"))
    if home is None:
        return ""
    return read_wiki_article(client, Reference(home, app_id=ref.id, sender_id=ref.sender_id)).text


def _blog_app(client: HaiiloClient, ref: Reference, app: Entity) -> str:
    sender_id = segment(ref.sender_id or "")
    path = f"/api/senders/{sender_id}/apps/{segment(ref.id)}/blog/articles"
    articles = read_page(client.request("GET", path)).items
    return "\n".join(f"- {text(article.get('title'))} (id {entity_id(article)})" for article in articles)


_APP_READERS: Final[Mapping[str, Callable[[HaiiloClient, Reference, Entity], str]]] = {
    "content": _content_app,
    "wiki": _wiki_app,
    "blog": _blog_app,
}


def _html(client: HaiiloClient, value: Any) -> str:
    given = text(value)
    return html_to_text(given, base_url=client.base_url) if given else ""


def _joined(parts: Any) -> str:
    return "\n\n".join(part for part in parts if part)
