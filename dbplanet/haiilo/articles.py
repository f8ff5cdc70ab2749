"""The text of articles and posts.

An article's text is not in its JSON but in a layout whose name is made of its ids (API §5.2, §5.3).
"""

from __future__ import annotations

from collections.abc import Callable

from dbplanet.haiilo.client import HaiiloClient
from dbplanet.haiilo.errors import StatusError
from dbplanet.haiilo.layouts import Language, Layout, language_of, read_layout
from dbplanet.haiilo.links import article_url, post_url
from dbplanet.haiilo.paths import segment
from dbplanet.haiilo.reading import Content, Reader, Reference, html, joined, markdown, optional, sender_of
from dbplanet.haiilo.shapes import Entity, entity_id, first_text, mapping, read_page, target_params, whole
from dbplanet.mcp.errors import ToolError
from dbplanet.text.layout import one_line


def article_reader(kind: str, layout_name: Callable[[str, str, Entity], str]) -> Reader:
    """Return the reader of ``blog`` or ``wiki`` articles; ``layout_name`` gets app id, id and JSON."""

    def read(client: HaiiloClient, ref: Reference) -> Content:
        article, sender = _article(client, ref, kind)
        app_id = first_text(article.get("appId"), ref.app_id) or ""
        language = language_of(client, ref.language, article)
        name = layout_name(app_id, ref.id, article)
        layout = _layout(client, f"{kind}-article", ref, name, language, known=bool(article))
        app = {"id": app_id, "slug": target_params(article).get("appSlug"), "key": kind}
        return Content(
            entity=article,
            text=joined([_teaser(client, article, layout), layout.text]),
            title=language.title_of(article, "title"),
            sender=sender,
            url=article_url(client.base_url, sender, app, ref.id),
            language=language.suffix if layout.translated else first_text(article.get("defaultLanguage")),
        )

    return read


def _article(client: HaiiloClient, ref: Reference, kind: str) -> tuple[Entity, Entity]:
    """Return an article's JSON and its page or workspace, both empty where the caller names no sender."""
    if ref.app_id is None:
        raise ToolError(
            400,
            f"Invalid arguments: appId: is required for a {kind} article; search and news results show it",
        )
    if ref.sender_id is None:
        return {}, {}
    sender = f"/api/senders/{segment(ref.sender_id)}"
    article = optional(client, f"{sender}/apps/{segment(ref.app_id)}/{kind}/articles/{segment(ref.id)}")
    return article, sender_of(client, article, ref) if article else {}


def _teaser(client: HaiiloClient, article: Entity, layout: Layout) -> str:
    """Return the teaser where the page shows it above the text, or instead of one."""
    is_shown = article.get("showTeaserWithText") is not False and not layout.translated
    return html(client, article.get("teaserText")) if is_shown or not layout.text else ""


def _layout(
    client: HaiiloClient, kind: str, ref: Reference, name: str, language: Language, *, known: bool
) -> Layout:
    """Return an article's layout; an article that is known to exist may be without one."""
    try:
        return read_layout(client, kind, ref.id, name, language.suffix)
    except StatusError as error:
        if error.status != 404:
            raise
        if known:
            return Layout("")
        if ref.sender_id is None:
            raise ToolError(
                404,
                "The requested resource was not found.",
                "Pass senderId too, if you know it: some tenants find an article's text only with it. "
                "Otherwise check the ids by a search; DB Planet also answers so for what the user may "
                "not see.",
            ) from None
        raise


def blog_layout(app_id: str, article_id: str, article: Entity) -> str:
    """Return the name of a blog article's layout."""
    return f"app-blog-{app_id}-{article_id}"


def wiki_layout(app_id: str, article_id: str, article: Entity) -> str:
    """Return the name of the layout of a wiki article's latest revision."""
    # latestRevision is a number on some tenants, on others it tells whether this is the latest one
    revision = whole(article.get("latestRevision")) or whole(article.get("revisionNumber"))
    name = f"app-wiki-{app_id}-{article_id}"
    return name if revision is None else f"{name}-{revision}"


read_blog_article = article_reader("blog", blog_layout)
read_wiki_article = article_reader("wiki", wiki_layout)


def read_timeline_item(client: HaiiloClient, ref: Reference) -> Content:
    """Return a post: its message (Markdown), the article it shares, its links and files (API §5.5)."""
    entity = mapping(client.request("GET", f"/api/timeline-items/{segment(ref.id)}"))
    data = mapping(entity.get("data"))
    links = [_named("Link", link, "url") for link in read_page(entity.get("linkPreviews")).items]
    files = [_named("File", file, "id", "fileId") for file in read_page(entity.get("attachments")).items]
    text = joined(
        [markdown(data.get("message")), _shared(client, mapping(data.get("article"))), *links, *files]
    )
    recipients = read_page(entity.get("recipients")).items
    return Content(
        entity=entity,
        text=text,
        sender=recipients[0] if recipients else {},
        url=post_url(client.base_url, entity_id(entity) or ref.id),
    )


def _shared(client: HaiiloClient, article: Entity) -> str:
    """Return a shared article's title, the ids that read it, and its teaser."""
    title = first_text(article.get("title"), article.get("displayName"))
    ids = {
        "id": entity_id(article),
        "appId": entity_id(mapping(article.get("app"))),
        "senderId": entity_id(mapping(article.get("sender"))),
    }
    known = ", ".join(f"{name} {value}" for name, value in ids.items() if value)
    line = one_line(f"Shared article: {title} ({known})") if title else None
    return joined([line, html(client, article.get("teaserText"))])


def _named(label: str, entity: Entity, *keys: str) -> str:
    name = first_text(entity.get("displayName"), entity.get("title"), entity.get("name"))
    reference = first_text(*map(entity.get, keys))
    return one_line(f"{label}: {' – '.join(filter(None, (name, reference)))}") if name or reference else ""
