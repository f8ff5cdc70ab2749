"""The text of pages, workspaces and their apps (API §5.1, §5.5).

What only adds to the text (a page's apps) is read best effort.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from typing import Final

from dbplanet.haiilo.articles import read_wiki_article
from dbplanet.haiilo.client import HaiiloClient
from dbplanet.haiilo.errors import MESSAGES, StatusError
from dbplanet.haiilo.layouts import language_of, read_layout, read_slot
from dbplanet.haiilo.links import app_url, sender_url
from dbplanet.haiilo.paths import segment
from dbplanet.haiilo.reading import Content, Reader, Reference, attempt, html, joined, sender_of
from dbplanet.haiilo.shapes import Entity, entity_id, first_text, mapping, moment, read_page, text
from dbplanet.mcp.errors import ToolError
from dbplanet.text.layout import one_line

_MAX_APPS: Final = 20  # apps of one page that are read

# Kind of an app → the list of what is in it, below the app's own path.
_LISTS: Final[Mapping[str, str]] = {
    "blog": "blog/articles",
    "wiki": "wiki/articles/children",
    "forum": "forum/threads",
}


def place_reader(kind: str) -> Reader:
    """Return the reader of a ``page`` or ``workspace``: description, main slot, and its content apps."""

    def read(client: HaiiloClient, ref: Reference) -> Content:
        entity = _sender(client, f"/api/{kind}s", ref)
        found = entity_id(entity) or ref.id
        language = language_of(client, ref.language, entity)
        apps = read_page(attempt(lambda: client.request("GET", f"/api/senders/{segment(found)}/apps"))).items
        parts = [
            html(client, language.title_of(entity, "description")),
            attempt(lambda: read_slot(client, kind, found)),
            *_content_apps(client, apps, language.suffix),
        ]
        return Content(
            entity=entity,
            text=joined(parts),
            title=language.title_of(entity, "name"),
            apps=list(apps),
            url=sender_url(client.base_url, {"typeName": kind, **entity, "id": found}),
            language=language.suffix or text(entity.get("defaultLanguage")),
        )

    return read


def read_app(client: HaiiloClient, ref: Reference) -> Content:
    """Return an app: the layout of a content app, a wiki's home article, the titles of a blog or forum.

    Without ``sender_id`` the app's kind is unknown and its content layout is read.
    """
    if ref.sender_id is None:
        return Content({}, _app_alone(client, ref))
    app = mapping(client.request("GET", f"/api/senders/{segment(ref.sender_id)}/apps/{segment(ref.id)}"))
    sender = sender_of(client, app, ref)
    reader = _APP_READERS.get(text(app.get("key")) or "", _layout_or_nothing)
    return Content(
        entity=app,
        text=reader(client, ref, app, sender),
        sender=sender,
        url=app_url(client.base_url, sender, app),
    )


def _app_alone(client: HaiiloClient, ref: Reference) -> str:
    try:
        return _app_layout(client, ref.id, ref.language)
    except StatusError as error:
        if error.status != 404:
            raise
        advice = "Pass senderId, the id of its page or workspace: a blog or wiki app cannot be read without."
        raise ToolError(404, MESSAGES[404], advice) from None


def _sender(client: HaiiloClient, base: str, ref: Reference) -> Entity:
    try:
        return mapping(client.request("GET", f"{base}/{segment(ref.id)}"))
    except StatusError as error:
        if error.status != 404 or ref.slug is None:
            raise
    return mapping(client.request("GET", f"{base}/{segment(ref.slug)}"))


def _content_apps(client: HaiiloClient, apps: Iterable[Entity], suffix: str | None) -> Iterator[str]:
    """Yield the text of each active content app under its name; other apps have titles, not a text."""
    readable = [app for app in apps if app.get("key") == "content" and app.get("active") is not False]
    for app in readable[:_MAX_APPS]:
        body = attempt(partial(_app_layout, client, entity_id(app) or "", suffix))
        name = first_text(app.get("name"), app.get("displayName"))
        yield joined([f"# {one_line(name)}" if name and body else None, body])


def _app_layout(client: HaiiloClient, app_id: str, suffix: str | None) -> str:
    return read_layout(client, "app", app_id, f"app-content-{app_id}", suffix).text


def _list_app(client: HaiiloClient, ref: Reference, app: Entity, sender: Entity) -> str:
    """Return the titles of a blog's newest articles, a wiki's first level, a forum's threads."""
    start = f"/api/senders/{segment(ref.sender_id or '')}/apps/{segment(entity_id(app) or ref.id)}"
    page = read_page(client.request("GET", f"{start}/{_LISTS[app['key']]}"))
    rest = None if page.last else f"These are the first {len(page.items)} of {page.total or 'more'}."
    return joined(["\n".join(map(_title, page.items)), rest])


def _title(entry: Entity) -> str:
    title = first_text(entry.get("title"), entry.get("displayName")) or "(no title)"
    facts = {"published": moment(entry.get("publishDate")), "id": entity_id(entry)}
    told = ", ".join(f"{name} {value}" for name, value in facts.items() if value)
    return one_line(f"- {title} ({told})")


def _content_app(client: HaiiloClient, ref: Reference, app: Entity, sender: Entity) -> str:
    app_id = entity_id(app) or ref.id
    # an app has the languages of its page or workspace
    language = language_of(client, ref.language, sender)
    return _app_layout(client, app_id, language.suffix)


def _layout_or_nothing(client: HaiiloClient, ref: Reference, app: Entity, sender: Entity) -> str:
    """Return the text of an app of another kind, which mostly has none."""
    return attempt(lambda: _content_app(client, ref, app, sender)) or ""


def _wiki_app(client: HaiiloClient, ref: Reference, app: Entity, sender: Entity) -> str:
    home, app_id = first_text(mapping(app.get("settings")).get("home")), entity_id(app) or ref.id
    if home is None:
        return _list_app(client, ref, app, sender)
    return read_wiki_article(client, Reference(home, app_id, ref.sender_id, language=ref.language)).text


_AppReader = Callable[[HaiiloClient, Reference, Entity, Entity], str]
_APP_READERS: Final[Mapping[str, _AppReader]] = {
    "content": _content_app,
    "wiki": _wiki_app,
    "blog": _list_app,
    "forum": _list_app,
}
