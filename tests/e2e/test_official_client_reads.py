"""The official client lists the specification's tools and reads; what it reads leads on."""

from __future__ import annotations

from collections.abc import Iterator

import mcp
import pytest

from dbplanet.sandbox import entity_id
from e2e.official import MODES, Agent, agent_in
from e2e.tenants import Tenant
from e2e.wire import Server
from support.inventory import INVENTORY

ARTICLE = entity_id("blog-article/brueckenprogramm")
NEWS = entity_id("app/infrastruktur/news")
PAGE = entity_id("page/infrastruktur")
WORKSPACE = entity_id("workspace/brueckenbau")
EVENT = entity_id("event/brueckentag-ruhr")
ANNA, JONAS = entity_id("user/anna.schmidt"), entity_id("user/jonas.weiss")

# tool, arguments, what the answer must show: the ids that the next call needs, and what was asked for
READS = [
    ("Search_FullText", {"query": "Brücke"}, [f"id: {ARTICLE}", f"appId: {NEWS}", f"senderId: {PAGE}"]),
    ("Search_FullText", {"query": "Brücke", "pageSize": 2}, ["1–2 of ", "page=1"]),
    ("Search_QuickEntity", {"query": "brück"}, [f"id: {WORKSPACE}", "type: workspace", f"id: {EVENT}"]),
    (
        "Search_Grouped",
        {"query": "Brücke"},
        ["## blog-article", "## event", f"id: {ARTICLE}", f"appId: {NEWS}"],
    ),
    ("Workspace_List", {"pageSize": 1000}, [f"id: {WORKSPACE}", "Brückenbau & Tunnel", "visibility: public"]),
    (
        "Workspace_Get",
        {"id": "brueckenbau"},
        [f"id: {WORKSPACE}", "my membership: ", "Austausch über Brücken"],
    ),
    ("Workspace_GetMembers", {"id": WORKSPACE}, [f"id: {JONAS}", "Jonas Weiß", "role: admin"]),
    (
        "News_GetFeed",
        {},
        [f"id: {ARTICLE}", f"appId: {NEWS}", f"senderId: {PAGE}", "author: ", "published: "],
    ),
    ("People_GetMe", {}, [f"id: {ANNA}", "Anna Schmidt", "time zone: Europe/Berlin"]),
    ("People_List", {"page": 1, "pageSize": 2}, ["3–4 of ", "page=2", "id: "]),
    ("People_Search", {"query": "Weiß"}, [f"id: {JONAS}", "Jonas Weiß", "job title: "]),
    ("Event_Get", {"id": EVENT}, [f"id: {EVENT}", "start: ", "Ruhrbrücke, Duisburg", "Europe/Berlin"]),
    ("Event_GetMemberships", {"id": EVENT}, [f"id: {JONAS}", "status: attending", "status: maybe attending"]),
    ("Social_GetComments", {"targetId": ARTICLE}, ["Mehmet Yıldız", "id: ", "created: ", "Endlich!"]),
    (
        "Social_GetLikes",
        {"targetType": "blog-article", "targetId": ARTICLE},
        ["likes: ", "liked by the user: no"],
    ),
    ("Notification_List", {}, ["state: unread", "state: read", f"about id: {EVENT}", f"appId: {NEWS}"]),
    ("Notification_GetStatus", {}, ["Unseen notifications: "]),
    ("Page_List", {"pageSize": 1000}, [f"id: {PAGE}", "slug: infrastruktur", NEWS]),
    ("Page_Get", {"id": "infrastruktur"}, [f"id: {PAGE}", "Gleise, Weichen", NEWS]),
    ("Page_GetMembers", {"id": PAGE}, [JONAS]),
    (
        "Content_GetFull",
        {"contentId": ARTICLE, "contentType": "blog-article", "appId": NEWS, "senderId": PAGE},
        ["Das Brückenprogramm geht in die nächste Runde", "| Ruhrbrücke Duisburg | 148 m | 32 Mio. € |"],
    ),
]
WRITES = {
    *("Workspace_Join", "Workspace_Create", "Event_UpdateStatus", "Event_Create", "Social_PostComment"),
    *("Social_ToggleLike", "Notification_MarkSeen", "Page_Create"),
}


@pytest.fixture(scope="module", params=MODES)
def agent(request: pytest.FixtureRequest, server: Server, tenants: tuple[Tenant, Tenant]) -> Iterator[Agent]:
    with agent_in(request.param, server.url, tenants[0].headers()) as connected:
        yield connected


@pytest.mark.parametrize(
    ("mode", "version"), [("auto", "2026-07-28"), ("legacy", "2025-11-25"), ("2026-07-28", "2026-07-28")]
)
def test_each_mode_agrees_on_its_revision(server: Server, tenant: Tenant, mode: str, version: str):
    with agent_in(mode, server.url, tenant.headers()) as agent:
        assert agent.client.protocol_version == version
        if mode != "2026-07-28":  # a pinned client asks for nothing before its first call
            assert agent.client.server_info.name == "DBPlanet-MCP-Server"
            assert "Content_GetFull" in (agent.client.instructions or "")


def test_exactly_the_28_tools_of_the_specification_are_listed(agent: Agent):
    tools = agent.tools()
    assert [tool.name for tool in tools] == INVENTORY
    assert all(tool.description and tool.annotations for tool in tools)
    assert {tool.name for tool in tools if not tool.annotations.read_only_hint} == WRITES


def test_every_tool_is_called_in_these_modules():
    assert {tool for tool, _, _ in READS} | WRITES == set(INVENTORY)


@pytest.mark.parametrize(("tool", "arguments", "shown"), READS)
def test_a_read_shows_what_was_asked_for_and_the_ids_that_lead_on(
    agent: Agent, tool: str, arguments: dict[str, str], shown: list[str]
):
    text = agent.call(tool, **arguments).text
    assert [part for part in shown if part not in text] == []


@pytest.mark.parametrize(
    ("tool", "arguments", "first_line"),
    [
        ("Event_Get", {"id": "no-such-event"}, "[404] The requested resource was not found."),
        ("Event_Get", {}, "[400] Invalid arguments: id: is required"),
        ("Search_FullText", {"query": "x", "page": "1,000"}, "[400] Invalid arguments: page: '1,000' "),
        ("Workspace_Get", {"id": ".."}, "[400] Invalid arguments: id: '..' "),
        ("People_GetMe", {"verbose": True}, "[400] Invalid arguments: verbose: "),
        (
            "Content_GetFull",
            {"contentId": "x", "contentType": "file"},
            "[400] Unsupported content type 'file'",
        ),
        (
            "Event_UpdateStatus",
            {"id": "x", "status": "perhaps"},
            "[400] Invalid arguments: status: 'perhaps' ",
        ),
    ],
)
def test_a_failure_is_a_result_that_says_so(
    agent: Agent, tool: str, arguments: dict[str, object], first_line: str
):
    result = agent.attempt(tool, **arguments)
    assert result.is_error
    assert result.first_line.startswith(first_line)


def test_an_unknown_tool_is_a_protocol_error(agent: Agent):
    with pytest.raises(mcp.MCPError, match="Unknown tool: Search_Everything"):
        agent.attempt("Search_Everything")
