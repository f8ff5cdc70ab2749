"""A connection that its client uses again and again keeps a thread only while nobody else needs it."""

from __future__ import annotations

import http.client
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing, suppress

import pytest

from e2e.conftest import StartServer
from e2e.wire import PATH, Server
from e2e.workers.test_impolite_clients import JSON, PING, address, ping

REQUEST = (
    f"POST {PATH} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
    f"Content-Length: {len(PING)}\r\n\r\n"
).encode() + PING


@pytest.fixture(scope="module")
def small(start_server: StartServer) -> Server:
    return start_server("with four threads and busy clients", THREADS="4")


@pytest.fixture
def busy(small: Server) -> Iterator[list[int]]:
    """Eight clients that ask again at once, on four threads; the number of answers of each."""
    counts, done = [0] * 8, threading.Event()

    def ask(number: int) -> None:
        with closing(http.client.HTTPConnection(*address(small), timeout=10)) as connection:
            while not done.is_set():
                ping(connection)
                counts[number] += 1

    threads = [threading.Thread(target=ask, args=(number,)) for number in range(len(counts))]
    for thread in threads:
        thread.start()
    yield counts
    done.set()
    for thread in threads:
        thread.join()


def test_a_newcomer_is_answered_at_once_and_nobody_starves(small: Server, busy: list[int]):
    time.sleep(0.5)
    times = []
    for _ in range(20):
        with closing(http.client.HTTPConnection(*address(small), timeout=10)) as newcomer:
            times.append(ping(newcomer))
    before = list(busy)
    time.sleep(1)
    assert sorted(times)[-3] < 0.5
    assert min(after - count for after, count in zip(busy, before, strict=True)) > 5


def test_clients_that_ask_now_and_then_are_answered_at_once(small: Server):
    with ExitStack() as stack:
        clients = [
            stack.enter_context(closing(http.client.HTTPConnection(*address(small), timeout=10)))
            for _ in range(12)
        ]
        for pause in (0, 0.02, 0.07, 0.2):
            times = [ping(client) for client in clients for _ in range(2)]
            time.sleep(pause)
            assert sorted(times)[-2] < 0.1


def test_requests_that_come_together_are_answered_in_their_order(small: Server):
    with closing(socket.create_connection(address(small), timeout=10)) as client:
        bodies = [PING.replace(b"ping", b"none%d" % number) for number in range(5)]
        head = REQUEST[: -len(PING)].replace(b"Length: %d" % len(PING), b"Length: %d" % len(bodies[0]))
        client.sendall(b"".join(head + body for body in bodies))
        answer = b""
        while answer.count(b"HTTP/1.1 ") < 5 or not answer.endswith(b"}}"):
            answer += client.recv(65_536)
    assert [answer.count(b"none%d" % number) for number in range(5)] == [1] * 5
    assert [answer.find(b"none%d" % number) for number in range(5)] == sorted(
        answer.find(b"none%d" % number) for number in range(5)
    )


@pytest.mark.parametrize("pause", [0, 0.2])
def test_a_request_that_comes_in_two_parts_is_answered(small: Server, pause: float):
    with closing(socket.create_connection(address(small), timeout=10)) as client:
        for _ in range(3):
            client.sendall(REQUEST[:40])
            time.sleep(pause)
            client.sendall(REQUEST[40:])
            assert client.recv(65_536).startswith(b"HTTP/1.1 200 ")


def test_clients_that_send_request_upon_request_take_turns_with_others(small: Server):
    done = threading.Event()

    def send(client: socket.socket) -> None:
        with suppress(OSError):
            while not done.is_set():
                client.sendall(REQUEST * 200)

    def read(client: socket.socket) -> None:
        with suppress(OSError):
            while not done.is_set() and client.recv(1_000_000):
                pass

    with ExitStack() as stack:
        clients = [stack.enter_context(closing(socket.create_connection(address(small)))) for _ in range(6)]
        threads = [threading.Thread(target=act, args=(client,)) for client in clients for act in (send, read)]
        for thread in threads:
            thread.start()
        time.sleep(0.5)
        with closing(http.client.HTTPConnection(*address(small), timeout=10)) as other:
            times = [ping(other) for _ in range(5)]
        done.set()
        for client in clients:
            client.shutdown(socket.SHUT_RDWR)
        for thread in threads:
            thread.join()
    assert max(times) < 2


def test_newcomers_upon_newcomers_take_turns_with_kept_connections(small: Server):
    done = threading.Event()
    request = REQUEST.replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n", 1)

    def come() -> None:
        while not done.is_set():
            with suppress(OSError), closing(socket.create_connection(address(small), timeout=10)) as client:
                client.sendall(request)
                while client.recv(65_536):
                    pass

    with closing(http.client.HTTPConnection(*address(small), timeout=10)) as kept:
        ping(kept)
        threads = [threading.Thread(target=come) for _ in range(40)]
        for thread in threads:
            thread.start()
        time.sleep(0.5)
        try:
            times = [ping(kept) for _ in range(10)]
        finally:
            done.set()
            for thread in threads:
                thread.join()
    assert max(times) < 2


def test_those_who_connect_and_say_nothing_keep_no_thread(small: Server):
    with ExitStack() as stack:
        silent = [stack.enter_context(closing(socket.create_connection(address(small)))) for _ in range(20)]
        with closing(http.client.HTTPConnection(*address(small), timeout=10)) as other:
            assert ping(other) < 1
        silent[0].settimeout(10)
        silent[0].sendall(REQUEST)
        assert silent[0].recv(65_536).startswith(b"HTTP/1.1 200 ")


def test_stopping_waits_for_nobody_who_says_nothing(start_server: StartServer):
    server = start_server("that is stopped beside somebody silent")
    with closing(socket.create_connection(address(server))):
        time.sleep(0.2)
        begun = time.monotonic()
        server.process.terminate()
        assert server.process.wait_for("Shutting down: Master")
        assert time.monotonic() - begun < 8


def test_a_client_that_leaves_leaves_nothing(small: Server):
    for _ in range(40):
        with closing(socket.create_connection(address(small), timeout=10)) as client:
            client.sendall(REQUEST)
            client.recv(65_536)
    with closing(http.client.HTTPConnection(*address(small), timeout=10)) as other:
        assert ping(other) < 1


def test_stopping_waits_for_no_client_that_could_ask_again(start_server: StartServer):
    server = start_server("that is stopped beside its clients")
    with ExitStack() as stack:
        clients = [
            stack.enter_context(closing(http.client.HTTPConnection(*address(server), timeout=10)))
            for _ in range(20)
        ]
        for client in clients:
            ping(client)
        begun = time.monotonic()
        server.process.terminate()
        time.sleep(0.3)
        clients[0].request("POST", PATH, PING, JSON)
        answer = clients[0].getresponse()
        assert (answer.status, answer.getheader("Connection")) == (200, "close")
        assert server.process.wait_for("Shutting down: Master")
        # Kept connections would last for 75 seconds.
        assert time.monotonic() - begun < 20
