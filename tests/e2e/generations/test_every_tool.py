"""All 28 tools work on tenants of every generation, with the arguments of the specification."""

from __future__ import annotations

from typing import Any

import pytest

from dbplanet.sandbox import entity_id
from dbplanet.sandbox.profiles import PROFILES
from dbplanet.tools import ALL_TOOLS
from e2e.tenants import JONAS as JONAS_HIMSELF
from e2e.tenants import ME, TOKEN, Tenant
from e2e.wire import Server

ARTICLE = entity_id("blog-article/brueckenprogramm")
NEWS = entity_id("app/infrastruktur/news")
PAGE = entity_id("page/infrastruktur")
DOSSIER = entity_id("app/startseite/fahrplan")
WORKSPACE = entity_id("workspace/brueckenbau")
WIKI, WIKI_ARTICLE = entity_id("app/brueckenbau/wissen"), entity_id("wiki-article/brueckenpruefung")
EVENT = entity_id("event/brueckentag-ruhr")
POST = entity_id("timeline-item/bruecke-gesperrt")
ANNA, JONAS = entity_id("user/anna.schmidt"), entity_id("user/jonas.weiss")

LIKED = {"targetType": "blog-article", "targetId": ARTICLE}
BRIDGE = {"contentId": ARTICLE, "contentType": "blog-article", "appId": NEWS}

