"""Everything at DEBUG while upstream fails in every way: no piece of a secret in anything that is said.

Results, JSON log with gunicorn's access lines, metrics, audit and readiness, with an access token besides the
callers' credentials.
"""

from __future__ import annotations

import secrets
from pathlib import Path
from typing import Any

import pytest

from e2e.conftest import StartServer
from e2e.operations.asking import audit_lines, get, lines, total
from e2e.recorder import Recorder
from e2e.tenants import TOKEN, Tenant
from e2e.test_secrets_stay_secret import Secrets, faults
from e2e.wire import SESSION, Server, message

SERVERS = ("dbplanet", "api", "clubber")
CALLS: list[tuple[str, dict[str, Any]]] = [
    ("People_GetMe", {}),
    ("Notification_MarkSeen", {}),
    ("Social_PostComment", {"targetId": "x", "targetType": "page", "body": "x"}),
]


@pytest.fixture(scope="module")
def secret() -> Secrets:
    found = Secrets()
    found.others.append(secrets.token_urlsafe(24))  # the access token
    return found


@pytest.fixture(scope="module")
def audit(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("audit") / "audit.jsonl"


@pytest.fixture(scope="module")
def talkative(start_server: StartServer, secret: Secrets, audit: Path, recorder: Recorder) -> Server:
    api_net = recorder.url.removeprefix("http://").replace(":", "/32:")
    return start_server(
        "that tells all",
        environment={
            "GUNICORN_CMD_ARGS": "--access-logfile -",
            "CLUBBER_API_URL": f"{recorder.url}/graphql?key={secret.token}",
        },
        LOG_LEVEL="DEBUG",
        LOG_FORMAT="json",
        API_LOG_REQUESTS="true",
        API_ALLOWED_NETS=api_net,
        SERVERS=",".join(SERVERS),
        AUDIT_LOG=str(audit),
        ACCESS_TOKENS=secret.others[0],
        SECRET_KEY=secret.fields["client_secret"],
        READ_TIMEOUT="0.5",
    )


def headers_of(tenant: Tenant, secret: Secrets) -> dict[str, Any]:
    return {**tenant.headers(**secret.fields), "Authorization": f"Bearer {secret.others[0]}"}


def test_no_piece_is_in_the_answers_of_failing_calls(talkative: Server, tenant: Tenant, secret: Secrets):
    headers = headers_of(tenant, secret)
    for fault in faults(secret):
        tenant.faults({"match": TOKEN, **fault})
        assert_silent(talkative, headers, CALLS[:1], secret)
        signed_in = {"match": TOKEN, "status": 200, "body": f'{{"access_token": "{secret.token}"}}'}
        tenant.faults(signed_in, {"match": ".", **fault})
        assert_silent(talkative, headers, CALLS, secret)


def assert_silent(
    server: Server, headers: dict[str, Any], calls: list[tuple[str, dict[str, Any]]], secret: Secrets
) -> None:
    opened = server.initialize(headers)
    secret.others.append(opened.headers[SESSION])
    for tool, arguments in calls:
        params = {"name": tool, "arguments": arguments}
        answer = server.post(message("tools/call", params), {**headers, SESSION: opened.headers[SESSION]})
        assert secret.found_in(answer.text + str(answer.headers)) == set()


def test_no_piece_is_in_what_is_refused(talkative: Server, tenant: Tenant, secret: Secrets):
    headers = headers_of(tenant, secret)
    call = message("tools/call", {"name": "People_GetMe"})
    wrong = {**headers, "Authorization": f"Bearer {secret.token}"}
    for given in (wrong, {**headers, "Authorization": f"Basic {secret.all[-1]}"}):
        answer = talkative.post(call, given)
        assert (answer.status_code, answer.headers["WWW-Authenticate"]) == (401, 'Bearer realm="mcp"')
        assert secret.found_in(answer.text) == set()
    traced = message("tools/call", {"name": "People_GetMe", "_meta": {"traceparent": secret.token}})
    for body in (call, traced, message("tools/call", {"name": secret.token})):
        talkative.post(body, {**headers, "X-Request-Id": secret.token})


def test_the_other_servers_tell_nothing_either(talkative: Server, secret: Secrets, recorder: Recorder):
    headers = {"Authorization": f"Bearer {secret.others[0]}"}
    url = f"{recorder.url}/graphql?token={secret.token}"
    arguments = {"url": url, "headers": {"Authorization": f"Bearer {secret.token}"}, "body": secret.token}
    for server, tool, given in [
        ("api", "api_post", arguments),
        ("api", "api_get", {"url": f"http://{secret.token}@127.0.0.1/"}),
        ("clubber", "list_members", {}),
    ]:
        other = Server(talkative.url.replace("dbplanet", server), talkative.process)
        answer = other.post(message("tools/call", {"name": tool, "arguments": given}), headers)
        assert answer.status_code == 200
        assert secret.found_in(answer.text) == set()


def test_no_piece_is_in_the_log_the_audit_the_metrics_or_the_readiness(
    talkative: Server, secret: Secrets, audit: Path
):
    said = lines(talkative.process.output())
    assert {"gunicorn.access", "gunicorn.error", "dbplanet.observing.watch"} <= {
        line["logger"] for line in said
    }
    assert len(audit_lines(audit)) > 15, "the calls above come first"
    assert total(talkative, "dbplanet_tool_calls_total") > 30
    everything = [
        talkative.process.output(),
        audit.read_text("utf-8"),
        get(talkative, "/metrics").text,
        get(talkative, "/ready").text,
    ]
    assert [text for text in everything if secret.found_in(text)] == []
