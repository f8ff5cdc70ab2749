"""Kept connections are used for reads; a write never meets a stale one, and is never sent twice."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable

import pytest
import responses
from egress_servers import Handler, Peer, Server, always, ok, serving

from dbplanet.egress import Egress, EgressError

MakeEgress = Callable[..., Egress]
WRITES = ["POST", "PUT", "PATCH", "DELETE"]
READS = ["GET", "HEAD", "OPTIONS"]


def closes_at_the_second_request(peer: Peer) -> None:
    """Be stale in the worst moment: take the request in, then hang up without a word."""
    peer.read_request()
    peer.send(ok(b""))
    peer.read_request()


def resets_at_the_second_request(peer: Peer) -> None:
    closes_at_the_second_request(peer)
    peer.reset()


def closes_while_idle(peer: Peer) -> None:
    peer.read_request()
    peer.send(ok(b""))


def sends_out_of_turn(peer: Peer) -> None:
    """Answer one request twice: the second answer is nobody's."""
    peer.read_request()
    peer.send(ok(b"one"))
    peer.send(ok(b"forged"))
    while peer.read_request():
        peer.send(ok(b"two"))


STALE = [closes_at_the_second_request, resets_at_the_second_request, closes_while_idle]


def url_of(server: Server) -> str:
    return f"http://app.test:{server.port}/"


def test_reads_share_a_connection(make_egress: MakeEgress) -> None:
    with serving(always(ok(b""))) as server:
        egress = make_egress()
        for method in ["GET", "OPTIONS", "GET", "GET"]:
            egress.send(method, url_of(server))
    assert (server.connections, len(server.requests)) == (1, 4)


@pytest.mark.parametrize(
    "answer",
    [
        b"HTTP/1.1 204 No Content\r\n\r\n",
        b"HTTP/1.1 304 Not Modified\r\n\r\n",
        ok(b"gone", status="404 Not Found"),
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\n\r\n",
    ],
)
def test_any_whole_answer_leaves_the_connection_usable(make_egress: MakeEgress, answer: bytes) -> None:
    with serving(always(answer)) as server:
        egress = make_egress()
        for _ in range(3):
            egress.send("GET", url_of(server))
    assert server.connections == 1


@pytest.mark.parametrize("handler", STALE)
@pytest.mark.parametrize("method", WRITES)
def test_a_write_never_meets_a_stale_connection(
    make_egress: MakeEgress, handler: Handler, method: str
) -> None:
    with serving(handler) as server:
        egress = make_egress()
        egress.send("GET", url_of(server))
        assert egress.send(method, url_of(server), body=b"x").status == 200
    assert [request[:4] for request in server.requests] == [b"GET ", f"{method} "[:4].encode()]


@pytest.mark.parametrize("handler", STALE)
@pytest.mark.parametrize("method", READS)
def test_a_read_survives_a_stale_connection(make_egress: MakeEgress, handler: Handler, method: str) -> None:
    with serving(handler) as server:
        egress = make_egress()
        egress.send(method, url_of(server))
        assert egress.send(method, url_of(server)).status == 200
    assert server.connections == 2


@pytest.mark.parametrize("method", WRITES + READS)
def test_a_server_that_hangs_up_on_a_new_connection_is_asked_once(
    make_egress: MakeEgress, method: str
) -> None:
    with serving(lambda peer: peer.read_request() and None) as server, pytest.raises(EgressError) as caught:
        make_egress().send(method, url_of(server))
    assert (caught.value.code, caught.value.sent, len(server.requests)) == ("closed", True, 1)


@pytest.mark.parametrize("method", WRITES)
def test_a_write_whose_answer_is_cut_is_not_sent_again(make_egress: MakeEgress, method: str) -> None:
    def cut(peer: Peer) -> None:
        peer.read_request()
        peer.send(b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc")

    with serving(cut) as server, pytest.raises(EgressError) as caught:
        make_egress().send(method, url_of(server), body=b"x")
    assert (caught.value.code, caught.value.sent, len(server.requests)) == ("incomplete_response", True, 1)


def test_an_early_answer_to_a_large_write_is_read(make_egress: MakeEgress) -> None:
    def refuses(peer: Peer) -> None:
        peer.sock.recv(1000)
        peer.send(ok(b"too large", "Connection: close", status="413 Content Too Large"))
        while peer.sock.recv(65536):
            pass

    with serving(refuses) as server:
        assert make_egress().send("POST", url_of(server), body=bytes(3_000_000)).status == 413


def test_an_answer_out_of_turn_is_given_to_nobody(make_egress: MakeEgress) -> None:
    with serving(sends_out_of_turn) as server:
        egress = make_egress()
        assert egress.send("GET", url_of(server)).body == b"one"
        for _ in range(3):
            time.sleep(0.02)
            assert egress.send("GET", url_of(server)).body in {b"one", b"two"}


def test_a_stand_in_for_requests_adapter_sees_what_would_go_over_a_kept_connection(
    make_egress: MakeEgress,
) -> None:
    with serving(always(ok(b"real"))) as server:
        egress = make_egress()
        assert egress.send("GET", url_of(server)).body == b"real"
        with responses.RequestsMock() as mocked:
            mocked.get(url_of(server), body=b"stand-in")
            assert egress.send("GET", url_of(server)).body == b"stand-in"
        assert egress.send("GET", url_of(server)).body == b"real"
    assert (server.connections, len(server.requests)) == (1, 2)


def test_idle_connections_are_closed(make_egress: MakeEgress) -> None:
    hung_up = threading.Event()

    def watches(peer: Peer) -> None:
        while peer.read_request():
            peer.send(ok())
        hung_up.set()

    with serving(watches) as server:
        egress = make_egress(idle=0.15)
        for _ in range(3):
            egress.send("GET", url_of(server))
        assert hung_up.wait(2)
        assert egress.send("GET", url_of(server)).body == b"ok"
    assert server.connections == 2


def test_a_connection_in_use_outlives_the_idle_limit(make_egress: MakeEgress) -> None:
    def slow(peer: Peer) -> None:
        while peer.read_request():
            peer.server.over.wait(0.2)
            peer.send(ok())

    with serving(slow) as server:
        egress = make_egress(idle=0.1)
        assert [egress.send("GET", url_of(server)).body for _ in range(3)] == [b"ok"] * 3


def test_no_file_descriptor_is_left_behind(make_egress: MakeEgress) -> None:
    with serving(always(ok())) as server:
        egress = make_egress()
        egress.send("GET", url_of(server))
        before = len(os.listdir("/proc/self/fd"))
        for method in ["GET", "POST", "GET", "PUT"] * 20:
            egress.send(method, url_of(server))
        deadline = time.monotonic() + 2
        while len(os.listdir("/proc/self/fd")) > before and time.monotonic() < deadline:
            time.sleep(0.01)  # the server's side closes a moment later
        assert len(os.listdir("/proc/self/fd")) <= before
