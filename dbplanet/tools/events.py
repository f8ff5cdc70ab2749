"""Events (Requirement 7)."""

from __future__ import annotations

from typing import Annotated, Any, Final
from zoneinfo import ZoneInfo

from pydantic import AfterValidator, Field

from dbplanet.haiilo.client import HaiiloClient
from dbplanet.haiilo.dates import check_iso, check_order, event_fields, zone_of
from dbplanet.haiilo.errors import StatusError
from dbplanet.haiilo.generations import ANSWER
from dbplanet.haiilo.paths import segment
from dbplanet.haiilo.shapes import (
    Entity,
    entity_id,
    first_text,
    local_moment,
    mapping,
    read_page,
    whole,
    words,
    yes_or_no,
)
from dbplanet.mcp.arguments import Text, show
from dbplanet.mcp.errors import ToolError
from dbplanet.mcp.tools import ADD, READ, SET, tool
from dbplanet.text.layout import Document, labelled, one_line
from dbplanet.tools.parameters import FilledText, Id, PageNumber, PageSize, given, paging
from dbplanet.tools.present import Pairs, details, listing, member, name_of, who

EventId = Annotated[Id, Field(alias="id", description="Event ID")]
EventTime = Annotated[Text, AfterValidator(check_iso)]

# What people and the platform call an answer → the platform's word (API §4.7).
STATUSES: Final = {
    "accepted": "ATTENDING",
    "declined": "NOT_ATTENDING",
    "tentative": "MAYBE_ATTENDING",
    "yes": "ATTENDING",
    "no": "NOT_ATTENDING",
    "maybe": "MAYBE_ATTENDING",
    "attending": "ATTENDING",
    "not_attending": "NOT_ATTENDING",
    "maybe_attending": "MAYBE_ATTENDING",
}
_MAYBE: Final = "MAYBE_ATTENDING"


@tool(
    "Event_Get",
    title="Event details",
    annotations=READ,
    description="Get one event: title, description, start and end, location, host and the user's own answer.",
)
def get_event(client: HaiiloClient, event_id: EventId) -> Document:
    """Requirement 7.1: ``GET /api/events/{id}``."""
    found = mapping(client.request("GET", f"/api/events/{segment(event_id)}"))
    zone = zone_of(client.me())
    return details("Event", found, lambda entity: _event(entity, zone))


@tool(
    "Event_GetMemberships",
    title="Event participants",
    annotations=READ,
    description="List who is invited to an event and their answers (attending, maybe attending, "
    "not attending, pending).",
)
def get_memberships(
    client: HaiiloClient,
    event_id: EventId,
    page: PageNumber | None = None,
    page_size: PageSize | None = None,
) -> Document:
    """Requirement 7.2: ``GET /api/events/{id}/memberships``."""
    path = f"/api/events/{segment(event_id)}/memberships"
    data = client.request("GET", path, paging(page, page_size))
    return listing("Participants of the event", read_page(data), member)


@tool(
    "Event_UpdateStatus",
    title="Answer an invitation",
    annotations=SET,
    description="Set the signed-in user's attendance of an event.",
)
def update_status(
    client: HaiiloClient,
    event_id: EventId,
    status: Annotated[
        Text, Field(description="Attendance status: accepted, declined or tentative (or yes, no, maybe)")
    ],
) -> Document:
    """Requirement 7.3: ``PUT /api/events/{id}/memberships/status`` with the platform's word."""
    word = STATUSES.get(status.strip().lower().replace(" ", "_").replace("-", "_"))
    if word is None:
        allowed = ", ".join((*STATUSES, *dict.fromkeys(STATUSES.values())))
        raise ToolError(400, f"Invalid arguments: status: {show(status)} is not one of {allowed}")
    try:
        answer = mapping(client.ask(ANSWER, event_id, data={"status": word}))
    except StatusError as error:
        if word == _MAYBE and error.status == 400 and _blames_status(error):
            raise ToolError(
                400, "This event wants a definite answer.", "Answer accepted or declined."
            ) from None
        raise
    now = one_line(words(answer.get("status")) or words(word))
    return Document(f"Your answer to the event is now: {now}.", [labelled([("event", event_id)])])


@tool(
    "Event_Create",
    title="Create an event",
    annotations=ADD,
    description="Create an event hosted by the signed-in user. Returns its id. Times without a zone are the "
    "user's local time; two plain dates make a full-day event.",
)
def create(
    client: HaiiloClient,
    title: Annotated[FilledText, Field(description="Event title", max_length=255)],
    start_date: Annotated[EventTime, Field(description="Start date/time in ISO 8601 format")],
    end_date: Annotated[EventTime, Field(description="End date/time in ISO 8601 format, after the start")],
    description: Annotated[Text, Field(description="Event description")] | None = None,
    location: Annotated[Text, Field(description="Event location", max_length=255)] | None = None,
) -> Document:
    """Requirement 7.4: ``POST /api/events``, whose answer some tenants wrap in ``event``."""
    try:
        check_order(start_date, end_date)
    except ValueError as fault:
        raise ToolError(400, f"Invalid arguments: endDate: {show(end_date)} {fault}") from None
    me = client.me()
    zone = zone_of(me)
    nobody: dict[str, Any] = {key: [] for key in ("adminIds", "adminGroupIds", "memberIds", "memberGroupIds")}
    data = {"name": title, **event_fields(start_date, end_date, zone), **nobody}
    optional = given(place=location, description=description, senderId=entity_id(me))
    answer = mapping(client.request("POST", "/api/events", data=data | optional))
    created = {"displayName": title, **data, **optional, **mapping(answer.get("event", answer))}
    return details("Event created", created, lambda entity: _event(entity, zone))


def _blames_status(error: StatusError) -> bool:
    faults = read_page(mapping(error.body).get("fieldErrors")).items
    return any(fault.get("key") == "status" for fault in faults)


def _when(entity: Entity, name: str, zone: ZoneInfo) -> str | None:
    """Return a time with its zone, or the day alone: the time of a full-day event means nothing."""
    moment = local_moment(entity.get(name), zone)
    return moment[:10] if moment and entity.get("fullDay") is True else moment


def _event(entity: Entity, zone: ZoneInfo) -> tuple[str, Pairs]:
    host = mapping(entity.get("sender"))
    return name_of(entity), [
        ("id", entity_id(entity)),
        ("slug", entity.get("slug")),
        ("start", _when(entity, "startDate", zone)),
        ("end", _when(entity, "endDate", zone)),
        ("full day", yes_or_no(entity.get("fullDay"))),
        ("location", first_text(entity.get("place"), entity.get("location"))),
        ("host", who(host) if host else None),
        ("my answer", words(entity.get("status"))),
        ("participants", whole(entity.get("memberCount"))),
        ("definite answer wanted", yes_or_no(entity.get("requestDefiniteAnswer"))),
        ("public", yes_or_no(entity.get("public"))),
    ]
