"""What reaches the tenant: the specification's method, path and parameters, and nothing else.

Besides it only the token, and the signed-in user's profile at most once per client (design.md §5).
"""

from __future__ import annotations

import uuid
from typing import Any

import pytest

from dbplanet.sandbox import entity_id
from e2e.tenants import ME, TOKEN, Tenant
from e2e.upstream import asked
from e2e.wire import Server

ANNA = entity_id("user/anna.schmidt")
BLOG = entity_id("blog-article/brueckenprogramm")
PAGE, WORKSPACE = entity_id("page/infrastruktur"), entity_id("workspace/brueckenbau")
POST = entity_id("timeline-item/kaffee-leitstelle")
EVENT = entity_id("event/erste-hilfe-grundkurs")
FRESH = f"Gleis {uuid.uuid4().hex}"

# tool, arguments, method, path, query
READS: list[tuple[str, dict[str, str], str, str, dict[str, str]]] = [
    ("Search_FullText", {"query": "Brücke & Co"}, "GET", "/api/search", {"term": "Brücke & Co"}),
    ("Search_QuickEntity", {"query": "a+b"}, "GET", "/api/quick-entity-search", {"term": "a+b"}),
    ("Search_Grouped", {"query": "50%"}, "GET", "/api/search/grouped", {"term": "50%"}),
    ("Workspace_List", {}, "GET", "/api/workspaces", {}),
    ("Workspace_Get", {"id": WORKSPACE}, "GET", f"/api/workspaces/{WORKSPACE}", {}),
    ("Workspace_GetMembers", {"id": WORKSPACE}, "GET", f"/api/workspaces/{WORKSPACE}/members", {}),
    ("News_GetFeed", {}, "GET", "/web/blog/newsfeed", {}),
    ("People_List", {}, "GET", "/api/users", {}),
    ("People_Search", {"query": "Müller"}, "GET", "/api/users/chooser/search", {"term": "Müller"}),
    ("Event_Get", {"id": EVENT}, "GET", f"/api/events/{EVENT}", {}),
    ("Event_GetMemberships", {"id": EVENT}, "GET", f"/api/events/{EVENT}/memberships", {}),
    ("Social_GetComments", {"targetId": BLOG}, "GET", "/api/comments", {"targetId": BLOG}),
    (
        "Social_GetLikes",
        {"targetType": "blog-article", "targetId": BLOG},
        "GET",
        f"/api/like-targets/blog-article/{BLOG}",
        {"senderId": ANNA},
    ),
    ("Notification_List", {}, "GET", "/api/notifications", {}),
    ("Notification_GetStatus", {}, "GET", "/api/notifications/status", {}),
    ("Page_List", {}, "GET", "/api/pages", {}),
    ("Page_Get", {"id": PAGE}, "GET", f"/api/pages/{PAGE}", {}),
    ("Page_GetMembers", {"id": PAGE}, "GET", f"/api/pages/{PAGE}/members", {}),
]

# tool, arguments, method, path, what the body must hold (None: no body)
WRITES: list[tuple[str, dict[str, str], str, str, dict[str, Any] | None]] = [
    ("Workspace_Join", {"id": WORKSPACE}, "PUT", f"/api/workspaces/{WORKSPACE}/members/join", None),
    (
        "Workspace_Create",
        {"name": FRESH, "description": "Weichen & Wärter"},
        "POST",
        "/api/workspaces",
        {"name": FRESH, "description": "Weichen & Wärter", "visibility": "PRIVATE"},
    ),
    (
        "Event_UpdateStatus",
        {"id": EVENT, "status": "accepted"},
        "PUT",
        f"/api/events/{EVENT}/memberships/status",
        {"status": "ATTENDING"},
    ),
    (
        "Event_Create",
        {
            "title": "Übung",
            "description": "d",
            "location": "Köln",
            "startDate": "2031-01-01T08:00:00Z",
            "endDate": "2031-01-01T09:00:00Z",
        },
        "POST",
        "/api/events",
        {
            "name": "Übung",
            "description": "d",
            "place": "Köln",
            "startDate": "2031-01-01T09:00:00",
            "endDate": "2031-01-01T10:00:00",
            "senderId": ANNA,
        },
    ),
    (
        "Social_PostComment",
        {"targetId": POST, "body": "Prost ☕"},
        "POST",
        "/api/comments",
        {"targetId": POST, "message": "Prost ☕", "authorId": ANNA},
    ),
    ("Notification_MarkSeen", {}, "PUT", "/api/notifications/mark-seen", None),
    (
        "Page_Create",
        {"title": FRESH, "content": "<p>Hallo</p>"},
        "POST",
        "/api/pages",
        {"name": FRESH, "description": "<p>Hallo</p>", "visibility": "PRIVATE", "adminIds": [ANNA]},
    ),
]


