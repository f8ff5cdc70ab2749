"""However a server wastes time, the call ends at its total limit, and its thread is free."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

import pytest
from egress_certificates import Authority
from egress_servers import Handler, Peer, always, ok, serving
from requests import Response

from dbplanet.egress import Egress, EgressError, client
from dbplanet.egress.bodies import read_body
from dbplanet.egress.exchange import current_exchange

MakeEgress = Callable[..., Egress]
TOTAL = 0.3
HEAD = b"HTTP/1.1 200 OK\r\n"


def drip_header_bytes(peer: Peer) -> None:
    peer.read_request()
    peer.send(HEAD + b"X-Slow: ")
    peer.drip(b"a")


def drip_header_lines(peer: Peer) -> None:
    peer.read_request()
    peer.send(HEAD)
    peer.drip(b"X-Slow: a\r\n")


def drip_status_line(peer: Peer) -> None:
    peer.read_request()
    peer.drip(b"H")


def drip_body_with_length(peer: Peer) -> None:
    peer.read_request()
    peer.send(HEAD + b"Content-Length: 1000\r\n\r\n")
    peer.drip(b"a")


def drip_body_until_close(peer: Peer) -> None:
    peer.read_request()
    peer.send(HEAD + b"Connection: close\r\n\r\n")
    peer.drip(b"a")


def drip_chunks(peer: Peer) -> None:
    peer.read_request()
    peer.send(HEAD + b"Transfer-Encoding: chunked\r\n\r\n")
    peer.drip(b"1\r\na\r\n")


def drip_chunk_extension(peer: Peer) -> None:
    peer.read_request()
    peer.send(HEAD + b"Transfer-Encoding: chunked\r\n\r\n1;")
    peer.drip(b"a")


def drip_trailers(peer: Peer) -> None:
    peer.read_request()
    peer.send(HEAD + b"Transfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\n")
    peer.drip(b"X-Trailer: a\r\n")


def drip_gzip(peer: Peer) -> None:
    peer.read_request()
    peer.send(HEAD + b"Content-Encoding: gzip\r\n\r\n\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03")
    # empty stored blocks: bytes on the wire that decode to nothing
    peer.drip(b"\x00\x00\x00\xff\xff")


def endless_continue(peer: Peer) -> None:
    peer.read_request()
    peer.drip(b"HTTP/1.1 100 Continue\r\n\r\n", every=0.001)


def body_is_never_read(peer: Peer) -> None:
    peer.hang()


SLOW: list[Handler] = [
    drip_header_bytes,
    drip_header_lines,
    drip_status_line,
    drip_body_with_length,
    drip_body_until_close,
    drip_chunks,
    drip_chunk_extension,
    drip_trailers,
    drip_gzip,
    endless_continue,
]


def failing(
    egress: Egress, url: str, method: str = "GET", body: bytes | None = None
) -> tuple[EgressError, float]:
    begin = time.monotonic()
    with pytest.raises(EgressError) as caught:
        egress.send(method, url, body=body)
    return caught.value, time.monotonic() - begin


@pytest.mark.parametrize("handler", SLOW)
def test_the_total_limit_holds(make_egress: MakeEgress, handler: Handler) -> None:
    with serving(handler) as server:
        error, seconds = failing(make_egress(total=TOTAL), f"http://app.test:{server.port}/", "POST")
    assert (error.kind, error.code, error.timeout, error.sent) == ("network", "deadline", True, True)
    assert TOTAL * 0.9 < seconds < TOTAL + 1.5
    assert len(server.requests) == 1


@pytest.mark.parametrize("handler", [drip_header_bytes, drip_body_until_close, endless_continue])
def test_the_total_limit_holds_over_tls(
    make_egress: MakeEgress, authority: Authority, handler: Handler
) -> None:
    with serving(handler, tls=authority.context("app.test")) as server:
        error, seconds = failing(make_egress(total=TOTAL), f"https://app.test:{server.port}/")
    assert error.code == "deadline"
    assert seconds < TOTAL + 1.5


def test_the_callers_deadline_shortens_the_limit(make_egress: MakeEgress) -> None:
    begin = time.monotonic()
    with serving(drip_body_with_length) as server, pytest.raises(EgressError) as caught:
        make_egress().send("GET", f"http://app.test:{server.port}/", deadline=begin + 0.3)
    assert caught.value.code == "deadline"
    assert time.monotonic() - begin < 1.8


def test_a_body_that_nobody_reads_ends_at_the_limit(make_egress: MakeEgress) -> None:
    with serving(body_is_never_read) as server:
        egress = make_egress(total=TOTAL, request_bytes=64_000_000)
        error, seconds = failing(egress, f"http://app.test:{server.port}/", "POST", bytes(32_000_000))
    assert (error.code, error.sent) == ("deadline", True)
    assert seconds < TOTAL + 1.5


def test_no_answer_ends_at_the_read_limit(make_egress: MakeEgress) -> None:
    def silent(peer: Peer) -> None:
        peer.read_request()
        peer.hang()

    with serving(silent) as server:
        error, seconds = failing(make_egress(read=0.2), f"http://app.test:{server.port}/", "POST")
    assert (error.code, error.timeout, error.sent) == ("read_timeout", True, True)
    assert seconds < 1.5


def test_a_body_that_stops_ends_at_the_read_limit(make_egress: MakeEgress) -> None:
    def stops(peer: Peer) -> None:
        peer.read_request()
        peer.send(HEAD + b"Content-Length: 10\r\n\r\nabc")
        peer.hang()

    with serving(stops) as server:
        error, seconds = failing(make_egress(read=0.2), f"http://app.test:{server.port}/")
    assert (error.code, error.status) == ("read_timeout", 200)
    assert seconds < 1.5


def test_a_tls_handshake_without_an_answer_ends_at_the_connect_limit(make_egress: MakeEgress) -> None:
    with serving(body_is_never_read) as server:
        error, seconds = failing(make_egress(connect=0.2), f"https://app.test:{server.port}/", "POST")
    assert (error.code, error.timeout, error.sent) == ("read_timeout", True, False)
    assert seconds < 1.5


def test_a_dripped_tls_handshake_ends_at_the_total_limit(make_egress: MakeEgress) -> None:
    def drip(peer: Peer) -> None:
        peer.send(b"\x16\x03\x03\x40\x00")
        peer.drip(b"\x00")

    with serving(drip) as server:
        error, seconds = failing(make_egress(total=TOTAL), f"https://app.test:{server.port}/", "POST")
    assert (error.code, error.sent) == ("deadline", False)
    assert seconds < TOTAL + 1.5


def test_a_call_that_ends_by_its_deadline_harms_no_other(make_egress: MakeEgress) -> None:
    def by_path(peer: Peer) -> None:
        while request := peer.read_request():
            if b"/slow" in request:
                peer.send(HEAD + b"Content-Length: 1000\r\n\r\n")
                peer.drip(b"a")
            else:
                peer.send(ok())

    with serving(by_path) as server:
        egress = make_egress(total=5.0)
        url = f"http://app.test:{server.port}"
        slow: list[str] = []

        def call() -> None:
            with pytest.raises(EgressError) as caught:
                egress.send("GET", f"{url}/slow", deadline=time.monotonic() + TOTAL)
            slow.append(caught.value.code)

        threads = [threading.Thread(target=call) for _ in range(4)]
        for thread in threads:
            thread.start()
        quick = 0
        while any(thread.is_alive() for thread in threads):
            assert egress.send("GET", f"{url}/quick").body == b"ok"
            quick += 1
    assert slow == ["deadline"] * 4
    assert quick > 10


def test_a_deadline_between_the_last_byte_and_the_end_of_the_call_harms_nobody(
    make_egress: MakeEgress, monkeypatch: pytest.MonkeyPatch
) -> None:
    def read_and_let_the_deadline_come(response: Response, limit: int) -> bytes:
        body = read_body(response, limit)
        # by now the connection is kept, and may be in another thread's hands
        current_exchange()._expire()
        return body

    monkeypatch.setattr(client, "read_body", read_and_let_the_deadline_come)
    with serving(always(ok())) as server:
        egress = make_egress()
        for _ in range(3):
            assert egress.send("GET", f"http://app.test:{server.port}/").body == b"ok"
    assert server.connections == 1


def test_a_large_body_may_take_longer_than_connecting(make_egress: MakeEgress) -> None:
    def reads_late(peer: Peer) -> None:
        peer.server.over.wait(0.4)
        peer.read_request()
        peer.send(ok())

    with serving(reads_late) as server:
        egress = make_egress(connect=0.15, request_bytes=64_000_000)
        assert egress.send("POST", f"http://app.test:{server.port}/", body=bytes(16_000_000)).status == 200


def test_a_deadline_after_the_answer_does_not_touch_the_kept_connection(make_egress: MakeEgress) -> None:
    with serving(always(ok())) as server:
        egress = make_egress()
        url = f"http://app.test:{server.port}/"
        egress.send("GET", url, deadline=time.monotonic() + 0.15)
        time.sleep(0.25)
        assert egress.send("GET", url).body == b"ok"
    assert server.connections == 1
