"""Of the caller's request nothing goes upstream but the credentials, and those only to sign in."""

from __future__ import annotations

import base64
import time
from urllib.parse import parse_qsl, quote

import pytest

from e2e.recorder import Recorded, Recorder
from e2e.tenants import MEHMET, Tenant
from e2e.wire import Server

ALLOWED = {"host", "user-agent", "accept", "accept-encoding", "connection", "authorization"}
WITH_BODY = {"content-type", "content-length"}

# What a browser, a proxy or a person with bad intentions may send along.
OF_THE_CALLER = {
    "Authorization": "Bearer of-the-caller",
    "Cookie": "of-the-caller=1",
    "X-Forwarded-For": "192.0.2.7",
    "X-Forwarded-Host": "evil.example",
    "X-HTTP-Method-Override": "DELETE",
    "User-Agent": "of-the-caller/1",
    "x-dbplanet-anything-else": "of-the-caller",
    "X-Custom": "of-the-caller",
}


@pytest.fixture
def sent(server: Server, tenant: Tenant, recorder: Recorder) -> list[Recorded]:
    """Return what arrives upstream for a read and a write with all of these headers."""
    recorder.requests.clear()
    headers = {**tenant.headers(MEHMET, base_url=recorder.url), **OF_THE_CALLER}
    session = server.session(headers)
    assert not server.call("News_GetFeed", {"page": 1}, {**session, **OF_THE_CALLER}).is_error
    arguments = {"targetId": "x/../y", "body": "Grüße"}
    assert not server.call("Social_PostComment", arguments, {**session, **OF_THE_CALLER}).is_error
    return list(recorder.requests)


def test_nothing_of_the_callers_request_goes_upstream(sent: list[Recorded]):
    for request in sent:
        allowed = ALLOWED | (WITH_BODY if request.body else {"content-length"})
        assert request.headers.keys() <= allowed, request
        assert "of-the-caller" not in str(request)
        assert "192.0.2.7" not in str(request)
        assert request.headers["user-agent"].startswith("DBPlanet-MCP-Server/")


def test_signing_in_is_basic_and_form_and_never_a_query(sent: list[Recorded]):
    token = sent[0]
    assert (token.method, token.target) == ("POST", "/api/oauth/token")
    assert token.headers["content-type"] == "application/x-www-form-urlencoded"
    scheme, _, pair = token.headers["authorization"].partition(" ")
    assert (scheme, base64.b64decode(pair).decode()) == (
        "Basic",
        f"{MEHMET.client_id}:{MEHMET.client_secret}",
    )
    form = dict(parse_qsl(token.body.decode("ascii"), strict_parsing=True, encoding="utf-8"))
    assert form == {"grant_type": "password", "username": MEHMET.username, "password": MEHMET.password}


def test_after_signing_in_the_token_alone_speaks_for_the_caller(sent: list[Recorded]):
    assert len(sent) >= 3
    for request in sent[1:]:
        assert request.headers["authorization"] == "Bearer token-of-the-recorder"
        for secret in (MEHMET.password, quote(MEHMET.password), MEHMET.client_secret, MEHMET.username):
            assert secret not in str(request) + request.body.decode()


def test_the_tenants_cookies_are_not_kept(sent: list[Recorded]):
    assert all("cookie" not in request.headers for request in sent)


def test_a_body_is_json_in_utf8(sent: list[Recorded]):
    comment = sent[-1]
    assert (comment.method, comment.target) == ("POST", "/api/comments")
    assert comment.headers["content-type"] == "application/json"
    assert "Grüße".encode() in comment.body


def test_a_kept_alive_connection_that_the_tenant_closed_fails_no_write(
    server: Server, tenant: Tenant, recorder: Recorder, monkeypatch: pytest.MonkeyPatch
):
    session = server.session(tenant.headers(base_url=recorder.url))
    server.call("People_GetMe", {}, session)
    recorder.requests.clear()
    monkeypatch.setattr(recorder, "hangs_up", True)
    for written in range(1, 4):
        closed = recorder.closed
        posted = server.call("Social_PostComment", {"targetId": "x", "body": "x"}, session)
        assert not posted.is_error, posted.text
        assert [request.target for request in recorder.requests].count("/api/comments") == written
        deadline = time.monotonic() + 10
        while recorder.closed == closed and time.monotonic() < deadline:
            time.sleep(0.01)


@pytest.mark.parametrize(
    ("given", "wire"),
    [
        ("a?x=1", "a%3Fx%3D1"),
        ("a#f", "a%23f"),
        ("a;b", "a%3Bb"),
        ("a/b", "a%2Fb"),
        (" x ", "%20x%20"),
        ("Über uns", "%C3%9Cber%20uns"),
        ("日本", "%E6%97%A5%E6%9C%AC"),
        ("😀", "%F0%9F%98%80"),
        ("U\u0308", "U%CC%88"),
        ("100%", "100%25"),
        ("a+b", "a%2Bb"),
    ],
)
def test_an_id_is_one_quoted_segment_on_the_wire(
    server: Server, tenant: Tenant, recorder: Recorder, given: str, wire: str
):
    recorder.requests.clear()
    headers = tenant.headers(base_url=recorder.url)
    assert not server.call("Page_Get", {"id": given}, headers).is_error
    assert recorder.requests[-1].target == f"/api/pages/{wire}"


@pytest.mark.parametrize(
    "given",
    ["..", ".", "%2e%2e", "..%2Fadmin", "%252e%252e%252fadmin", "..\\admin", "a/../b", "", "   ", "x" * 400],
)
def test_an_id_that_leads_elsewhere_is_refused_before_any_request(
    server: Server, tenant: Tenant, recorder: Recorder, given: str
):
    recorder.requests.clear()
    refused = server.call("Page_Get", {"id": given}, tenant.headers(base_url=recorder.url))
    assert refused.is_error
    assert refused.first_line.startswith("[400] Invalid arguments: id: ")
    assert recorder.requests == []


def test_neither_netrc_nor_proxies_of_the_environment_are_used(server: Server, tenant: Tenant):
    # The server runs with a .netrc that would let Anna in, and with a proxy that refuses everything.
    assert not server.call("People_GetMe", {}, tenant.headers()).is_error
    refused = server.call("People_GetMe", {}, tenant.headers(password="wrong"))
    assert refused.first_line == "[401] Authentication failed. Check DB Planet credentials."
    missing = server.call("People_GetMe", {}, {"x-dbplanet-base-url": tenant.url})
    assert missing.first_line.startswith("[401] Missing DB Planet credentials: username ")