@pytest.mark.parametrize(("tool", "arguments", "method", "path", "query"), READS)
def test_a_read_is_the_one_request_of_the_specification(
    server: Server,
    tenant: Tenant,
    tool: str,
    arguments: dict[str, str],
    method: str,
    path: str,
    query: dict[str, str],
):
    (seen,) = asked(server, tenant, tool, arguments)
    assert (seen.method, seen.path, seen.query, seen.body) == (method, path, query, None)


@pytest.mark.parametrize(("tool", "arguments", "method", "path", "body"), WRITES)
def test_a_write_is_the_one_request_of_the_specification(
    server: Server,
    tenant: Tenant,
    tool: str,
    arguments: dict[str, str],
    method: str,
    path: str,
    body: dict[str, Any] | None,
):
    (seen,) = asked(server, tenant, tool, arguments)
    assert (seen.method, seen.path, seen.query) == (method, path, {})
    assert (seen.body is None) == (body is None)
    assert {**(seen.body or {}), **(body or {})} == (seen.body or {})


def test_the_own_profile_is_one_request(server: Server, tenant: Tenant):
    assert not server.call("People_GetMe", {}, server.session(tenant.headers())).is_error
    assert tenant.lines() == [TOKEN, ME]


def test_a_like_is_read_first_then_set_then_removed_with_delete(server: Server, tenant: Tenant):
    target = f"/api/like-targets/timeline-item/{POST}"
    arguments = {"targetType": "timeline-item", "targetId": POST, "userId": ANNA}
    for method in ("POST", "DELETE"):
        tenant.reset()
        read, write = asked(server, tenant, "Social_ToggleLike", arguments)
        assert (read.line, read.query) == (f"GET {target}", {"senderId": ANNA})
        assert (write.line, write.query, write.body) == (f"{method} {target}/likes/{ANNA}", {}, None)


def test_a_like_whose_state_cannot_be_read_is_the_post_of_the_specification(server: Server, tenant: Tenant):
    tenant.fault("GET /api/like-targets", status=500)
    arguments = {"targetType": "timeline-item", "targetId": POST, "userId": ANNA}
    assert not server.call("Social_ToggleLike", arguments, server.session(tenant.headers())).is_error
    assert tenant.lines()[-1] == f"POST /api/like-targets/timeline-item/{POST}/likes/{ANNA}"
    tenant.reset()
    assert not server.call("Social_ToggleLike", arguments, server.session(tenant.headers())).is_error


def test_the_profile_is_read_once_for_many_calls_of_a_session(server: Server, tenant: Tenant):
    session = server.session(tenant.headers())
    for _ in range(3):
        server.call("Event_Get", {"id": EVENT}, session)
        server.call("Social_GetLikes", {"targetType": "blog-article", "targetId": BLOG}, session)
    assert tenant.lines().count(ME) == 1


def test_a_profile_that_cannot_be_read_stops_no_other_tool(server: Server, tenant: Tenant):
    tenant.fault("GET /api/users/me", status=500)
    result = server.call("Event_Get", {"id": EVENT}, server.session(tenant.headers()))
    assert not result.is_error
    assert "Erste-Hilfe-Grundkurs" in result.first_line
