"""What senders contain: apps, articles, posts and the news feed."""

from __future__ import annotations

from flask import request

from dbplanet.sandbox.context import store, viewer, visible, visible_sender
from dbplanet.sandbox.errors import not_found
from dbplanet.sandbox.paging import page_of
from dbplanet.sandbox.store import Document
from dbplanet.sandbox.views import card, present


def sender(sender_id: str) -> Document:
    """Answer ``GET /senders/{idOrSlug}`` for any type of sender."""
    return present(visible_sender(sender_id))


def _readable(sender_id: str) -> Document:
    found = visible_sender(sender_id)
    if not viewer().reads(found):
        raise not_found(found["typeName"])
    return found


def apps(sender_id: str) -> list[Document]:
    """Answer ``GET /senders/{idOrSlug}/apps``: an array, not a page."""
    return [present(app) for app in store().documents("app", owner=_readable(sender_id)["id"])]


def _app(sender_id: str, app_id: str) -> Document:
    return visible("app", app_id, owner=_readable(sender_id)["id"])


def app(sender_id: str, app_id: str) -> Document:
    """Answer ``GET /senders/{s}/apps/{idOrSlug}``."""
    return present(_app(sender_id, app_id))


def blog_articles(sender_id: str, app_id: str) -> Document:
    """Answer ``GET …/blog/articles``: newest first; drafts only with ``includeDrafts=true``, for admins."""
    articles = store().documents("blog-article", owner=_app(sender_id, app_id)["id"])
    drafts = request.args.get("includeDrafts") == "true"
    shown = [found for found in articles if viewer().sees(found) and (found["published"] or drafts)]
    return page_of(sorted(shown, key=lambda found: -(found["publishDate"] or found["created"])), present)


def blog_article(sender_id: str, app_id: str, article_id: str) -> Document:
    """Answer ``GET …/blog/articles/{id}``: without the text, which is in its widgets."""
    return present(visible("blog-article", article_id, owner=_app(sender_id, app_id)["id"]))


def wiki_article(sender_id: str, app_id: str, article_id: str) -> Document:
    """Answer ``GET …/wiki/articles/{id}``, an earlier one with ``revision=n``."""
    found = visible("wiki-article", article_id, owner=_app(sender_id, app_id)["id"])
    latest = found["revisionNumber"]
    revision = request.args.get("revision", str(latest))
    if revision not in map(str, range(1, latest + 1)):
        raise not_found("wiki-article")
    return present(found) | {"revisionNumber": int(revision), "latestRevision": int(revision) == latest}


def wiki_children(sender_id: str, app_id: str) -> list[Document]:
    """Answer ``GET …/wiki/articles/children?parentId=``: an array; without a parent the top level."""
    parent = request.args.get("parentId") or None
    articles = store().documents("wiki-article", owner=_app(sender_id, app_id)["id"])
    return [present(found) for found in articles if found["parentId"] == parent]


def newsfeed() -> Document:
    """Answer ``GET /blog/newsfeed``: published articles of all places one may read, newest first."""
    viewer().require("ACCESS_NEWS")
    shown = [
        found for found in store().documents("blog-article") if found["published"] and viewer().sees(found)
    ]
    return page_of(sorted(shown, key=lambda found: -int(found["publishDate"])), _news)


def _news(found: Document) -> Document:
    source = store().get(found["appId"]) or {}
    app = {key: source[key] for key in ("id", "key", "name", "slug")}
    return {**present(found), "sender": card(found["senderId"]), "app": app}


def timeline_item(item_id: str) -> Document:
    """Answer ``GET /timeline-items/{id}``; the text is ``data.message``, in Markdown."""
    return present(visible("timeline-item", item_id))
