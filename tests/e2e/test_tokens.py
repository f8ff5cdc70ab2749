"""One token for a client's life, one re-authentication for a refused one, never a loop."""

from __future__ import annotations

import pytest

from dbplanet.sandbox import entity_id
from e2e.tenants import HEADERS, ME, TOKEN, Tenant
from e2e.wire import Headers, Result, Server, at_once

REFUSED = "[401] Authentication failed. Check DB Planet credentials."
NAME = "Signed-in user: Anna Schmidt"
THREADS = 20


def test_many_calls_of_a_session_need_one_token(server: Server, tenant: Tenant):
    session = server.session(tenant.headers())
    for _ in range(5):
        assert server.call("People_GetMe", {}, session).first_line == NAME
        assert not server.call("Notification_GetStatus", {}, session).is_error
    lines = tenant.lines()
    assert lines.count(TOKEN) == 1
    assert len(lines) == 11


def test_two_sessions_of_one_person_have_a_token_each(server: Server, tenant: Tenant):
    for session in [server.session(tenant.headers()) for _ in range(2)]:
        server.call("People_GetMe", {}, session)
    assert tenant.lines() == [TOKEN, ME, TOKEN, ME]


def test_calls_without_a_session_share_a_token_per_set_of_credentials(server: Server, tenant: Tenant):
    for _ in range(4):
        server.call("People_GetMe", {}, tenant.headers())
    assert tenant.lines().count(TOKEN) <= 1


def test_an_expired_token_is_one_sign_in_and_one_more_try(server: Server, tenant: Tenant):
    session = server.session(tenant.headers())
    server.call("People_GetMe", {}, session)
    tenant.expire_tokens()
    tenant.reset()
    assert server.call("People_GetMe", {}, session).first_line == NAME
    assert [(seen.line, seen.status) for seen in tenant.journal()] == [(ME, 401), (TOKEN, 200), (ME, 200)]


def test_an_expired_token_does_not_lose_a_write(server: Server, tenant: Tenant):
    session = server.session(tenant.headers())
    server.call("People_GetMe", {}, session)
    tenant.expire_tokens()
    arguments = {"targetId": entity_id("timeline-item/fundsache"), "body": "Der Schal ist meiner."}
    assert not server.call("Social_PostComment", arguments, session).is_error
    comments = server.call("Social_GetComments", {"targetId": arguments["targetId"]}, session)
    assert comments.text.count("Der Schal ist meiner.") == 1


def test_a_second_401_ends_after_exactly_two_tries(server: Server, tenant: Tenant):
    tenant.fault("GET /api/users/me", status=401)
    result = server.call("People_GetMe", {}, server.session(tenant.headers()))
    assert result.is_error
    assert result.first_line == REFUSED
    assert tenant.lines() == [TOKEN, ME, TOKEN, ME]


def test_a_client_that_was_refused_recovers(server: Server, tenant: Tenant):
    session = server.session(tenant.headers())
    tenant.fault("GET /api/users/me", status=401, times=2)
    assert server.call("People_GetMe", {}, session).first_line == REFUSED
    assert server.call("People_GetMe", {}, session).first_line == NAME


@pytest.mark.parametrize("field", [field for field in HEADERS if field != "base_url"])
def test_wrong_credentials_are_tried_once(server: Server, tenant: Tenant, field: str):
    headers = tenant.headers(**{field: "wrong"})
    result = server.call("People_GetMe", {}, server.session(headers))
    assert result.is_error
    assert result.first_line == REFUSED
    assert tenant.lines() == [TOKEN]


def test_a_password_that_stops_working_ends_after_one_sign_in(server: Server, tenant: Tenant):
    session = server.session(tenant.headers())
    server.call("People_GetMe", {}, session)
    tenant.expire_tokens()
    tenant.reset()
    tenant.fault(TOKEN, status=400, body='{"error": "invalid_grant"}')
    assert server.call("People_GetMe", {}, session).first_line == REFUSED
    assert tenant.lines() == [ME, TOKEN]


@pytest.mark.parametrize("way", ["in a session", "without a session"])
def test_twenty_threads_on_one_expired_token_make_one_token_request(server: Server, tenant: Tenant, way: str):
    session: Headers = server.session(tenant.headers()) if way == "in a session" else tenant.headers()
    server.call("People_GetMe", {}, session)
    tenant.expire_tokens()
    tenant.reset()
    results = at_once(THREADS, lambda number: server.call_with_id(number, "People_GetMe", {}, session))
    assert {result.first_line for result in results} == {NAME}
    statuses = [(seen.line, seen.status) for seen in tenant.journal()]
    assert statuses.count((TOKEN, 200)) == 1
    assert statuses.count((ME, 200)) == THREADS


def test_twenty_threads_at_the_start_of_a_session_make_one_token_request(server: Server, tenant: Tenant):
    session = server.session(tenant.headers())
    results = at_once(THREADS, lambda number: server.call_with_id("same", "People_GetMe", {}, session))
    assert {result.first_line for result in results} == {NAME}
    assert tenant.lines().count(TOKEN) == 1


@pytest.mark.parametrize("way", ["in a session", "without a session"])
def test_twenty_threads_with_a_wrong_password_do_not_sign_in_twenty_times(
    server: Server, tenant: Tenant, way: str
):
    # The tenant takes its time, so that all of them meet the first refusal on its way.
    tenant.fault(TOKEN, delay=1)
    wrong = tenant.headers(password=f"wrong {way}")
    headers: Headers = server.session(wrong) if way == "in a session" else wrong

    def call(number: int) -> Result:
        return server.call_with_id(number, "People_GetMe", {}, headers)

    assert {result.first_line for result in at_once(THREADS, call)} == {REFUSED}
    assert tenant.lines().count(TOKEN) <= 2
    assert ME not in tenant.lines()


@pytest.mark.parametrize(
    ("answer", "first_line"),
    [
        ({"status": 500}, "[500] Error: 500 - Internal Server Error"),
        ({"status": 403}, "[403] Insufficient permissions to access this resource."),
        ({"status": 400, "body": '{"error": "invalid_request"}'}, "[400] Error: 400 - Bad Request"),
        ({"status": 200, "body": "{}"}, "[502] DB Planet's token endpoint gave no access token."),
        (
            {"status": 200, "body": '{"access_token": "a b\\n"}'},
            "[502] DB Planet's token endpoint gave no access token.",
        ),
        ({"status": 204}, "[502] DB Planet's token endpoint gave no access token."),
        (
            {"status": 200, "body": "<html>Sign in", "content_type": "text/html"},
            "[502] DB Planet answered with text/html where JSON was expected.",
        ),
        ({"status": 302, "headers": {"Location": "/login"}}, "[302] Error: 302 - Found"),
    ],
    ids=str,
)
def test_a_token_endpoint_that_fails_is_told_as_it_is_and_asked_once(
    server: Server, tenant: Tenant, answer: dict[str, object], first_line: str
):
    tenant.fault(TOKEN, **answer)
    result = server.call("People_GetMe", {}, server.session(tenant.headers()))
    assert result.is_error
    assert result.first_line == first_line
    assert tenant.lines() == [TOKEN]
