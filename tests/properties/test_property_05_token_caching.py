"""Feature: dbplanet-mcp-tools, Property 5: Token caching — single authentication per session."""

from hypothesis import given
from hypothesis import strategies as st

from support.mcp import call_tool, fresh, post
from support.tenant import HEADERS, StubTenant

READS = ["People_GetMe", "News_GetFeed", "Workspace_List", "Page_List", "Notification_GetStatus"]
calls = st.lists(st.sampled_from(READS), min_size=2, max_size=8)


@given(calls)
def test_all_calls_with_the_same_credentials_share_one_token(names):
    # Feature: dbplanet-mcp-tools, Property 5: Token caching — single authentication per session
    with fresh(StubTenant()) as (app, tenant):
        for name in names:
            assert not call_tool(app, name)["isError"]
    assert tenant.tokens == 1
    assert {asked.headers["Authorization"] for asked in tenant.asked} <= {"Bearer token-1"}


@given(calls)
def test_all_calls_of_a_session_share_one_token(names):
    # Feature: dbplanet-mcp-tools, Property 5: Token caching — single authentication per session
    info = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}
    with fresh(StubTenant()) as (app, tenant):
        opening = {"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": info}
        session = post(app, opening, HEADERS).headers["Mcp-Session-Id"]
        for name in names:
            assert not call_tool(app, name, headers={"Mcp-Session-Id": session})["isError"]
    assert tenant.tokens == 1
