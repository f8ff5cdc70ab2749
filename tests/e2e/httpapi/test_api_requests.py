"""What goes over the wire for each tool's arguments, and which headers a caller may not set."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from e2e.egress.egress_servers import always, by_path, ok, redirect, serving
from e2e.httpapi.api_calls import Api, Outcome

MakeApi = Callable[..., Api]

JSON, TEXT = b"application/json", b"text/plain; charset=utf-8"


def sent(make_api: MakeApi, tool: str, **arguments: Any) -> tuple[bytes, dict[bytes, bytes], bytes]:
    """Call a tool; return the request line, the headers by lower-case name, and the body of what came."""
    with serving(always(ok())) as server:
        make_api().call(tool, url=f"http://app.test:{server.port}/x?y=1", **arguments)
    (request,) = server.requests
    head, _, body = request.partition(b"\r\n\r\n")
    line, *fields = head.split(b"\r\n")
    headers = [field.split(b": ", 1) for field in fields]
    assert len({name.lower() for name, _ in headers}) == len(headers)
    return line, {name.lower(): value for name, value in headers}, body


@pytest.mark.parametrize("method", ["GET", "POST", "PUT", "DELETE"])
def test_each_tool_sends_its_method(make_api: MakeApi, method: str) -> None:
    line, headers, body = sent(make_api, f"api_{method.lower()}", headers={"X-Own": "ü"})
    assert line == f"{method} /x?y=1 HTTP/1.1".encode()
    assert headers[b"x-own"] == "ü".encode("latin-1")
    assert headers[b"user-agent"] == b"MCP-API-Server/1"
    assert headers[b"accept-encoding"] == b"gzip, deflate"
    assert b"content-type" not in headers
    assert b"transfer-encoding" not in headers
    assert body == b""


@pytest.mark.parametrize("tool", ["api_post", "api_put"])
@pytest.mark.parametrize(
    ("body", "content", "content_type"),
    [
        ({"a": "ü", "b": [1, None, True]}, '{"a":"ü","b":[1,null,true]}'.encode(), JSON),
        ([], b"[]", JSON),
        ({}, b"{}", JSON),
        ('{"a": 1.10}', b'{"a": 1.10}', JSON),
        (" [1, 2]\n", b" [1, 2]\n", JSON),
        ('{"a": 123456789012345678901234567890}', b'{"a": 123456789012345678901234567890}', JSON),
        ("5", b"5", TEXT),
        ('"quoted"', b'"quoted"', TEXT),
        ("null", b"null", TEXT),
        ("a=1&b=2", b"a=1&b=2", TEXT),
        ("{not json}", b"{not json}", TEXT),
        ('{"a": NaN}', b'{"a": NaN}', TEXT),
        ("Grüße 😀", "Grüße 😀".encode(), TEXT),
        ("", b"", TEXT),
    ],
)
def test_a_body_without_a_type_goes_as_what_it_is(
    make_api: MakeApi, tool: str, body: Any, content: bytes, content_type: bytes
) -> None:
    _, headers, received = sent(make_api, tool, body=body)
    assert (received, headers[b"content-type"]) == (content, content_type)
    assert headers[b"content-length"] == str(len(content)).encode()


@pytest.mark.parametrize(
    ("body", "content", "given"),
    [
        ("a=1", b"a=1", "application/x-www-form-urlencoded"),
        ('{"a": 1}', b'{"a": 1}', "text/plain"),
        ("<a/>", b"<a/>", "application/xml"),
        ({"a": 1}, b'{"a":1}', "application/vnd.api+json"),
        ("5", b"5", "application/json"),
        ("ü", "ü".encode("latin-1"), "text/plain; charset=ISO-8859-1"),
        ('"ü"', '"ü"'.encode(), "application/json; charset=ISO-8859-1"),
        ("ü", "ü".encode(), "text/plain; charset=hex"),
        ("x", b"x", "nonsense"),
    ],
)
def test_a_given_type_is_kept_in_whatever_case_its_name_is(
    make_api: MakeApi, body: Any, content: bytes, given: str
) -> None:
    for name in ("Content-Type", "content-type"):
        _, headers, received = sent(make_api, "api_post", body=body, headers={name: given})
        assert (received, headers[b"content-type"]) == (content, given.encode())


def test_headers_that_came_packed_in_a_string_are_unpacked(make_api: MakeApi) -> None:
    for packed in ('{"X-Own": "1"}', '"{\\"X-Own\\": \\"1\\"}"'):
        assert sent(make_api, "api_get", headers=packed)[1][b"x-own"] == b"1"


def test_an_empty_type_counts_as_none(make_api: MakeApi) -> None:
    _, headers, received = sent(make_api, "api_post", body=[1], headers={"content-type": ""})
    assert (headers[b"content-type"], received) == (JSON, b"[1]")


def test_the_user_agent_is_the_operators_unless_the_caller_gives_one(make_api: MakeApi) -> None:
    def api(**options: Any) -> Api:
        return make_api(options={"user_agent": "ours/7"}, **options)

    assert sent(api, "api_get")[1][b"user-agent"] == b"ours/7"
    assert sent(api, "api_get", headers={"user-agent": "theirs/1"})[1][b"user-agent"] == b"theirs/1"


def test_null_and_absent_are_the_same(make_api: MakeApi) -> None:
    assert sent(make_api, "api_post", headers=None, body=None)[2] == b""


def refused(make_api: MakeApi, tool: str, **arguments: Any) -> Outcome:
    """Call a tool; nothing may have been sent, and nothing secret may come back."""
    with serving(always(ok())) as server:
        outcome = make_api().attempt(tool, url=f"http://app.test:{server.port}/", **arguments)
    assert server.connections == 0
    assert "hidden" not in outcome.text
    return outcome


FORBIDDEN = (
    *("Host", "host", "Content-Length", "Transfer-Encoding", "Connection", "Keep-Alive", "TE", "Trailer"),
    *("Upgrade", "Expect", "Accept-Encoding", "HTTP2-Settings", "Proxy-Authorization", "Proxy-Connection"),
    *("Sec-Fetch-Site", "Via", "Forwarded", "X-Forwarded-For", "X-Forwarded-Host", "X-Real-IP"),
    *("X-Original-URL", "X-Rewrite-URL", "X-HTTP-Method-Override", "X-Method-Override", "X-HTTP-Method"),
    *("Metadata-Flavor", "Metadata", "X-aws-ec2-metadata-token", "X-aws-ec2-metadata-token-ttl-seconds"),
)


@pytest.mark.parametrize("tool", ["api_get", "api_post"])
@pytest.mark.parametrize("name", FORBIDDEN)
def test_a_forbidden_header_is_refused_by_name(make_api: MakeApi, tool: str, name: str) -> None:
    outcome = refused(make_api, tool, headers={"Accept": "*/*", name: "hidden"})
    assert outcome.kind == ("validation", "forbidden_header")
    assert outcome.error["details"]["header"] == name


@pytest.mark.parametrize(
    "headers",
    [
        {"X-A": "1\r\nX-Injected: hidden"},
        {"X-A": "1\nX-Injected: hidden"},
        {"X-A": "1\rhidden"},
        {"X-A": "hidden\x00"},
        {"X-A": "hidden\x7f"},
        {"X-A": "hidden ☃"},
        {"X-A\r\nX-Injected": "hidden"},
        {"X-A: 1\r\nX-B": "hidden"},
        {"X A": "hidden"},
        {"X-A ": "hidden"},
        {"X-A:": "hidden"},
        {"": "hidden"},
        {"X-Ä": "hidden"},
        {"Transfer-Encoding ": "hidden"},
        {"\tHost": "hidden"},
        {"X-A": "hidden", "x-a": "hidden"},
        {"Content-Type": "hidden", "content-type": "hidden"},
        {"X-A": 5},
        {"X-A": None},
        {"X-A": ["hidden"]},
        {"X-A": {"b": "hidden"}},
        ["hidden"],
        "hidden",
        "Authorization: Bearer hidden",
        '["hidden"]',
        5,
        True,
        {f"X-{n}": "hidden" for n in range(65)},
        {"X-A": "hidden" * 3000},
    ],
    ids=repr,
)
def test_what_is_no_sound_header_is_refused_unsent(make_api: MakeApi, headers: Any) -> None:
    for tool in ("api_get", "api_post"):
        assert refused(make_api, tool, headers=headers).kind == ("validation", "invalid_headers")


@pytest.mark.parametrize(("name", "named"), [("X-A", {"header": "X-A"}), ("X-\ud800", {})])
def test_a_header_without_a_string_is_named_where_its_name_can_be_shown(
    make_api: MakeApi, name: str, named: dict[str, str]
) -> None:
    details = refused(make_api, "api_get", headers={name: 5}).error["details"]
    assert details == {"code": "invalid_headers", **named}


@pytest.mark.parametrize(
    ("body", "content_type", "code"),
    [
        ("{hidden", "application/json", "invalid_json"),
        ("{'a': 'hidden'}", "application/json; charset=utf-8", "invalid_json"),
        ('{"a": NaN}', "application/problem+json", "invalid_json"),
        ("", "application/json", "invalid_json"),
        ("[" * 50_000, "application/json", "invalid_json"),
        (5, None, "invalid_body"),
        (1.5, None, "invalid_body"),
        (True, None, "invalid_body"),
        ("hidden\ud800", None, "invalid_body"),
        ({"a": "hidden\udfff"}, None, "invalid_body"),
        ({"a": float("inf")}, None, "invalid_body"),
        ("hidden ☃", "text/plain; charset=latin-1", "invalid_body"),
    ],
)
def test_a_body_that_cannot_be_what_it_should_is_refused_unsent(
    make_api: MakeApi, body: Any, content_type: str | None, code: str
) -> None:
    headers = {"Content-Type": content_type} if content_type else None
    assert refused(make_api, "api_post", body=body, headers=headers).kind == ("validation", code)


def test_a_body_too_deep_to_be_written_is_refused(make_api: MakeApi) -> None:
    body: Any = []
    for _ in range(100_000):
        body = [body]
    assert refused(make_api, "api_put", body=body).kind == ("validation", "invalid_body")


@pytest.mark.parametrize("tool", ["api_get", "api_delete"])
def test_get_and_delete_take_no_body(make_api: MakeApi, tool: str) -> None:
    outcome = refused(make_api, tool, body="x")
    assert outcome.kind == ("validation", "invalid_arguments")
    assert "body" in outcome.error["message"]


def test_secrets_of_the_caller_do_not_follow_a_redirect_to_another_origin(make_api: MakeApi) -> None:
    own = {"Authorization": "Bearer fake", "Cookie": "a=1", "X-Api-Key": "fake", "Accept": "text/plain"}
    with (
        serving(always(ok(b"there"))) as other,
        serving(always(redirect(f"http://other.test:{other.port}/"))) as server,
    ):
        outcome = make_api().call("api_get", url=f"http://app.test:{server.port}/go", headers=own)
    assert outcome.value["data"] == "there"
    assert b"\r\nAuthorization: Bearer fake\r\n" in server.requests[0]
    assert b"fake" not in other.requests[0]
    assert b"Cookie" not in other.requests[0]
    assert b"\r\nAccept: text/plain\r\n" in other.requests[0]


@pytest.mark.parametrize("tool", ["api_post", "api_put", "api_delete"])
def test_a_write_follows_no_redirect(make_api: MakeApi, tool: str) -> None:
    with serving(by_path(go=redirect("/there", status="307 Temporary Redirect"))) as server:
        answer = make_api().call(tool, url=f"http://app.test:{server.port}/go").value
    assert (answer["status"], answer["headers"]["location"]) == (307, "/there")
    assert len(server.requests) == 1


def test_no_call_finds_the_connection_or_the_cookie_of_another(make_api: MakeApi) -> None:
    with serving(always(ok(b"", "Set-Cookie: a=1; Path=/", "Set-Cookie: b=2; Path=/"))) as server:
        api, url = make_api(), f"http://app.test:{server.port}/"
        for _ in range(3):
            assert api.call("api_get", url=url).value["headers"]["set-cookie"] == "a=1; Path=/\nb=2; Path=/"
    assert server.connections == 3
    assert not [request for request in server.requests if b"Cookie" in request]
