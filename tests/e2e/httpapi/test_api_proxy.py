"""Through the operator's proxy: the same rules, the same deadlines, and its own failures."""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterator

import pytest

from e2e.egress.egress_certificates import Authority
from e2e.egress.egress_servers import Peer, always, ok, serving
from e2e.httpapi.api_calls import Api
from e2e.httpapi.api_proxy import Proxy

MakeApi = Callable[..., Api]


@pytest.fixture
def proxy() -> Iterator[tuple[Proxy, str]]:
    handler = Proxy()
    with serving(handler) as server:
        yield handler, f"http://operator:fake@127.0.0.1:{server.port}"


def through(make_api: MakeApi, proxy: str, **limits: float) -> Api:
    return make_api(options={"proxy": proxy}, **limits)


@pytest.mark.parametrize("scheme", ["http", "https"])
def test_a_call_goes_through_the_proxy_to_the_checked_address(
    make_api: MakeApi, proxy: tuple[Proxy, str], authority: Authority, scheme: str
) -> None:
    tls = authority.context("app.test") if scheme == "https" else None
    with serving(always(ok(b"through")), tls=tls) as server:
        outcome = through(make_api, proxy[1]).call("api_get", url=f"{scheme}://app.test:{server.port}/x")
    assert outcome.value["data"] == "through"
    assert f"127.0.0.1:{server.port}" in proxy[0].lines[0]
    assert b"\r\nHost: app.test:%d\r\n" % server.port in server.requests[0]


@pytest.mark.parametrize("scheme", ["http", "https"])
def test_a_forbidden_address_never_reaches_the_proxy(
    make_api: MakeApi, proxy: tuple[Proxy, str], scheme: str
) -> None:
    api = make_api(options={"proxy": proxy[1]}, names={"inner.test": ["10.0.0.1"]})
    for host in ("inner.test", "127.0.0.9", "169.254.169.254"):
        assert api.attempt("api_get", url=f"{scheme}://{host}:8080/").kind == ("validation", "blocked")
    assert proxy[0].lines == []


@pytest.mark.parametrize("scheme", ["http", "https"])
def test_a_dead_proxy_is_told_without_its_address_or_password(make_api: MakeApi, scheme: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    api = through(make_api, f"http://operator:hidden@127.0.0.1:{port}")
    outcome = api.attempt("api_post", url=f"{scheme}://app.test/")
    assert outcome.kind == ("network", "proxy")
    assert not [word for word in ("hidden", "operator", "127.0.0.1", str(port)) if word in outcome.text]


def test_a_proxy_that_refuses_is_told(make_api: MakeApi) -> None:
    with serving(always(ok(b"no", status="403 Forbidden"))) as server:
        outcome = through(make_api, f"http://127.0.0.1:{server.port}").attempt(
            "api_get", url="https://app.test/"
        )
    assert outcome.kind == ("network", "proxy")


@pytest.mark.parametrize("scheme", ["http", "https"])
def test_a_proxy_that_drips_ends_at_the_total_limit(make_api: MakeApi, scheme: str) -> None:
    def drips(peer: Peer) -> None:
        peer.read_request()
        peer.send(b"HTTP/1.1 200 OK\r\nX-Slow: ")
        peer.drip(b"a")

    with serving(drips) as server:
        api = through(make_api, f"http://127.0.0.1:{server.port}", total=0.4)
        outcome = api.attempt("api_get", url=f"{scheme}://app.test/")
    assert outcome.kind == ("network", "deadline")
    assert outcome.seconds < 2


def test_a_wrong_certificate_behind_the_proxy_is_told(
    make_api: MakeApi, proxy: tuple[Proxy, str], authority: Authority
) -> None:
    with serving(always(ok()), tls=authority.context("other.test")) as server:
        outcome = through(make_api, proxy[1]).attempt("api_get", url=f"https://app.test:{server.port}/")
    assert outcome.kind == ("network", "tls")


def test_a_proxy_of_another_form_stops_the_start(make_api: MakeApi) -> None:
    with pytest.raises(ValueError, match="proxy"):
        through(make_api, "socks5://127.0.0.1:1080")
