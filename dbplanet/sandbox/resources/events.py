"""Events: details, participants, one's own answer, creating one."""

from __future__ import annotations

import re
import uuid
from datetime import datetime

from flask import request
from flask.typing import ResponseReturnValue

from dbplanet.sandbox.clock import LOCAL_FORMAT, local_now, local_string, now_ms
from dbplanet.sandbox.context import json_body, store, viewer, visible
from dbplanet.sandbox.documents import event
from dbplanet.sandbox.errors import ApiError, forbidden, invalid
from dbplanet.sandbox.folding import fold
from dbplanet.sandbox.paging import inner_query, page_of, wanted
from dbplanet.sandbox.store import Document
from dbplanet.sandbox.views import card, present

from .memberships import add_with_members, form, free_slug, require, require_choice, require_name, user_ids

_FIELDS = ("description", "place", "fullDay", "public", "showParticipants", "requestDefiniteAnswer")
_STATUSES = ("ATTENDING", "MAYBE_ATTENDING", "NOT_ATTENDING")
_LOCAL_DATE = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d")


def _started(found: Document) -> bool:
    return bool(found["startDate"] < local_string(local_now()))


def listing() -> Document:
    """Answer ``GET /events``: those that end between ``from`` (default now) and start before ``to``."""
    viewer().require("ACCESS_EVENTS")
    since = request.args.get("from", local_string(local_now()))
    until = request.args.get("to", "9999")
    term = fold(request.args.get("term", ""))
    filters = inner_query("filters")
    found = [
        found
        for found in store().documents("event")
        if viewer().sees(found)
        and found["endDate"] >= since
        and found["startDate"] <= until
        and term in fold(f"{found['name']} {found['description']}")
        and wanted(filters, "sender", found["_sender"])
    ]
    return page_of(sorted(found, key=lambda item: str(item["startDate"])), present)


def get(event_id: str) -> Document:
    """Answer ``GET /events/{idOrSlug}``; ``status`` is one's own."""
    return present(visible("event", event_id))


def _participant(row: Document) -> Document:
    shown = card(row["user"]) or {}
    keys = ("displayName", "slug", "imageUrls")
    return {
        "userId": row["user"],
        **{key: shown.get(key) for key in keys},
        "role": row["role"],
        "status": row["status"],
    }


def memberships(event_id: str) -> Document:
    """Answer ``GET /events/{idOrSlug}/memberships``: flattened user cards; 403 where they are hidden."""
    found = visible("event", event_id)
    if not found["showParticipants"] and not viewer().manages(found):
        raise forbidden("The participants of this event are not shown.")
    filters = inner_query("filters")
    rows = [dict(row) for row in store().members(found["id"])]
    return page_of([row for row in rows if wanted(filters, "status", row["status"])], _participant)


def answer(event_id: str) -> Document:
    """Answer ``PUT …/memberships/status`` with ``{status}``: returns one's own card.

    400 ``EVENT_ALREADY_STARTED`` after the start; MAYBE_ATTENDING is refused with ``requestDefiniteAnswer``.
    """
    found = visible("event", event_id)
    status = require_choice(json_body(), "status", _STATUSES)
    if _started(found):
        context = {"eventName": found["displayName"]}
        raise ApiError(400, "EVENT_ALREADY_STARTED", "The event has already started.", context=context)
    if status == "MAYBE_ATTENDING" and found["requestDefiniteAnswer"]:
        raise invalid(status="Invalid")
    role, _ = store().membership(found["id"], viewer().id) or ("USER", "")
    store().set_membership(found["id"], viewer().id, role=role, status=status)
    return _participant({"user": viewer().id, "role": role, "status": status})


def _local_date(body: Document, field: str) -> str:
    text = body.get(field)
    if text is None:
        raise invalid(**{field: "NotNull"})
    if not isinstance(text, str) or not _LOCAL_DATE.fullmatch(text):
        raise invalid(**{field: "typeMismatch"})
    try:
        datetime.strptime(text, LOCAL_FORMAT)  # noqa: DTZ007 - event dates have no zone
    except ValueError:
        raise invalid(**{field: "typeMismatch"}) from None
    return text


def _checked(body: Document) -> Document:
    """Return the fields of a new event; 400 for what the form requires."""
    given = form(body, *_FIELDS) | {"name": require_name(body)}
    given |= {field: _local_date(body, field) for field in ("startDate", "endDate")}
    require(body, "senderId")
    if given["endDate"] <= given["startDate"]:
        raise invalid(endDate="AfterStartDate")
    return given


def create() -> ResponseReturnValue:
    """Answer ``POST /events`` with ``{event: {…}}``, wrapped as the real API wraps it."""
    viewer().require("CREATE_EVENT")
    body = json_body()
    given, host = _checked(body), str(body["senderId"])
    if not viewer().acts_as(host):
        raise forbidden("One may host an event only as oneself or as a page or workspace one manages.")
    admins, members = [viewer().id, *user_ids(body, "adminIds")], user_ids(body, "memberIds")
    with store().transaction():
        slug = free_slug("event", given["name"])
        created = event(str(uuid.uuid4()), slug, given, host=host, created=now_ms())
        add_with_members(created, admins, members, own="ATTENDING", others="PENDING")
    return {"event": present(created)}, 201
