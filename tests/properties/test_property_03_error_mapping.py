"""Feature: dbplanet-mcp-tools, Property 3: Error handler maps HTTP status to correct MCP error."""

import re
from http import HTTPStatus

import requests
from hypothesis import given
from hypothesis import strategies as st

from dbplanet.haiilo.errors import StatusError, handle_api_error
from support.mcp import call_tool, fresh, text_of
from support.tenant import StubTenant

# The table of the specification; every other status is "Error: {status} - {statusText}".
TABLE = {
    401: "Authentication failed. Check DB Planet credentials.",
    403: "Insufficient permissions to access this resource.",
    404: "The requested resource was not found.",
}
KNOWN = {status.value: status.phrase for status in HTTPStatus}
statuses = st.integers(300, 599)
bodies = st.one_of(
    st.text(),
    st.just("<html><h1>Bad Gateway</h1></html>"),
    st.just('{"errorStatus": "<b>x</b>", "message": "<i>inner words</i>", "fieldErrors": [{"key": "<u>"}]}'),
)


@given(statuses, bodies)
def test_every_status_reads_as_the_table_says(status, body):
    # Feature: dbplanet-mcp-tools, Property 3: Error handler maps HTTP status to correct MCP error
    with fresh(StubTenant(lambda method, path: (status, body))) as (app, _):
        result = call_tool(app, "Notification_GetStatus")
    reason = KNOWN.get(status, "Unknown Status")
    assert result["isError"] is True
    assert text_of(result).splitlines()[0] == f"[{status}] {TABLE.get(status, f'Error: {status} - {reason}')}"
    assert not re.search(r"<[^>]*>|inner words|Traceback", text_of(result))


@given(st.sampled_from([requests.ConnectTimeout, requests.ReadTimeout]), st.text())
def test_every_timeout_reads_as_a_timeout(kind, words):
    # Feature: dbplanet-mcp-tools, Property 3: Error handler maps HTTP status to correct MCP error
    with fresh(StubTenant(lambda method, path: (200, kind(words)))) as (app, _):
        result = call_tool(app, "Notification_GetStatus")
    assert result["isError"] is True
    assert text_of(result).splitlines()[0] == "[TIMEOUT] Request timed out."


@given(st.sampled_from([requests.ConnectionError, requests.exceptions.SSLError]), st.text(min_size=8))
def test_no_connection_reads_as_a_network_error_without_its_words(kind, words):
    # Feature: dbplanet-mcp-tools, Property 3: Error handler maps HTTP status to correct MCP error
    with fresh(StubTenant(lambda method, path: (200, kind(f"inner words {words}")))) as (app, _):
        result = call_tool(app, "Notification_GetStatus")
    assert result["isError"] is True
    assert text_of(result).startswith("[NETWORK] DB Planet could not be reached")
    assert "inner words" not in text_of(result)


@given(statuses, st.recursive(st.none() | st.text() | st.integers(), st.lists, max_leaves=5))
def test_the_handler_takes_any_body(status, body):
    # Feature: dbplanet-mcp-tools, Property 3: Error handler maps HTTP status to correct MCP error
    explained = handle_api_error(StatusError(status, {"errorStatus": body, "fieldErrors": body}))
    assert explained is not None
    assert explained.text.startswith(f"[{status}] ")


def test_an_exception_of_another_kind_is_not_the_tenants():
    assert handle_api_error(KeyError("x")) is None
