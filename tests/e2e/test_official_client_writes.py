"""What the official client writes is there in the next read."""

from __future__ import annotations

import uuid
from collections.abc import Iterator

import pytest

from dbplanet.sandbox import entity_id
from e2e.official import MODES, Agent, agent_in
from e2e.tenants import JONAS, Tenant
from e2e.wire import Server

ANNA = entity_id("user/anna.schmidt")
EVENT = entity_id("event/brueckentag-ruhr")
POST = entity_id("timeline-item/bruecke-gesperrt")
ARTICLE = entity_id("blog-article/brueckenprogramm")  # Anna wrote it


@pytest.fixture(scope="module", params=MODES)
def agent(request: pytest.FixtureRequest, server: Server, tenants: tuple[Tenant, Tenant]) -> Iterator[Agent]:
    """Anna's agent."""
    with agent_in(request.param, server.url, tenants[0].headers()) as connected:
        yield connected


@pytest.fixture(scope="module")
def colleague(server: Server, tenants: tuple[Tenant, Tenant]) -> Iterator[Agent]:
    """Jonas's agent."""
    with agent_in("auto", server.url, tenants[0].headers(JONAS)) as connected:
        yield connected


def unique(words: str) -> str:
    """Return a name that no earlier test took."""
    return f"{words} {uuid.uuid4().hex[:12]}"


def test_a_created_workspace_is_in_the_list_and_belongs_to_its_creator(agent: Agent):
    name = unique("Gleisbaugeräte")
    made = agent.call("Workspace_Create", name=name, description="Stopfen & Richten")
    listed = {item["title"]: item for item in agent.call("Workspace_List", pageSize=1000).items()}
    assert listed[name]["id"] == made.field("id")
    assert listed[name]["visibility"] == "private"
    assert listed[name]["description"] == "Stopfen & Richten"
    (member,) = agent.call("Workspace_GetMembers", id=made.field("id")).items()
    assert (member["id"], member["role"]) == (ANNA, "admin")


@pytest.mark.parametrize(
    ("visibility", "head", "membership"),
    [
        ("public", "You are now a member of the workspace.", "approved"),
        ("protected", "Membership requested; an admin of the workspace decides.", "requested"),
    ],
)
def test_joining_a_workspace_makes_a_member_or_a_request(
    agent: Agent, colleague: Agent, visibility: str, head: str, membership: str
):
    made = colleague.call("Workspace_Create", name=unique("Oberleitung"), visibility=visibility).field("id")
    assert agent.call("Workspace_Get", id=made).field("my membership") == "none"
    joined = agent.call("Workspace_Join", id=made)
    assert joined.first_line == head
    assert agent.call("Workspace_Get", id=made).field("my membership") == membership
    members = {item["id"] for item in agent.call("Workspace_GetMembers", id=made).items()}
    assert (ANNA in members) == (membership == "approved")
    assert agent.call("Workspace_Join", id=made).field("my membership") == membership


def test_an_answer_to_an_invitation_shows_in_the_event_and_among_its_participants(agent: Agent):
    for status, shown in (
        ("accepted", "attending"),
        ("declined", "not attending"),
        ("tentative", "maybe attending"),
        ("yes", "attending"),
        ("NOT_ATTENDING", "not attending"),
    ):
        changed = agent.call("Event_UpdateStatus", id=EVENT, status=status)
        assert shown in changed.first_line
        assert agent.call("Event_Get", id=EVENT).field("my answer") == shown
        people = {item["id"]: item for item in agent.call("Event_GetMemberships", id=EVENT).items()}
        assert people[ANNA]["status"] == shown


def test_a_created_event_is_read_back_in_local_time(agent: Agent):
    title = unique("Schotterkunde")
    made = agent.call(
        "Event_Create",
        title=title,
        startDate="2031-07-01T08:00:00Z",
        endDate="2031-07-01T09:30:00Z",
        location="Köln-Nippes",
        description="Korngröße **31,5/63**",
    )
    event = agent.call("Event_Get", id=made.field("id"))
    assert title in event.first_line
    assert event.field("start") == "2031-07-01T10:00:00+02:00 (Europe/Berlin)"
    assert event.field("end") == "2031-07-01T11:30:00+02:00 (Europe/Berlin)"
    assert event.field("location") == "Köln-Nippes"
    assert event.field("my answer") == "attending"
    assert "31,5/63" in event.text


def test_an_event_that_ends_before_it_starts_is_refused_before_any_request(agent: Agent, tenant: Tenant):
    refused = agent.attempt(
        "Event_Create", title="x", startDate="2031-07-01T09:00", endDate="2031-07-01T08:00"
    )
    assert refused.is_error
    assert refused.first_line.startswith("[400] Invalid arguments: endDate: ")
    assert tenant.journal() == []


def test_a_comment_is_among_the_comments(agent: Agent):
    words = unique("Fährt der Ersatzverkehr „auch nachts“? 🚌")
    posted = agent.call("Social_PostComment", targetId=POST, body=words)
    comments = agent.call("Social_GetComments", targetId=POST, pageSize=1000)
    (mine,) = [item for item in comments.items() if item["id"] == posted.field("comment id")]
    assert mine["title"].startswith("Anna Schmidt")
    assert words in comments.text


def test_a_like_toggled_twice_is_as_before(agent: Agent):
    target = {"targetType": "timeline-item", "targetId": POST}

    def liked() -> tuple[str, str]:
        likes = agent.call("Social_GetLikes", **target)
        return likes.field("likes"), likes.field("liked by the user")

    assert liked() == ("1", "no")
    assert agent.call("Social_ToggleLike", **target, userId=ANNA).first_line == "The like is set."
    assert liked() == ("2", "yes")
    assert agent.call("Social_ToggleLike", **target, userId=ANNA).first_line == "The like is removed."
    assert liked() == ("1", "no")


def test_a_created_page_is_found_by_id_by_slug_and_in_the_list(agent: Agent):
    title = unique("Weichenpflege")
    made = agent.call("Page_Create", title=title, content="Ölen, nicht fetten.")
    for key in ("id", "slug"):
        page = agent.call("Page_Get", id=made.field(key))
        assert title in page.first_line
        assert "Ölen, nicht fetten." in page.text
    assert made.field("id") in {item["id"] for item in agent.call("Page_List", pageSize=1000).items()}
    assert ANNA in agent.call("Page_GetMembers", id=made.field("id")).field("admins (user ids)")


def test_a_taken_name_is_told_as_such(agent: Agent):
    refused = agent.attempt("Page_Create", title="Infrastruktur")
    assert refused.first_line == "[409] Error: 409 - Conflict"
    assert "The name is taken. (NAME_TAKEN)" in refused.text


def test_marking_notifications_seen_leaves_none_unseen(agent: Agent, colleague: Agent):
    colleague.call("Social_PostComment", targetId=ARTICLE, body=unique("Wann geht es weiter?"))
    before = agent.call("Notification_GetStatus").first_line
    assert before.startswith("Unseen notifications: ")
    assert before != "Unseen notifications: 0"
    agent.call("Notification_MarkSeen")
    assert agent.call("Notification_GetStatus").first_line == "Unseen notifications: 0"
