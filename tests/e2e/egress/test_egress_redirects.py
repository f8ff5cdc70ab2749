"""Redirects are followed by hand: every hop goes through the whole check."""

from __future__ import annotations

import gzip
from collections.abc import Callable

import pytest
from egress_certificates import Authority
from egress_servers import always, by_path, ok, redirect, serving

from dbplanet.egress import Egress, EgressError, Policy

MakeEgress = Callable[..., Egress]
SECRETS = {
    "Authorization": "Bearer fake",
    "Cookie": "sid=fake",
    "X-Api-Key": "fake",
    "Accept": "application/json",
    "Accept-Language": "de",
    "User-Agent": "mine",
}


def get(egress: Egress, url: str, **options: object) -> EgressError:
    with pytest.raises(EgressError) as caught:
        egress.send("GET", url, follow_redirects=True, **options)  # type: ignore[arg-type]
    return caught.value


def header_names(request: bytes) -> set[bytes]:
    return {line.split(b":")[0].lower() for line in request.split(b"\r\n\r\n")[0].split(b"\r\n")[1:]}


@pytest.mark.parametrize(
    ("location", "code", "reason"),
    [
        ("http://127.0.0.9/", "blocked", "non_public_address"),
        ("http://inner.test/", "blocked", "non_public_address"),
        ("http://169.254.169.254/latest/meta-data/", "blocked", "non_public_address"),
        ("http://2130706433/", "blocked", "ipv4_form"),
        ("http://[::ffff:127.0.0.9]/", "blocked", "non_public_address"),
        ("//127.0.0.9/", "blocked", "non_public_address"),
        ("http://user@app.test/", "blocked", "userinfo"),
        ("http://localhost/", "blocked", "deny_host"),
        ("http://app.test:22/", "blocked", "port"),
        ("file:///etc/passwd", "invalid_scheme", None),
        ("javascript:alert(1)", "invalid_scheme", None),
        ("http://", "invalid_url", None),
        ("http:\\\\127.0.0.9/", "invalid_url", None),
        ("http://app.test/\tx", "invalid_url", None),
        ("//[::1/", "invalid_url", None),
    ],
)
def test_a_redirect_to_where_nothing_may_go_is_refused(
    make_egress: MakeEgress, location: str, code: str, reason: str | None
) -> None:
    with serving(always(redirect(location))) as server:
        egress = make_egress(names={"inner.test": ["10.0.0.1"]})
        error = get(egress, f"http://app.test:{server.port}/")
    assert (error.code, error.reason) == (code, reason)
    assert len(server.requests) == 1


def test_the_same_origin_keeps_its_headers(make_egress: MakeEgress) -> None:
    with serving(by_path(old=redirect("/new?x=1"), new=ok(b"here"))) as server:
        url = f"http://app.test:{server.port}"
        answer = make_egress().send("GET", f"{url}/old", headers=SECRETS, follow_redirects=True)
    assert (answer.body, answer.url) == (b"here", f"{url}/new?x=1")
    assert {b"authorization", b"cookie", b"x-api-key"} <= header_names(server.requests[1])
    assert b"User-Agent: mine" in server.requests[1]


@pytest.mark.parametrize(
    "status", ["301 Moved", "302 Found", "303 See Other", "307 Temporary", "308 Permanent"]
)
def test_another_origin_gets_nothing_of_the_callers_but_harmless_headers(
    make_egress: MakeEgress, status: str
) -> None:
    with serving(always(ok(b"other"))) as other:
        # the port alone makes another origin
        location = f"http://app.test:{other.port}/"
        with serving(always(redirect(location, status))) as first:
            url = f"http://app.test:{first.port}/"
            answer = make_egress().send("GET", url, headers=SECRETS, follow_redirects=True)
    assert (answer.body, answer.url) == (b"other", location)
    names = header_names(other.requests[0])
    assert not {b"authorization", b"cookie", b"x-api-key"} & names
    assert {b"accept", b"accept-language", b"user-agent"} <= names


