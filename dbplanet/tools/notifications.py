"""Notifications (Requirement 9)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from dbplanet.haiilo.client import HaiiloClient
from dbplanet.haiilo.generations import MARK_SEEN, NOTIFICATIONS
from dbplanet.haiilo.shapes import (
    Entity,
    mapping,
    moment,
    read_page,
    target_params,
    text,
    type_name,
    whole,
    words,
)
from dbplanet.mcp.tools import READ, SET, tool
from dbplanet.text.layout import Document, labelled, one_line
from dbplanet.tools.parameters import PageNumber, PageSize, paging
from dbplanet.tools.present import Pairs, excerpt, listing, who
from dbplanet.tools.sentences import sentence


@tool(
    "Notification_List",
    title="List notifications",
    annotations=READ,
    description="List the user's notifications, newest first: who, what, when, read or unread, and the ids "
    "of what each is about.",
)
def list_notifications(
    client: HaiiloClient, page: PageNumber | None = None, page_size: PageSize | None = None
) -> Document:
    """Requirement 9.1, 9.2: ``GET /api/notifications``."""
    data = client.ask(NOTIFICATIONS, params=paging(page, page_size))
    return listing("Notifications", read_page(data), _notification)


@tool(
    "Notification_GetStatus",
    title="Unseen notifications",
    annotations=READ,
    description="Get the number of unseen notifications, in all and by category.",
)
def get_status(client: HaiiloClient) -> Document:
    """Requirement 9.3: ``GET /api/notifications/status``."""
    status = mapping(client.request("GET", "/api/notifications/status"))
    unseen, unclicked = mapping(status.get("unseen")), mapping(status.get("unclicked"))
    total = whole(unseen.get("_total"))
    if total is None:
        total = whole(status.get("unseen"))
    head = "Unseen notifications" if total is None else f"Unseen notifications: {total}"
    return Document(head, list(filter(None, (_counts("unseen", unseen), _counts("unread", unclicked)))))


@tool(
    "Notification_MarkSeen",
    title="Mark notifications seen",
    annotations=SET,
    description="Mark all of the user's notifications as seen.",
)
def mark_seen(client: HaiiloClient) -> Document:
    """Requirement 9.4: ``PUT /api/notifications/mark-seen``."""
    client.ask(MARK_SEEN)
    return Document("All notifications are marked as seen; each stays unread until it is opened.")


def _type_of(target: Entity) -> str | None:
    """Return the type that a deep link leads to; the platform writes one of them with an underscore."""
    name = text(target.get("name"))
    return name.replace("_", "-") if name else None


def _counts(label: str, counts: Mapping[str, Any]) -> str:
    named = {one_line(f"{label}, {words(key)}"): whole(n) for key, n in counts.items() if key != "_total"}
    return labelled(named.items())


def _notification(entity: Entity) -> tuple[str, Pairs]:
    target, params = mapping(entity.get("target")), target_params(entity)
    clicked = entity.get("clicked")
    return sentence(entity), [
        ("id", entity.get("id")),
        ("state", None if not isinstance(clicked, bool) else "read" if clicked else "unread"),
        ("category", words(entity.get("category"))),
        ("created", moment(entity.get("created"))),
        ("author", who(entity.get("author"))),
        ("about", _type_of(target) or type_name(entity)),
        ("about id", params.get("id")),
        ("appId", params.get("appId")),
        ("senderId", params.get("senderId")),
        ("slug", params.get("slug")),
        ("excerpt", excerpt(entity.get("excerpt"))),
    ]
