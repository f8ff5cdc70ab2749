"""The news feed (Requirement 5)."""

from __future__ import annotations

from typing import Any, Final

from dbplanet.haiilo.client import HaiiloClient
from dbplanet.haiilo.forms import BLOGS_MERGED
from dbplanet.haiilo.generations import NEWSFEED
from dbplanet.haiilo.shapes import (
    Entity,
    entity_id,
    first_text,
    mapping,
    moment,
    read_page,
    target_params,
    whole,
)
from dbplanet.mcp.tools import READ, tool
from dbplanet.text.layout import Document
from dbplanet.tools.parameters import PageNumber, PageSize, paging
from dbplanet.tools.present import Pairs, excerpt, listing, name_of, who

_OPEN: Final = (
    "Content_GetFull reads an item: contentId is its id, contentType blog-article; pass appId and senderId."
)


@tool(
    "News_GetFeed",
    title="News feed",
    annotations=READ,
    description="Get the recent company news and blog posts: title, author, publication date, excerpt and "
    "the ids that Content_GetFull needs for the full text.",
)
def get_feed(
    client: HaiiloClient, page: PageNumber | None = None, page_size: PageSize | None = None
) -> Document:
    """Requirement 5: ``GET /web/blog/newsfeed``."""
    data = client.ask(NEWSFEED, params=paging(page, page_size))
    return listing("News", read_page(data), _article, tail=f"{_OPEN}{_origin(data)}")


def _origin(data: Any) -> str:
    blogs = whole(mapping(data).get(BLOGS_MERGED))
    if blogs is None:
        return ""
    return f" This DB Planet has no news feed: these are the articles of {blogs} blogs of the user's pages."


def _article(entity: Entity) -> tuple[str, Pairs]:
    sender, app = mapping(entity.get("sender")), mapping(entity.get("app"))
    params = target_params(entity) or target_params({"target": entity.get("articleTarget")})
    return name_of(entity), [
        ("id", entity_id(entity) or params.get("id")),
        ("appId", first_text(entity.get("appId"), entity_id(app), params.get("appId"))),
        ("senderId", first_text(entity.get("senderId"), entity_id(sender), params.get("senderId"))),
        ("in", name_of(sender) if sender else entity.get("senderName")),
        ("author", who(entity.get("author"))),
        ("published", moment(entity.get("publishDate") or entity.get("published") or entity.get("created"))),
        ("excerpt", excerpt(first_text(entity.get("teaserText"), entity.get("excerpt")))),
    ]
