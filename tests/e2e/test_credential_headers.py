"""How credentials are spelled in headers, and whose they are."""

from __future__ import annotations

import pytest

from e2e.tenants import HEADERS, JONAS, MEHMET, Tenant
from e2e.wire import Headers, Server, message

ME = message("tools/call", {"name": "People_GetMe"})


def refused(server: Server, headers: Headers) -> str:
    """Return the message of a request refused as -32600 with 400."""
    answer = server.post(ME, headers)
    assert answer.status_code == 400
    body = answer.json()
    assert (body["id"], body["error"]["code"]) == (1, -32600)
    return str(body["error"]["message"])


@pytest.mark.parametrize(
    "respelled",
    [
        {
            "x-dbplanet-client-id": "x-dbplanet-clientid",
            "x-dbplanet-client-secret": "x-dbplanet-clientsecret",
        },
        {"x-dbplanet-base-url": "x-dbplanet-baseurl"},
        {"x-dbplanet-base-url": "X-DBPlanet-BaseUrl", "x-dbplanet-username": "X-DBPLANET-USERNAME"},
        {"x-dbplanet-username": "x-dbplanet-user-name"},
    ],
    ids=str,
)
def test_hyphens_after_the_prefix_and_case_do_not_matter(
    server: Server, tenant: Tenant, respelled: dict[str, str]
):
    headers = {respelled.get(name, name): value for name, value in tenant.headers().items()}
    assert not server.call("People_GetMe", {}, headers).is_error


@pytest.mark.parametrize("charset", ["utf-8", "latin-1"])
def test_values_are_utf8_or_latin1(server: Server, tenant: Tenant, charset: str):
    assert not MEHMET.password.isascii()
    headers = {**tenant.headers(MEHMET), HEADERS["password"]: MEHMET.password.encode(charset)}
    assert server.call("People_GetMe", {}, headers).first_line == "Signed-in user: Mehmet Yıldız"


def test_a_utf8_user_name_reaches_the_tenant_unchanged(server: Server, tenant: Tenant):
    result = server.call("People_GetMe", {}, tenant.headers(username="jürgen.müller+日本"))
    assert result.first_line == "[401] Authentication failed. Check DB Planet credentials."
    (token,) = tenant.journal()
    assert token.body["username"] == "jürgen.müller+日本"


@pytest.mark.parametrize("header", HEADERS.values())
@pytest.mark.parametrize("control", ["a\tb", "\x85", "\x9f"], ids=ascii)
def test_a_control_character_is_refused_without_repeating_the_value(
    server: Server, tenant: Tenant, header: str, control: str
):
    text = refused(server, {**tenant.headers(), header: f"fake-value{control}end".encode()})
    assert header in text
    assert "fake-value" not in text
    assert tenant.journal() == []


@pytest.mark.parametrize("control", [b"\x01", b"\x1b", b"\x7f"], ids=repr)
def test_a_control_character_that_no_http_header_may_hold_ends_in_400(
    server: Server, tenant: Tenant, control: bytes
):
    # Newer releases of gunicorn refuse these themselves, so the body is theirs.
    answer = server.post(ME, {**tenant.headers(), HEADERS["password"]: b"fake-value" + control})
    assert answer.status_code == 400
    assert "fake-value" not in answer.text + server.process.output()
    assert tenant.journal() == []


def test_two_spellings_with_different_values_are_refused(server: Server, tenant: Tenant):
    text = refused(server, {**tenant.headers(), "x-dbplanet-clientid": "another-client"})
    assert "x-dbplanet-client-id" in text
    assert "another-client" not in text


def test_two_spellings_with_the_same_value_are_served(server: Server, tenant: Tenant):
    headers = tenant.headers()
    doubled = {**headers, "x-dbplanet-clientid": headers["x-dbplanet-client-id"]}
    assert not server.call("People_GetMe", {}, doubled).is_error


def test_a_changed_password_is_never_answered_from_the_old_one(server: Server, tenant: Tenant):
    assert not server.call("People_GetMe", {}, tenant.headers(JONAS)).is_error
    result = server.call("People_GetMe", {}, tenant.headers(JONAS, password="changed"))
    assert result.first_line == "[401] Authentication failed. Check DB Planet credentials."


@pytest.mark.parametrize(
    "base_url",
    [
        "{url}/api",
        "{url}?x=1",
        "{url}#f",
        "http://user:fake-pass@127.0.0.1:{port}",
        "file:///etc/hosts",
        "127.0.0.1:{port}",
        "http://localhost:{port}",
        "http://127.0.0.1:1",
        "http://127.0.0.1.evil.example:{port}",
        "https://127.0.0.1:{port}",
    ],
)
def test_a_base_url_that_is_not_a_listed_origin_is_refused_before_any_request(
    server: Server, tenant: Tenant, base_url: str
):
    written = base_url.format(url=tenant.url, port=tenant.url.rpartition(":")[2])
    result = server.call("People_GetMe", {}, tenant.headers(base_url=written))
    assert result.is_error
    assert result.first_line.startswith("[400] ")
    assert "base URL" in result.first_line
    assert "fake-pass" not in result.text
    assert tenant.journal() == []


def test_a_final_slash_of_the_base_url_does_not_matter(server: Server, tenant: Tenant):
    assert not server.call("People_GetMe", {}, tenant.headers(base_url=f"{tenant.url}/")).is_error
