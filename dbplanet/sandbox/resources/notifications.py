"""Notifications of the signed-in user."""

from __future__ import annotations

import uuid
from collections.abc import Iterable

from flask import request
from flask.typing import ResponseReturnValue

from dbplanet.sandbox.clock import now_ms
from dbplanet.sandbox.context import store, viewer
from dbplanet.sandbox.documents import notification
from dbplanet.sandbox.errors import invalid
from dbplanet.sandbox.paging import page_of
from dbplanet.sandbox.store import Document
from dbplanet.sandbox.views import authored

CATEGORIES = ("DISCUSSION", "ACTIVITY")


def notify(
    receiver: str,
    category: str,
    type_name: str,
    *,
    target: Document,
    arguments: list[str],
    excerpt: str = "",
) -> None:
    """Tell a user what the signed-in user has just done."""
    given = {
        "type": type_name,
        "category": category,
        "messageKey": f"NOTIFICATIONS.{type_name.upper().replace('-', '.')}",
        "arguments": [viewer().user["displayName"], *arguments],
        "excerpt": excerpt,
    }
    made = notification(str(uuid.uuid4()), given, author=viewer().id, target=target, created=now_ms())
    store().add(made, owner=receiver, kind="notification")


def _own() -> list[Document]:
    """Return one's notifications, newest first, of ``category`` if the request names one."""
    viewer().require("ACCESS_NOTIFICATIONS")
    category = request.args.get("category")
    if category is not None and category not in CATEGORIES:
        raise invalid(category="Invalid")
    mine = store().documents("notification", owner=viewer().id)
    shown = [found for found in mine if category in (None, found["category"])]
    return sorted(shown, key=lambda found: -int(found["created"]))


def listing() -> Document:
    """Answer ``GET /notifications``: a page, newest first; ``category`` may be left out."""
    return page_of(_own(), authored)


def _per_category(found: Iterable[Document]) -> dict[str, int]:
    categories = [item["category"] for item in found]
    return {category: categories.count(category) for category in CATEGORIES}


def status() -> Document:
    """Answer ``GET /notifications/status``: how many are unseen and unclicked, in all and per category."""
    own = _own()
    unseen = _per_category(item for item in own if not item["_seen"])
    unclicked = _per_category(item for item in own if not item["clicked"])
    return {"unseen": {"_total": sum(unseen.values()), **unseen}, "unclicked": unclicked}


def mark_seen() -> ResponseReturnValue:
    """Answer ``PUT /notifications/mark-seen``: 204, and none is unseen afterwards."""
    with store().transaction():
        for found in _own():
            store().update(found | {"_seen": True})
    return "", 204