# tool, arguments, what the answer must show
CALLS: list[tuple[str, dict[str, Any], list[str]]] = [
    ("Search_FullText", {"query": "Brücke"}, [f"id: {ARTICLE}", f"appId: {NEWS}", "Brücke**"]),
    (
        "Search_FullText",
        {"query": "Brücke", "page": 1, "pageSize": 2},
        ["3–4 of ", "Next page: page=2, pageSize=2."],
    ),
    ("Search_FullText", {"query": "Brücke", "type": "event"}, [f"id: {EVENT}", "1–1 of 1."]),
    ("Search_QuickEntity", {"query": "Weiß"}, [f"id: {JONAS}"]),
    (
        "Search_Grouped",
        {"query": "Brücke"},
        ["## blog-article: 1–3 of ", "## event: 1–1 of 1", f"id: {EVENT}"],
    ),
    ("Workspace_List", {"pageSize": 1000}, [f"id: {WORKSPACE}", "visibility: public"]),
    ("Workspace_Get", {"id": "brueckenbau"}, [f"id: {WORKSPACE}", "my membership: none"]),
    ("Workspace_GetMembers", {"id": WORKSPACE}, [f"id: {JONAS}", "role: admin"]),
    ("Workspace_Join", {"id": WORKSPACE}, ["You are now a member", "my membership: approved"]),
    (
        "Workspace_Create",
        {"name": "Weichenwärter", "description": "Nur Weichen"},
        ["id: ", "slug: weichenwarter"],
    ),
    ("News_GetFeed", {}, ["News: 1–", "Fahrplanwechsel", "appId: ", "senderId: ", "author: ", "in: "]),
    ("News_GetFeed", {"page": 1, "pageSize": 3}, ["News: 4–6 of ", "page=2"]),
    ("People_GetMe", {}, [f"id: {ANNA}", "department: ", "location: ", "email: "]),
    ("People_List", {"pageSize": 2}, ["People: 1–2 of ", "job title: "]),
    ("People_Search", {"query": "Weiß"}, [f"id: {JONAS}", "job title: ", "department: "]),
    ("Event_Get", {"id": EVENT}, [f"id: {EVENT}", "(Europe/Berlin)", "location: Ruhrbrücke, Duisburg"]),
    ("Event_GetMemberships", {"id": EVENT}, [f"id: {JONAS}", "status: attending"]),
    (
        "Event_UpdateStatus",
        {"id": EVENT, "status": "accepted"},
        ["Your answer to the event is now: attending."],
    ),
    (
        "Event_Create",
        {"title": "Weichentag", "startDate": "2031-05-01T09:00", "endDate": "2031-05-01T10:00"},
        ["Event created: Weichentag", "start: 2031-05-01T09:00:00+02:00 (Europe/Berlin)"],
    ),
    ("Social_GetComments", {"targetId": ARTICLE}, ["Comments: 1–3 of 3", "Mehmet Yıldız", "Endlich!"]),
    ("Social_GetComments", {"targetId": POST, "targetType": "timeline-item"}, ["Ersatzverkehr"]),
    (
        "Social_PostComment",
        {"targetId": WIKI_ARTICLE, "targetType": "wiki-article", "body": "Danke!"},
        ["comment id: "],
    ),
    ("Social_GetLikes", LIKED, ["likes: 5", "liked by the user: no", "latest: Felix Baumgärtner"]),
    (
        "Notification_List",
        {},
        ["Notifications: 1–7 of 7.", "Yuki Tanaka follows you", "Jürgen Müller mentioned you in a post"],
    ),
    ("Notification_List", {"page": 1, "pageSize": 3}, ["Notifications: 4–6 of 7.", "page=2"]),
    ("Notification_GetStatus", {}, ["Unseen notifications: "]),
    ("Notification_MarkSeen", {}, ["All notifications are marked as seen"]),
    ("Page_List", {"pageSize": 1000}, [f"id: {PAGE}", "slug: infrastruktur", "visibility: public"]),
    ("Page_Get", {"id": "infrastruktur"}, [f"id: {PAGE}", "Gleise, Weichen"]),
    ("Page_GetMembers", {"id": PAGE}, [JONAS]),
    ("Page_Create", {"title": "Weichen", "content": "Alles über Weichen"}, ["Page created: Weichen"]),
    ("Content_GetFull", BRIDGE, ["2.000 Brücken in zehn", "| Ruhrbrücke Duisburg | 148 m | 32 Mio. € |"]),
    (
        "Content_GetFull",
        {**BRIDGE, "senderId": PAGE},
        [
            "blog-article: Das Brückenprogramm geht in die nächste Runde",
            f"in: page infrastruktur (id {PAGE})",
            "author: ",
            "published: ",
            f"/pages/infrastruktur/apps/blog/{NEWS}/view/{ARTICLE}",
        ],
    ),
    (
        "Content_GetFull",
        {"contentId": WIKI_ARTICLE, "contentType": "wiki-article", "appId": WIKI, "senderId": WORKSPACE},
        [f"/workspaces/brueckenbau/apps/wiki/{WIKI}/list/view/{WIKI_ARTICLE}", "end of part 1 of 1"],
    ),
    (
        "Content_GetFull",
        {"contentId": "startseite", "contentType": "page"},
        ["Guten Tag und willkommen", "# Fahrplan-Dossier", "News\n   app: blog\n   id: "],
    ),
    (
        "Content_GetFull",
        {"contentId": "x", "slug": "brueckenbau", "contentType": "workspace"},
        ["Austausch über Brücken", "/workspaces/brueckenbau"],
    ),
    ("Content_GetFull", {"contentId": DOSSIER, "contentType": "app"}, ["Alles zum Fahrplanwechsel"]),
    ("Content_GetFull", {"contentId": POST, "contentType": "timeline-item"}, ["**Achtung Pendler:**"]),
]
# What a generation lacks: the answer is an error that says so and what to use in its place.
LACKING = [
    (
        "modern",
        "Social_ToggleLike",
        {**LIKED, "userId": ANNA},
        ["[404] This DB Planet has reactions in place of likes", "Social_GetLikes shows the reactions"],
    ),
    (
        "modern",
        "Social_PostComment",
        {"targetId": ARTICLE, "body": "Danke!"},
        ["[400] Invalid arguments: targetType: is required by this DB Planet", "blog-article, timeline-item"],
    ),
    (
        "classic",
        "Content_GetFull",
        {"contentId": WIKI_ARTICLE, "contentType": "wiki-article", "appId": WIKI},
        ["[404] ", "Pass senderId"],
    ),
]
# tool → the one request that it costs a tenant once its form is known
ONE_REQUEST: dict[tuple[str, str], str] = {
    ("classic", "Search_QuickEntity"): "GET /api/senders/search",
    ("classic", "Search_Grouped"): "GET /api/search",
    ("classic", "People_Search"): "GET /api/users",
    ("classic", "Workspace_Join"): f"PUT /api/workspaces/{WORKSPACE}/users/join",
    ("classic", "Event_UpdateStatus"): f"PUT /api/events/{EVENT}/status",
    ("classic", "Content_GetFull"): f"GET /api/widget-layouts/app-blog-{NEWS}-{ARTICLE}",
    ("modern", "Search_FullText"): "GET /api/global-search",
    ("modern", "Search_Grouped"): "GET /api/global-search",
    ("modern", "Social_GetLikes"): f"GET /api/reaction-targets/blog-article/{ARTICLE}/reactions",
    ("modern", "Content_GetFull"): f"GET /web/blog-article/{ARTICLE}/widgets/app-blog-{NEWS}-{ARTICLE}",
}
FIRST_ARGUMENTS = {tool: arguments for tool, arguments, _ in reversed(CALLS)}


