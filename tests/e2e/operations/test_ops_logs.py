"""Structured logs and the audit of a server in its own process, gunicorn's own lines included."""

from __future__ import annotations

import re
import socket
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from dbplanet.sandbox import entity_id
from e2e.conftest import StartServer
from e2e.operations.asking import audit_lines, lines, until
from e2e.tenants import ME, Tenant
from e2e.wire import Server, message

REQUEST = "4bf92f3577b34da6a3ce929d0e0e4736"
TRACE, SPAN = "0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331"
PAGE = entity_id("page/infrastruktur")
ANNA = entity_id("user/anna.schmidt")


@pytest.fixture(scope="module")
def audit(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("audit") / "audit.jsonl"


@pytest.fixture(scope="module")
def logging_server(start_server: StartServer, audit: Path) -> Server:
    return start_server(
        "that logs JSON",
        environment={"GUNICORN_CMD_ARGS": "--access-logfile -"},
        LOG_FORMAT="json",
        LOG_LEVEL="DEBUG",
        SLOW_CALL="0.4",
        AUDIT_LOG=str(audit),
    )


def called(server: Server, tool: str, headers: dict[str, Any], **params: Any) -> dict[str, Any]:
    """Call a tool and return its line in the log."""
    before = len(ended(server))
    answer = server.post(message("tools/call", {"name": tool, "arguments": {}, **params}), headers)
    assert answer.status_code == 200, answer.text
    (line,) = ended(server)[before:]
    return line


def ended(server: Server) -> list[dict[str, Any]]:
    return [line for line in lines(server.process.output()) if line["message"].endswith("tool call")]


def test_the_line_of_a_call_says_what_who_how_long_and_what_upstream_said(
    logging_server: Server, tenant: Tenant
):
    headers = {**tenant.headers(), "X-Request-Id": REQUEST}
    meta = {"traceparent": f"00-{TRACE}-{SPAN}-01", "tracestate": "a=b", "baggage": "k=v"}
    line = called(logging_server, "People_GetMe", headers, _meta=meta)
    expected = {
        "level": "INFO",
        "request_id": REQUEST,
        "trace_id": TRACE,
        "span_id": SPAN,
        "server": "dbplanet",
        "tool": "People_GetMe",
        "outcome": "ok",
        "upstream_status": 200,
    }
    assert {name: line.get(name) for name in expected} == expected
    assert 0 < line["upstream_seconds"] <= line["seconds"] < 10
    assert re.fullmatch("[0-9a-f]{16}", line["tenant"])
    assert "a=b" not in str(line)


def test_tenants_and_users_are_told_apart_and_not_named(
    logging_server: Server, tenant: Tenant, other_tenant: Tenant
):
    mine = [called(logging_server, "People_GetMe", tenant.headers()) for _ in range(2)]
    other = called(logging_server, "People_GetMe", other_tenant.headers())
    assert mine[0]["tenant"] == mine[1]["tenant"] != other["tenant"]
    assert mine[0]["user"] == mine[1]["user"] != other["user"]
    assert "anna" not in logging_server.process.output()


@pytest.mark.parametrize("given", [None, "not hexadecimal", "ab", "a" * 100])
def test_a_request_without_a_usable_id_gets_one(logging_server: Server, tenant: Tenant, given: str | None):
    headers = tenant.headers() | ({} if given is None else {"X-Request-Id": given})
    assert re.fullmatch("[0-9a-f]{16}", called(logging_server, "People_GetMe", headers)["request_id"])


def test_a_slow_call_is_a_warning(logging_server: Server, tenant: Tenant):
    tenant.fault(ME, delay=0.6, times=1)
    line = called(logging_server, "People_GetMe", tenant.headers())
    assert (line["level"], line["message"]) == ("WARNING", "slow tool call")
    assert line["upstream_seconds"] >= 0.6


def test_failures_carry_the_status_of_the_result_and_of_upstream(logging_server: Server, tenant: Tenant):
    tenant.fault(ME, status=503)
    line = called(logging_server, "People_GetMe", tenant.headers())
    assert (line["outcome"], line["upstream_status"]) == ("503", 503)


def test_a_write_and_a_failed_write_are_in_the_audit_and_a_read_is_not(
    logging_server: Server, tenant: Tenant, audit: Path
):
    before = len(audit_lines(audit))
    target = {"targetId": entity_id("timeline-item/bruecke-gesperrt"), "targetType": "timeline-item"}
    like = {**target, "userId": ANNA}
    for tool, given in [("Social_ToggleLike", like), ("People_GetMe", {}), ("Social_ToggleLike", like)]:
        called(logging_server, tool, tenant.headers(), arguments=given)
    tenant.fault(status=403)
    called(logging_server, "Social_PostComment", tenant.headers(), arguments={"targetId": PAGE, "body": "b"})
    liked, unliked, refused = audit_lines(audit)[before:]
    assert (liked["tool"], liked["outcome"], liked["target"]) == ("Social_ToggleLike", "ok", target)
    assert (refused["tool"], refused["outcome"]) == ("Social_PostComment", "403")
    assert refused["target"] == {"targetId": PAGE}
    for line in (liked, unliked, refused):
        assert re.fullmatch("[0-9a-f]{16}", line["user"])
        assert re.match(r"20\d\d-\d\d-\d\dT", line["time"])
    assert '"audit"' not in logging_server.process.output(), "it has its own file"


def test_the_audit_goes_on_in_a_new_file_after_a_rotation(
    logging_server: Server, tenant: Tenant, audit: Path
):
    called(logging_server, "Notification_MarkSeen", tenant.headers())
    audit.rename(audit.with_suffix(".1"))
    called(logging_server, "Notification_MarkSeen", tenant.headers())
    assert [line["tool"] for line in audit_lines(audit)] == ["Notification_MarkSeen"]


def test_every_line_is_one_object_with_time_level_and_message(logging_server: Server, tenant: Tenant):
    logging_server.request("GET", {}, params={"password": "in-the-query"})
    assert until(lambda: "405" in logging_server.process.output())
    said = lines(logging_server.process.output())
    assert [line for line in said if not {"time", "level", "message"} <= line.keys()] == []
    assert {"gunicorn.error", "gunicorn.access", "dbplanet.observing.watch"} <= {
        line["logger"] for line in said
    }
    assert "in-the-query" not in logging_server.process.output()


def test_without_a_file_the_audit_is_in_the_log(server: Server, tenant: Tenant):
    assert not server.call("Notification_MarkSeen", {}, tenant.headers()).is_error
    line = server.process.output().splitlines()[-1]
    assert re.fullmatch(r"\[.*\] \[INFO\] audit request_id=\w+ .*tool=Notification_MarkSeen .*", line)


def test_the_words_of_a_request_that_cannot_be_read_are_not_logged(server: Server):
    parts = urlsplit(server.url)
    with socket.create_connection((parts.hostname, parts.port), timeout=10) as client:
        client.sendall(b"GET / HTTP/1.1\r\nHost: x\r\nx-dbplanet-password word-without-colon\r\n\r\n")
        assert client.recv(65_536).startswith(b"HTTP/1.1 400 ")
    assert until(lambda: "Invalid request from ip=127.0.0.1" in server.process.output())
    assert "word-without-colon" not in server.process.output()
