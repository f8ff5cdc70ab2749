"""The operator's proxy is handed checked addresses: it would resolve a name again."""

from __future__ import annotations

import contextlib
import socket
import threading
import time
from collections.abc import Callable, Iterator

import pytest
from egress_certificates import Authority
from egress_servers import Peer, always, ok, redirect, serving

from dbplanet.egress import Egress, EgressError, Policy

MakeEgress = Callable[..., Egress]


class Proxy:
    """A forward proxy for CONNECT and absolute URLs, which knows no names."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.heads: list[bytes] = []

    def __call__(self, peer: Peer) -> None:
        while head := peer.read_request():
            self.heads.append(head)
            line = head.split(b"\r\n")[0].decode()
            self.lines.append(line)
            method, target, _ = line.split(" ")
            if method == "CONNECT":
                self._tunnel(peer, target)
                return
            self._forward(peer, head, target)

    def _tunnel(self, peer: Peer, target: str) -> None:
        host, port = target.rsplit(":", 1)
        with socket.create_connection((host.strip("[]"), int(port)), 5) as upstream:
            peer.send(b"HTTP/1.1 200 Connection established\r\n\r\n")
            back = threading.Thread(target=pump, args=(upstream, peer.sock))
            back.start()
            pump(peer.sock, upstream)
            back.join()

    def _forward(self, peer: Peer, head: bytes, target: str) -> None:
        authority, _, path = target.removeprefix("http://").partition("/")
        host, port = authority.rsplit(":", 1)
        request = head.replace(target.encode(), f"/{path}".encode(), 1)
        with socket.create_connection((host, int(port)), 5) as upstream:
            upstream.sendall(request)
            peer.send(upstream.recv(65536))


def pump(source: socket.socket, sink: socket.socket) -> None:
    with contextlib.suppress(OSError):
        while data := source.recv(65536):
            sink.sendall(data)
    with contextlib.suppress(OSError):
        sink.shutdown(socket.SHUT_WR)


@pytest.fixture
def proxy() -> Iterator[tuple[Proxy, str]]:
    handler = Proxy()
    with serving(handler) as server:
        yield handler, f"http://operator:fake@127.0.0.1:{server.port}"


def failing(egress: Egress, url: str, method: str = "GET") -> EgressError:
    with pytest.raises(EgressError) as caught:
        egress.send(method, url)
    return caught.value


def test_http_goes_to_the_checked_address_under_its_name(
    make_egress: MakeEgress, proxy: tuple[Proxy, str]
) -> None:
    handler, address = proxy
    with serving(always(ok(b"through"))) as server:
        egress = make_egress(proxy=address)
        for _ in range(2):
            assert egress.send("GET", f"http://app.test:{server.port}/x?y=1").body == b"through"
    assert handler.lines == [f"GET http://127.0.0.1:{server.port}/x?y=1 HTTP/1.1"] * 2
    assert b"\r\nHost: app.test:%d\r\n" % server.port in server.requests[0]
    assert b"\r\nProxy-Authorization: Basic " in handler.heads[0]


def test_https_goes_through_connect_with_the_names_certificate(
    make_egress: MakeEgress, proxy: tuple[Proxy, str], authority: Authority
) -> None:
    handler, address = proxy
    asked: list[str | None] = []
    context = authority.context("app.test")
    context.sni_callback = lambda sock, name, original: asked.append(name)
    with serving(always(ok(b"through")), tls=context) as server:
        egress = make_egress(proxy=address)
        for _ in range(2):
            assert egress.send("GET", f"https://app.test:{server.port}/").body == b"through"
    assert [line.rsplit(" ", 1)[0] for line in handler.lines] == [f"CONNECT 127.0.0.1:{server.port}"]
    assert asked == ["app.test"]
    assert b"\r\nHost: app.test:%d\r\n" % server.port in server.requests[0]
    assert b"Proxy-Authorization" not in server.requests[0]


def test_a_wrong_certificate_behind_the_proxy_is_refused(
    make_egress: MakeEgress, proxy: tuple[Proxy, str], authority: Authority
) -> None:
    with serving(always(ok()), tls=authority.context("other.test")) as server:
        error = failing(make_egress(proxy=proxy[1]), f"https://app.test:{server.port}/", "POST")
    assert (error.code, error.sent) == ("tls", False)


@pytest.mark.parametrize("scheme", ["http", "https"])
def test_a_forbidden_address_never_reaches_the_proxy(
    make_egress: MakeEgress, proxy: tuple[Proxy, str], scheme: str
) -> None:
    egress = make_egress(proxy=proxy[1], names={"inner.test": ["10.0.0.1"]})
    for host in ("inner.test", "127.0.0.9", "169.254.169.254"):
        assert failing(egress, f"{scheme}://{host}:8080/").reason == "non_public_address"
    assert proxy[0].lines == []


def test_a_name_is_checked_again_for_each_request_to_an_http_proxy(
    make_egress: MakeEgress, proxy: tuple[Proxy, str]
) -> None:
    answers = [["127.0.0.1"], ["127.0.0.9"]]
    with serving(always(ok())) as server:
        egress = make_egress(proxy=proxy[1], resolver=lambda host: answers.pop(0))
        assert egress.send("GET", f"http://rebind.test:{server.port}/").status == 200
        assert failing(egress, f"http://rebind.test:{server.port}/").reason == "non_public_address"
    assert len(proxy[0].lines) == 1


def test_an_origin_of_the_operator_goes_by_name(make_egress: MakeEgress, proxy: tuple[Proxy, str]) -> None:
    def no_lookup(host: str) -> list[str]:
        raise AssertionError(host)

    handler, address = proxy
    with serving(always(ok(b"named"))) as server:
        # the only name that a proxy without a name server knows
        url = f"http://localhost:{server.port}"
        egress = make_egress(proxy=address, policy=Policy.for_tenants([url]), resolver=no_lookup)
        assert egress.send("GET", f"{url}/").body == b"named"
    assert handler.lines == [f"GET {url}/ HTTP/1.1"]


def test_a_redirect_behind_the_proxy_is_checked(make_egress: MakeEgress, proxy: tuple[Proxy, str]) -> None:
    with serving(always(redirect("http://127.0.0.9:8080/"))) as server, pytest.raises(EgressError) as caught:
        make_egress(proxy=proxy[1]).send("GET", f"http://app.test:{server.port}/", follow_redirects=True)
    assert caught.value.reason == "non_public_address"
    assert len(proxy[0].lines) == 1


@pytest.mark.parametrize("scheme", ["http", "https"])
def test_a_dead_proxy_is_told(make_egress: MakeEgress, scheme: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    error = failing(make_egress(proxy=f"http://127.0.0.1:{port}"), f"{scheme}://app.test/", "POST")
    assert (error.code, error.sent) == ("proxy", False)


def test_a_proxy_that_refuses_is_told(make_egress: MakeEgress) -> None:
    with serving(always(ok(b"no", status="403 Forbidden"))) as server:
        egress = make_egress(proxy=f"http://127.0.0.1:{server.port}")
        error = failing(egress, "https://app.test/", "POST")
    assert (error.code, error.sent) == ("proxy", False)


@pytest.mark.parametrize("scheme", ["http", "https"])
def test_a_proxy_that_drips_ends_at_the_total_limit(make_egress: MakeEgress, scheme: str) -> None:
    def drips(peer: Peer) -> None:
        peer.read_request()
        peer.send(b"HTTP/1.1 200 OK\r\nX-Slow: ")
        peer.drip(b"a")

    begin = time.monotonic()
    with serving(drips) as server:
        egress = make_egress(proxy=f"http://127.0.0.1:{server.port}", total=0.4)
        error = failing(egress, f"{scheme}://app.test/", "POST")
    assert (error.code, error.sent) == ("deadline", scheme == "http")
    assert time.monotonic() - begin < 1.5