def test_every_tool_is_called_here():
    assert {tool for tool, _, _ in CALLS} | {"Social_ToggleLike"} == {tool.name for tool in ALL_TOOLS}


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize(("tool", "arguments", "shown"), CALLS)
def test_a_tool_succeeds_on_every_generation(
    one_server: Server, tenant: Tenant, tool: str, arguments: dict[str, Any], shown: list[str]
):
    result = one_server.call(tool, arguments, tenant.headers())
    assert not result.is_error, result.text
    assert [part for part in shown if part not in result.text] == [], result.text


@pytest.mark.parametrize("profile", ["spec", "classic"])
def test_a_like_is_set_and_taken_back(one_server: Server, tenant: Tenant):
    target = {"targetType": "timeline-item", "targetId": POST, "userId": ANNA}
    for state in ("yes", "no"):
        assert (
            one_server.call("Social_ToggleLike", target, tenant.headers()).field("liked by the user") == state
        )


@pytest.mark.parametrize(("profile", "tool", "arguments", "shown"), LACKING)
def test_what_a_generation_lacks_is_said_with_what_to_use(
    one_server: Server, tenant: Tenant, tool: str, arguments: dict[str, Any], shown: list[str]
):
    result = one_server.call(tool, arguments, tenant.headers())
    assert result.is_error
    assert [part for part in shown if part not in result.text] == [], result.text


@pytest.mark.parametrize(("profile", "tool"), ONE_REQUEST)
def test_another_form_is_looked_for_once(one_server: Server, tenant: Tenant, profile: str, tool: str):
    wanted = ONE_REQUEST[profile, tool]
    one_server.call(tool, FIRST_ARGUMENTS[tool], tenant.headers())
    tenant.reset()
    # another person is another client, and profits from what the first one found
    result = one_server.call(tool, FIRST_ARGUMENTS[tool], tenant.headers(JONAS_HIMSELF))
    assert not result.is_error
    assert [line for line in tenant.lines() if line not in (TOKEN, ME)] == [wanted]


@pytest.mark.parametrize("profile", ["spec"])
@pytest.mark.parametrize("tool", sorted({tool for tool, _, _ in CALLS}))
def test_the_generation_of_the_specification_costs_nothing(one_server: Server, tenant: Tenant, tool: str):
    one_server.call(tool, FIRST_ARGUMENTS[tool], tenant.headers())
    assert not [seen for seen in tenant.journal() if seen.status in (404, 405)]
    asked = [line for line in tenant.lines() if line != TOKEN]
    assert len([line for line in asked if line != ME] or asked) == 1
