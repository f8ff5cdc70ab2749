"""When the tenant fails: the specification's words, a way on, and nothing of what it sent."""

from __future__ import annotations

import re
from typing import Any

import pytest

from dbplanet.sandbox import entity_id
from e2e.conftest import MAX_RESPONSE_BYTES
from e2e.tenants import JONAS, Tenant
from e2e.upstream import TOOL_NAMES
from e2e.wire import Server
from support.inventory import least_arguments

HTML = "<html><head><title>Oops</title></head><body><h1>Bad Gateway</h1><pre>java.lang.Exception</pre></body>"
SIGN_IN = '<!DOCTYPE html><form action="/login"><input name="password"></form>'
REACHED = "[NETWORK] DB Planet could not be reached: "
UNUSABLE = "[502] DB Planet answered with {} where JSON was expected."
TOO_LARGE = "[502] DB Planet's answer is larger than "


def page(status: int, body: str = HTML) -> dict[str, Any]:
    """Return a fault that answers with an HTML page."""
    return {"status": status, "body": body, "content_type": "text/html; charset=utf-8"}


# what the tenant answers → the first line of the result
FAULTS: list[tuple[dict[str, Any], str]] = [
    ({"status": 400, "body": '{"errorStatus": "<b>x</b>"}'}, "[400] Error: 400 - Bad Request"),
    (page(401), "[401] Authentication failed. Check DB Planet credentials."),
    ({"status": 403}, "[403] Insufficient permissions to access this resource."),
    (page(403), "[403] Insufficient permissions to access this resource."),
    ({"status": 404}, "[404] The requested resource was not found."),
    (page(404), "[404] The requested resource was not found."),
    ({"status": 409}, "[409] Error: 409 - Conflict"),
    ({"status": 423}, "[423] Error: 423 - Locked"),
    ({"status": 500}, "[500] Error: 500 - Internal Server Error"),
    (
        {"status": 500, "body": "Traceback (most recent call last):"},
        "[500] Error: 500 - Internal Server Error",
    ),
    (page(500, HTML * 12_000), "[500] Error: 500 - Internal Server Error"),  # larger than MAX_RESPONSE_BYTES
    (page(502), "[502] Error: 502 - Bad Gateway"),
    (page(503), "[503] Error: 503 - Service Unavailable"),
    ({"status": 599}, "[599] Error: 599 - Unknown Status"),
    ({"status": 302, "headers": {"Location": "/web/login"}}, "[302] Error: 302 - Found"),
    (page(200, SIGN_IN), UNUSABLE.format("text/html")),
    ({"status": 200, "body": "{", "content_type": "application/json"}, "[502] DB Planet answered with "),
    ({"status": 200, "body": "[" * 100_000}, "[502] DB Planet answered with "),
    ({"status": 200, "body": f'["{"x" * MAX_RESPONSE_BYTES}"]'}, TOO_LARGE),
    ({"drop": True}, f"{REACHED}the connection was closed before the answer."),
]

INSIDE = re.compile(r"[<>]|Traceback|Exception|\b\w+Error\b|\bjava\.|0x[0-9a-f]{6}|File \"")
"""Markup, and what only a program would say."""


def failed(server: Server, tenant: Tenant, tool: str = "News_GetFeed", **arguments: Any) -> str:
    """Call a tool that must fail; return its text after checking that nothing of the fault's inside shows."""
    before = len(server.process.output())
    result = server.call(tool, arguments, tenant.headers())
    logged = server.process.output()[before:]
    assert result.is_error, result.text
    assert not INSIDE.search(result.text), result.text
    assert not INSIDE.search(logged), logged
    assert JONAS.password not in result.text + logged
    return result.text


@pytest.mark.parametrize(("fault", "first_line"), FAULTS, ids=lambda value: str(value)[:70])
def test_a_failing_tenant_is_told_in_our_words(
    server: Server, tenant: Tenant, fault: dict[str, Any], first_line: str
):
    tenant.fault(**fault)
    text = failed(server, tenant)
    assert text.startswith(first_line)
    assert "\n" in text or "[599]" in text or "[423]" in text, "there is no advice on what to do"


@pytest.mark.parametrize("name", TOOL_NAMES)
@pytest.mark.parametrize(
    ("status", "first_line"),
    [
        (403, "[403] Insufficient permissions to access this resource."),
        (500, "[500] Error: 500 - Internal Server Error"),
    ],
)
def test_every_tool_tells_a_failure_in_the_same_words(
    server: Server, tenant: Tenant, name: str, status: int, first_line: str
):
    # Ten failures in a row would open the tenant's circuit: each tool begins after a success.
    assert not server.call("People_GetMe", {}, tenant.headers()).is_error
    tenant.fault(status=status, body=HTML, content_type="text/html")
    text = failed(server, tenant, name, **least_arguments(name))
    assert text.partition("\n")[0] == first_line


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
@pytest.mark.parametrize("tool", ["News_GetFeed", "Notification_MarkSeen"])
def test_a_redirect_to_elsewhere_is_not_followed(
    server: Server, tenant: Tenant, other_tenant: Tenant, status: int, tool: str
):
    tenant.fault(status=status, headers={"Location": f"{other_tenant.url}/web/blog/newsfeed"})
    assert failed(server, tenant, tool).startswith(f"[{status}] Error: {status} - ")
    assert other_tenant.journal() == []


def test_a_slow_answer_ends_at_the_read_timeout(impatient: Server, tenant: Tenant):
    tenant.fault("GET /web/blog/newsfeed", delay=1.5, times=1)
    text = failed(impatient, tenant)
    assert text.startswith("[TIMEOUT] Request timed out.\n")
    # Half a second may be too short on a busy machine, but not each time.
    assert not all(impatient.call("News_GetFeed", {}, tenant.headers()).is_error for _ in range(5))
    tenant.fault("POST /api/comments", delay=1.5)
    written = {"targetId": entity_id("timeline-item/fundsache"), "body": "Nur einmal, bitte"}
    assert failed(impatient, tenant, "Social_PostComment", **written).startswith(
        "[TIMEOUT] Request timed out."
    )
    assert tenant.lines().count("POST /api/comments") == 1


def test_a_refused_connection_is_told_as_such(server: Server, tenant: Tenant, refusing_url: str):
    result = server.call("People_GetMe", {}, tenant.headers(base_url=refusing_url))
    assert result.is_error
    assert result.first_line == f"{REACHED}the connection was refused."


def test_a_write_whose_connection_drops_is_not_sent_again(server: Server, tenant: Tenant):
    tenant.fault("POST /api/comments", drop=True)
    written = {"targetId": entity_id("timeline-item/fundsache"), "body": "Nur einmal"}
    assert failed(server, tenant, "Social_PostComment", **written).startswith(REACHED)
    assert tenant.lines().count("POST /api/comments") == 1
