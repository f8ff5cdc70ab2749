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


def _own(category: str | None = None) -> list[Document]:
    """Return one's notifications, newest first, of one category if given."""
    viewer().require("ACCESS_NOTIFICATIONS")
    mine = store().documents("notification", owner=viewer().id)
    shown = [found for found in mine if category in (None, found["category"])]
    return sorted(shown, key=lambda found: -int(found["created"]))


def _category() -> str | None:
    """Return the category that the request names; 400 for one that does not exist."""
    category = request.args.get("category")
    if category not in (None, *CATEGORIES):
        raise invalid(category="Invalid")
    return category


def _required_category() -> str:
    category = _category()
    if category is None:
        raise invalid(category="NotNull")
    return category


def listing() -> Document:
    """Answer ``GET /notifications``: a page, newest first; ``category`` may be left out."""
    return page_of(_own(_category()), authored)


def listing_of_category() -> Document:
    """Answer ``GET /notifications?category=``: 400 without a category."""
    return page_of(_own(_required_category()), authored)


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
    """Answer ``PUT /notifications/mark-seen``: 204, and none (of ``category``) is unseen afterwards."""
    return _mark_seen(_category())


def mark_category_seen() -> ResponseReturnValue:
    """Answer ``PUT /notifications/action/mark-seen?category=``: 204, and none of it is unseen afterwards."""
    return _mark_seen(_required_category())


def _mark_seen(category: str | None) -> ResponseReturnValue:
    with store().transaction():
        for found in _own(category):
            store().update(found | {"_seen": True})
    return "", 204
