"""One POST is enough: no initialize, no session, any Accept."""

from __future__ import annotations

import pytest

from dbplanet.sandbox import entity_id
from e2e.tenants import HEADERS, Tenant
from e2e.wire import Headers, Server, message

SEARCH = message("tools/call", {"name": "Search_FullText", "arguments": {"query": "Brücke"}})


@pytest.mark.parametrize(
    "further",
    [
        {},
        {"Accept": "*/*"},
        {"Accept": None},
        {"Accept": "application/json"},
        {"Accept": "application/json, text/event-stream"},
        {"Content-Type": "application/json; charset=utf-8"},
        {"MCP-Protocol-Version": "2025-06-18"},
    ],
    ids=str,
)
def test_a_tool_call_needs_no_initialize_and_no_session(server: Server, tenant: Tenant, further: Headers):
    answer = server.post(SEARCH, {**tenant.headers(), **further})
    assert answer.status_code == 200
    assert answer.headers["Content-Type"] == "application/json"
    assert "Mcp-Session-Id" not in answer.headers
    result = answer.json()["result"]
    assert result["isError"] is False
    assert result["content"][0]["text"].startswith("Search results for “Brücke”: 1–")


def test_a_client_that_reads_event_streams_only_gets_the_answer_as_one_event(server: Server, tenant: Tenant):
    answer = server.post(SEARCH, {**tenant.headers(), "Accept": "text/event-stream"})
    assert answer.headers["Content-Type"] == "text/event-stream"
    assert answer.content.startswith(b"event: message\ndata: {")
    assert answer.content.endswith(b"\n\n")


def test_the_path_with_a_final_slash_answers_alike(server: Server, tenant: Tenant):
    slashed = Server(f"{server.url}/", server.process)
    assert slashed.call("People_GetMe", {}, tenant.headers()).field("id") == entity_id("user/anna.schmidt")


def test_a_body_with_a_byte_order_mark_is_read(server: Server, tenant: Tenant):
    body = '\ufeff{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"People_GetMe"}}'.encode()
    headers = {**tenant.headers(), "Content-Type": "application/json"}
    assert server.request("POST", headers, data=body).json()["result"]["isError"] is False


@pytest.mark.parametrize("missing", HEADERS)
@pytest.mark.parametrize("value", [None, ""], ids=["absent", "empty"])
def test_a_missing_credential_is_named_in_a_tool_error(
    server: Server, tenant: Tenant, missing: str, value: str | None
):
    result = server.call("People_GetMe", {}, tenant.headers(**{missing: value}))
    assert result.is_error
    assert result.first_line == f"[401] Missing DB Planet credentials: {missing} ({HEADERS[missing]})"
    assert tenant.journal() == []


def test_without_any_header_all_five_are_named(server: Server):
    result = server.call("Workspace_List")
    assert result.is_error
    assert all(f"{name} ({header})" in result.first_line for name, header in HEADERS.items())


def test_health_answers_without_asking_the_tenant(server: Server, tenant: Tenant):
    health = Server(server.url.replace("/servers/dbplanet/mcp", "/health"), server.process)
    assert health.request("GET", {}).status_code == 200
    assert tenant.journal() == []
