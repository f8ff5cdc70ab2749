"""Comments and likes."""

from __future__ import annotations

import uuid

from flask import request
from flask.typing import ResponseReturnValue

from dbplanet.sandbox.clock import now_ms
from dbplanet.sandbox.context import json_body, store, viewer, visible
from dbplanet.sandbox.documents import comment
from dbplanet.sandbox.errors import forbidden, invalid, not_found
from dbplanet.sandbox.fulltext import index
from dbplanet.sandbox.paging import page_of
from dbplanet.sandbox.store import Document
from dbplanet.sandbox.views import like_info, present

from .memberships import require
from .notifications import notify

COMMENTABLE = ("timeline-item", "blog-article", "wiki-article", "file", "list-entry")
LIKEABLE = ("timeline-item", "comment", "blog-article", "wiki-article", "file")


def _comment_target(target_id: str, target_type: str | None) -> Document:
    """Return the entity that comments belong to; its type may be left out in this profile."""
    if target_type is not None and target_type not in COMMENTABLE:
        raise invalid(targetType="Invalid")
    target = store().get(target_id)
    if target is None or not viewer().sees(target) or target_type not in (None, target["typeName"]):
        raise not_found(target_type or "entity")
    if target["typeName"] not in COMMENTABLE:
        raise invalid(targetId="Invalid")
    return target


def comments() -> Document:
    """Answer ``GET /comments?targetId=``: a page, oldest first unless ``_orderBy=created,desc``."""
    require(request.args, "targetId")
    target = _comment_target(request.args["targetId"], request.args.get("targetType"))
    return page_of(store().documents("comment", owner=target["id"]), present)


def comments_of_type() -> Document:
    """Answer ``GET /comments?targetId=&targetType=``: 400 without either."""
    require(request.args, "targetId", "targetType")
    return comments()


def create_comment_by() -> ResponseReturnValue:
    """Answer ``POST /comments`` where ``targetType`` and ``authorId`` are required too."""
    require(json_body(), "targetId", "targetType", "authorId", "message")
    return create_comment()


def create_comment() -> ResponseReturnValue:
    """Answer ``POST /comments`` with ``{targetId, message, targetType?, authorId?}``; the author is oneself
    or a sender one may act as.
    """
    viewer().require("CREATE_COMMENT")
    body = json_body()
    require(body, "targetId", "message")
    target = _comment_target(str(body["targetId"]), body.get("targetType"))
    message = body["message"]
    if not isinstance(message, str) or not message.strip():
        raise invalid(message="NotBlank")
    author = str(body.get("authorId") or viewer().id)
    _require_acting_as(author)
    _require_open(target)
    with store().transaction():
        created = comment(str(uuid.uuid4()), message, author=author, target=target, created=now_ms())
        store().add(created, owner=target["id"])
        index(store(), target)
        if target["_author"] != viewer().id:
            title = [target["displayName"]] if target.get("displayName") else []
            notify(
                target["_author"],
                "DISCUSSION",
                target["typeName"],
                target=target,
                arguments=title,
                excerpt=message,
            )
    return present(created), 201


def _require_open(target: Document) -> None:
    app = store().get(target.get("appId", ""))
    if app is not None and not app["settings"]["commentsAllowed"]:
        raise forbidden("Comments are switched off here.")


def _require_acting_as(sender: str) -> None:
    if not viewer().acts_as(sender):
        raise forbidden("One may act only as oneself or as a sender one manages.")


def like_target(target_type: str, target_id: str) -> str:
    """Return the id of what one may like; 400 for another type, 404 where one does not see it."""
    if target_type not in LIKEABLE:
        raise invalid(targetType="Invalid")
    return str(visible(target_type, target_id)["id"])


def likes(target_type: str, target_id: str) -> Document:
    """Answer ``GET /like-targets/{type}/{id}?senderId=``; without a sender one's own like is told."""
    return like_info(like_target(target_type, target_id), request.args.get("senderId") or viewer().id)


def like(target_type: str, target_id: str, sender_id: str) -> Document:
    """Answer ``POST …/likes/{senderId}``; liking twice is liking once."""
    viewer().require("LIKE")
    target = like_target(target_type, target_id)
    _require_acting_as(sender_id)
    store().execute("INSERT OR IGNORE INTO liked VALUES (?, ?, ?)", target, sender_id, now_ms())
    return like_info(target, sender_id)


def unlike(target_type: str, target_id: str, sender_id: str) -> Document:
    """Answer ``DELETE …/likes/{senderId}``."""
    target = like_target(target_type, target_id)
    _require_acting_as(sender_id)
    store().execute("DELETE FROM liked WHERE target = ? AND sender = ?", target, sender_id)
    return like_info(target, sender_id)
