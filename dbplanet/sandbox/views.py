"""Stored documents as the API shows them to one user."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from flask import request

from .context import store, viewer
from .store import Document

_CORE = (
    *("id", "entityId", "slug", "typeName", "displayName", "displayNameInitials", "color", "public"),
    *("imageUrls", "target", "tenant", "anonymized"),
)


def plain(document: Document) -> Document:
    """Return a document without what the API does not show."""
    return {key: value for key, value in document.items() if not key.startswith("_")}


def core(document: Document) -> Document:
    """Return the sender core by which other entities refer to this one."""
    return {key: document[key] for key in _CORE if key in document}


def card(entity: str) -> Document | None:
    """Return the sender core of an id."""
    document = store().get(entity)
    return None if document is None else core(document)


def cards(entities: Iterable[str]) -> list[Document]:
    """Return the sender cores of several ids, in their order."""
    return [found for found in map(card, entities) if found is not None]


def authored(document: Document) -> Document:
    """Return a document with its author's sender core in place of the id."""
    shown = plain(document)
    if "_author" in document:
        shown["author"] = card(document["_author"])
    return shown


def present(document: Document) -> Document:
    """Return one entity in full, with ``_permissions`` if the request asks for them."""
    shown = authored(document)
    extra = _EXTRAS.get(document["typeName"])
    if extra is not None:
        shown.update(extra(document))
    asked = request.args.get("_permissions")
    if asked:
        shown["_permissions"] = viewer().entity_permissions(document, asked)
    return shown


def like_info(target: str, sender: str) -> dict[str, Any]:
    """Return ``{count, likedBySender, latest}``; ``latest`` holds the three newest likers."""
    rows = store().rows("SELECT sender FROM liked WHERE target = ? ORDER BY created DESC", target)
    senders = [row["sender"] for row in rows]
    return {"count": len(senders), "likedBySender": sender in senders, "latest": cards(senders[:3])}


def _workspace(document: Document) -> Document:
    entity = document["id"]
    return {
        "membershipStatus": viewer().status_in(entity, "NONE"),
        "memberCount": len(store().members(entity, "APPROVED")),
        "requestedCount": len(store().members(entity, "REQUESTED")),
    }


def _page(document: Document) -> Document:
    apps = store().documents("app", owner=document["id"])
    return {"topApps": [{key: app[key] for key in ("id", "name", "slug", "key")} for app in apps]}


def _event(document: Document) -> Document:
    return {
        "sender": card(document["_sender"]),
        "status": viewer().status_in(document["id"], "PENDING"),
        "memberCount": len(store().members(document["id"])),
    }


def _timeline_item(document: Document) -> Document:
    comments = store().rows("SELECT count(*) AS n FROM document WHERE owner = ?", document["id"])
    return {
        "recipients": cards(document["_recipients"]),
        "likes": like_info(document["id"], viewer().id),
        "comments": {"totalElements": comments[0]["n"]},
    }


def _wiki_article(document: Document) -> Document:
    siblings = store().documents("wiki-article", owner=document["appId"])
    return {"wikiArticles": sum(other["parentId"] == document["id"] for other in siblings)}


def _comment(document: Document) -> Document:
    return {"likes": like_info(document["id"], viewer().id)}


_EXTRAS: dict[str, Callable[[Document], Document]] = {
    "workspace": _workspace,
    "page": _page,
    "event": _event,
    "wiki-article": _wiki_article,
    "timeline-item": _timeline_item,
    "comment": _comment,
}
