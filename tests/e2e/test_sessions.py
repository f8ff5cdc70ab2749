"""Sessions of handshake clients, with one worker."""

from __future__ import annotations

import time

import pytest

from e2e.tenants import HEADERS, JONAS, Tenant
from e2e.wire import SESSION, Headers, Server, message

CALL = message("tools/call", {"name": "People_GetMe"})
NAME = "Signed-in user: Anna Schmidt"


def refused(server: Server, headers: Headers) -> bool:
    """Tell whether a call ends in the 404 of an unknown session."""
    answer = server.post(CALL, headers)
    if answer.status_code == 200:
        return False
    assert (answer.status_code, answer.json()["error"]["code"]) == (404, -32600)
    assert answer.json()["id"] == 1
    return True


def test_initialize_gives_a_random_id_of_128_bits_or_more(server: Server, tenant: Tenant):
    answers = [server.initialize(tenant.headers()) for _ in range(20)]
    ids = {answer.headers[SESSION] for answer in answers}
    assert len(ids) == 20
    # Each character of the 64 in use carries six bits.
    assert all(len(session) * 6 >= 128 and session.isascii() and session.isprintable() for session in ids)
    result = answers[0].json()["result"]
    assert result["protocolVersion"] == "2025-11-25"
    assert result["serverInfo"]["name"] == "DBPlanet-MCP-Server"


def test_only_initialize_hands_out_an_id(server: Server, tenant: Tenant):
    session = server.session(tenant.headers())
    for body in (CALL, message("ping"), message("tools/list"), message("nope")):
        assert SESSION not in server.post(body, session).headers


def test_a_session_keeps_the_credentials_of_initialize(server: Server, tenant: Tenant):
    session = server.session(tenant.headers())
    assert server.call("People_GetMe", {}, session).first_line == NAME


def test_a_session_opened_without_credentials_says_at_the_call_what_is_missing(server: Server):
    result = server.call("People_GetMe", {}, server.session({}))
    assert result.is_error
    assert result.first_line.startswith("[401] Missing DB Planet credentials: ")


@pytest.mark.parametrize("sent", [["username"], ["base_url"], ["client_id", "client_secret"], list(HEADERS)])
def test_equal_headers_are_fine_in_a_session_even_if_not_all(server: Server, tenant: Tenant, sent: list[str]):
    headers = tenant.headers()
    session = {**server.session(headers), **{HEADERS[name]: headers[HEADERS[name]] for name in sent}}
    assert server.call("People_GetMe", {}, session).first_line == NAME


@pytest.mark.parametrize("field", HEADERS)
def test_another_value_of_any_credential_is_an_unknown_session(
    server: Server, tenant: Tenant, other_tenant: Tenant, field: str
):
    session = server.session(tenant.headers())
    changed = {field: other_tenant.url if field == "base_url" else "another"}
    foreign = {HEADERS[field]: tenant.headers(**changed)[HEADERS[field]]}
    assert refused(server, {**session, **foreign})
    assert refused(server, {**session, **tenant.headers(**changed)})
    assert server.request("DELETE", {**session, **foreign}).status_code == 404
    assert not refused(server, session), "the owner's session must survive"


def test_a_stranger_gets_the_same_answer_for_a_session_as_for_none(server: Server, tenant: Tenant):
    session = server.session(tenant.headers())
    stranger = tenant.headers(JONAS)
    real = server.post(CALL, {**session, **stranger})
    deleted = server.session(tenant.headers())
    server.request("DELETE", deleted)
    invented = server.post(CALL, {SESSION: "invented"})
    assert real.status_code == invented.status_code == server.post(CALL, deleted).status_code == 404
    assert real.content == invented.content == server.post(CALL, deleted).content


def test_an_unknown_id_is_served_with_all_credentials_and_404_with_fewer(server: Server, tenant: Tenant):
    unknown = {SESSION: "of-a-server-before-its-restart"}
    assert server.call("People_GetMe", {}, {**unknown, **tenant.headers()}).first_line == NAME
    assert refused(server, unknown)
    for field in HEADERS:
        assert refused(server, {**unknown, **tenant.headers(**{field: None})})
        assert refused(server, {**unknown, **tenant.headers(**{field: ""})})


def test_a_deleted_session_stays_deleted_whatever_comes_with_it(server: Server, tenant: Tenant):
    session = server.session(tenant.headers())
    assert server.request("DELETE", session).status_code == 200
    assert refused(server, session)
    assert refused(server, {**session, **tenant.headers()})
    assert server.request("DELETE", session).status_code == 404
    assert server.request("DELETE", {**session, **tenant.headers()}).status_code == 404


def test_delete_without_an_id_or_with_an_invented_one_is_refused(server: Server, tenant: Tenant):
    assert server.request("DELETE", tenant.headers()).status_code == 400
    assert server.request("DELETE", {SESSION: "invented", **tenant.headers()}).status_code == 404


def test_deleting_one_session_leaves_others_of_the_same_person(server: Server, tenant: Tenant):
    first, second = server.session(tenant.headers()), server.session(tenant.headers())
    server.request("DELETE", first)
    assert not refused(server, second)


def test_initialize_again_with_an_old_id_opens_another_session(server: Server, tenant: Tenant):
    session = server.session(tenant.headers())
    again = server.session({**session, **tenant.headers()})
    assert again != session
    assert not refused(server, session)


@pytest.mark.parametrize("method", ["GET", "HEAD", "PUT", "PATCH"])
def test_other_methods_are_405_with_allow_at_once(server: Server, tenant: Tenant, method: str):
    def timed(headers: Headers) -> float:
        start = time.perf_counter()
        answer = server.request(method, headers)
        assert answer.status_code == 405
        assert {"POST", "DELETE"} <= {name.strip() for name in answer.headers["Allow"].split(",")}
        return time.perf_counter() - start

    waiting = {**server.session(tenant.headers()), "Accept": "text/event-stream"}
    # The best of a few: the machine may be busy, the server must not wait.
    assert min(timed(waiting) for _ in range(5)) < 0.05
    assert min(timed({}) for _ in range(5)) < 0.05


@pytest.mark.parametrize("body", ["notifications/initialized", "notifications/cancelled"])
def test_a_notification_is_202_without_a_body(server: Server, tenant: Tenant, body: str):
    answer = server.post({"jsonrpc": "2.0", "method": body}, server.session(tenant.headers()))
    assert (answer.status_code, answer.content) == (202, b"")
    assert "Content-Type" not in answer.headers
