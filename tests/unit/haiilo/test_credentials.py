import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dbplanet.egress import Policy
from dbplanet.haiilo.credentials import Credentials, from_headers
from dbplanet.haiilo.tenants import check_base_url, origin_of
from dbplanet.mcp.errors import ToolError
from dbplanet.mcp.protocol import RpcError

FULL = Credentials("ada", "pw", "id", "secret", "https://tenant.example")


def as_wsgi(value):
    """A UTF-8 header value as WSGI hands it over."""
    return value.encode().decode("latin-1")


@pytest.mark.parametrize("spelling", ["x-dbplanet-client-id", "x-dbplanet-clientid", "x-dbplanet-client-i-d"])
def test_hyphens_after_the_prefix_are_optional(spelling):
    assert from_headers({spelling: "abc"}) == Credentials(client_id="abc")


@pytest.mark.parametrize("value", ["Pässwört", "日本", "😀", "a b", '"quoted"', "12345", "null"])
def test_values_are_utf_8(value):
    assert from_headers({"x-dbplanet-password": as_wsgi(value)}).password == value


def test_what_is_not_utf_8_is_latin_1():
    assert from_headers({"x-dbplanet-password": "P\xe4ss"}).password == "Päss"


@pytest.mark.parametrize("value", ["a\x00b", "a\nb", "a\rb", "a\tb", "a\x7fb", as_wsgi("a\x85b")], ids=ascii)
def test_control_characters_are_refused(value):
    with pytest.raises(RpcError) as caught:
        from_headers({"x-dbplanet-password": value})
    assert (caught.value.code, caught.value.status) == (-32600, 400)
    assert "x-dbplanet-password" in caught.value.message


def test_what_is_longer_than_any_credential_is_refused_without_showing_it():
    assert from_headers({"x-dbplanet-password": "p" * 1024}).password == "p" * 1024
    with pytest.raises(RpcError, match="x-dbplanet-password is longer than 1024") as caught:
        from_headers({"x-dbplanet-password": "p" * 1025})
    assert "pp" not in caught.value.message


_wsgi_values = (
    st.text(st.characters(codec="latin-1"), max_size=5)
    | st.text(st.characters(codec="utf-8"), max_size=5).map(as_wsgi)
    | st.sampled_from(["p" * 1024, "p" * 1025, "é" * 1024, "é" * 1025])
)


@given(_wsgi_values)
def test_every_value_is_decoded_and_checked(given_value):
    raw = given_value.encode("latin-1")
    value = raw.decode("utf-8") if is_utf_8(raw) else given_value
    if len(value) > 1024 or any(unicodedata.category(each) == "Cc" for each in value):
        with pytest.raises(RpcError):
            from_headers({"x-dbplanet-password": given_value})
    else:
        assert from_headers({"x-dbplanet-password": given_value}) == Credentials(password=value)


def is_utf_8(raw):
    try:
        raw.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def test_two_spellings_that_disagree_are_refused():
    with pytest.raises(RpcError, match="two spellings") as caught:
        from_headers({"x-dbplanet-client-id": "secret-one", "x-dbplanet-clientid": "secret-two"})
    assert "secret" not in caught.value.message


def test_two_spellings_that_agree_are_one():
    assert from_headers({"x-dbplanet-client-id": "a", "x-dbplanet-clientid": "a"}) == Credentials(
        client_id="a"
    )


def test_other_headers_are_not_read():
    assert not from_headers({"authorization": "Bearer x", "x-dbplanet-other": "y", "cookie": "z"}).given


def test_an_empty_header_was_given_but_does_not_suffice():
    credentials = from_headers({"x-dbplanet-username": ""})
    assert (credentials.given, credentials.complete) == (True, False)


def test_what_is_missing_is_named_with_its_header():
    with pytest.raises(ToolError) as caught:
        Credentials("ada", "", base_url="https://tenant.example").require()
    assert "password (x-dbplanet-password)" in caught.value.message
    assert "client_secret (x-dbplanet-client-secret)" in caught.value.message
    assert "username" not in caught.value.message


def test_the_repr_shows_no_value():
    shown = f"{FULL!r} {FULL!s} {FULL}"
    assert not [value for value in FULL.values if value in shown]


@pytest.mark.parametrize(
    ("base_url", "origin"),
    [
        ("https://Tenant.Example", "https://tenant.example"),
        ("https://tenant.example/", "https://tenant.example"),
        ("https://tenant.example:443", "https://tenant.example"),
        ("http://127.0.0.1:3001", "http://127.0.0.1:3001"),
        ("http://[::1]:3001/", "http://[::1]:3001"),
        ("https://tenant.example:08443", "https://tenant.example:8443"),
    ],
)
def test_a_base_url_is_an_origin(base_url, origin):
    assert origin_of(base_url) == origin


@pytest.mark.parametrize(
    "base_url",
    [
        "",
        "tenant.example",
        "ftp://tenant.example",
        "https://user@tenant.example",
        "https://user:pw@tenant.example",
        "https://tenant.example/path",
        "https://tenant.example//",
        "https://tenant.example?x",
        "https://tenant.example#x",
        "https://ok.example\\@evil.example",
        "https://tenant.example:0",
        "https://tenant.example:65536",
        "https://tenant.example:",
        "https://ⓣenant.example",
        "https://ten ant.example",
        "https://.example",
        "https://",
    ],
)
def test_anything_else_is_no_base_url(base_url):
    assert origin_of(base_url) is None


@pytest.mark.parametrize(
    ("base_url", "served"),
    [
        ("https://tenant.example", True),
        ("https://TENANT.example:443/", True),
        ("http://tenant.example", False),
        ("https://tenant.example:8443", False),
        ("https://tenant.example.evil.com", False),
        ("https://a.haiilo.example", True),
        ("https://a.b.haiilo.example", True),
        ("https://haiilo.example", False),
        ("http://a.haiilo.example", False),
        ("https://evilhaiilo.example", False),
        ("https://haiilo.example.evil.com", False),
    ],
)
def test_only_listed_tenants_are_served(base_url, served):
    policy = Policy.for_tenants(["https://tenant.example", "https://*.haiilo.example"], exclusive=True)
    if served:
        assert check_base_url(base_url, policy)
    else:
        with pytest.raises(ToolError, match="not served here"):
            check_base_url(base_url, policy)