def test_a_tenant_may_not_redirect_to_another_origin(make_egress: MakeEgress) -> None:
    with serving(always(ok())) as other, serving(always(redirect(f"http://app.test:{other.port}/"))) as first:
        policy = Policy.for_tenants([f"http://app.test:{server.port}" for server in (first, other)])
        error = get(make_egress(policy=policy), f"http://app.test:{first.port}/")
    assert (error.code, error.reason) == ("blocked", "cross_origin")
    assert other.connections == 0


def test_https_never_goes_down_to_http(make_egress: MakeEgress, authority: Authority) -> None:
    with serving(always(ok())) as plain:
        answer = redirect(f"http://app.test:{plain.port}/")
        with serving(always(answer), tls=authority.context("app.test")) as first:
            error = get(make_egress(), f"https://app.test:{first.port}/")
    assert (error.code, error.reason, plain.connections) == ("blocked", "downgrade", 0)


def test_a_loop_ends(make_egress: MakeEgress) -> None:
    with serving(always(redirect("/again"))) as server:
        error = get(make_egress(redirects=5), f"http://app.test:{server.port}/")
    assert (error.kind, error.code, len(server.requests)) == ("http", "too_many_redirects", 6)


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "PATCH", "HEAD", "OPTIONS"])
@pytest.mark.parametrize(
    "status", ["301 Moved", "302 Found", "303 See Other", "307 Temporary", "308 Permanent"]
)
def test_only_a_get_is_redirected(make_egress: MakeEgress, method: str, status: str) -> None:
    answer = f"HTTP/1.1 {status}\r\nLocation: /new\r\nContent-Length: 0\r\n\r\n".encode()
    with serving(always(answer)) as server:
        url = f"http://app.test:{server.port}/"
        got = make_egress().send(method, url, body=b"x" if method == "POST" else None, follow_redirects=True)
    assert (got.status, got.headers["location"], len(server.requests)) == (int(status[:3]), "/new", 1)


def test_a_redirect_is_an_answer_when_not_to_be_followed(make_egress: MakeEgress) -> None:
    with serving(always(redirect("http://127.0.0.9/"))) as server:
        answer = make_egress().send("GET", f"http://app.test:{server.port}/")
    assert (answer.status, answer.body) == (302, b"moved")


def test_the_body_of_a_redirect_is_bounded(make_egress: MakeEgress) -> None:
    bomb = gzip.compress(bytes(50_000_000))
    answer = ok(bomb, "Content-Encoding: gzip", "Location: /again", status="302 Found")
    with serving(always(answer)) as server:
        egress = make_egress(response_bytes=100_000)
        with pytest.raises(EgressError) as caught:
            egress.send("GET", f"http://app.test:{server.port}/")
        error = get(egress, f"http://app.test:{server.port}/")
    assert (caught.value.code, error.code) == ("response_too_large", "too_many_redirects")


def test_the_session_used_directly_follows_nothing(make_egress: MakeEgress) -> None:
    with serving(always(redirect("/again"))) as server:
        response = make_egress().session.get(f"http://app.test:{server.port}/")
    assert (response.status_code, response.text, len(server.requests)) == (302, "moved", 1)


def test_a_location_in_utf_8_is_understood(make_egress: MakeEgress) -> None:
    location = "/ü".encode().decode("latin-1")
    with serving(by_path(old=redirect(location), **{"%C3%BC": ok(b"umlaut")})) as server:
        answer = make_egress().send("GET", f"http://app.test:{server.port}/old", follow_redirects=True)
    assert answer.body == b"umlaut"


def test_the_deadline_spans_all_hops(make_egress: MakeEgress) -> None:
    def slow(peer: object) -> None:
        while peer.read_request():  # type: ignore[attr-defined]
            peer.server.over.wait(0.15)  # type: ignore[attr-defined]
            peer.send(redirect("/again"))  # type: ignore[attr-defined]

    with serving(slow) as server:
        error = get(make_egress(total=0.4, redirects=50), f"http://app.test:{server.port}/")
    assert error.code == "deadline"
    assert len(server.requests) <= 4
