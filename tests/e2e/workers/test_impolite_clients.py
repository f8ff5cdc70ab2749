"""A client that keeps its end of a finished connection open costs nobody else anything."""

from __future__ import annotations

import http.client
import json
import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing
from urllib.parse import urlsplit

import pytest

from e2e.conftest import StartServer
from e2e.wire import PATH, Server, message

PING = json.dumps(message("ping")).encode()
JSON = {"Content-Type": "application/json"}


def address(server: Server) -> tuple[str, int]:
    parts = urlsplit(server.url)
    assert parts.hostname is not None
    assert parts.port is not None
    return parts.hostname, parts.port


def impolite(server: Server) -> socket.socket:
    """Ask for the connection to be closed, read the answer, and do not close."""
    client = socket.create_connection(address(server), timeout=10)
    head = (
        f"POST {PATH} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\nContent-Type: application/json\r\n"
    )
    client.sendall(f"{head}Content-Length: {len(PING)}\r\n\r\n".encode() + PING)
    answer = b""
    while not answer.endswith(b"}"):
        answer += client.recv(65_536)
    assert answer.startswith(b"HTTP/1.1 200 ")
    return client


@pytest.fixture(scope="module")
def server(start_server: StartServer) -> Server:
    return start_server("of impolite clients")


@pytest.fixture
def polite(server: Server) -> Iterator[http.client.HTTPConnection]:
    with closing(http.client.HTTPConnection(*address(server), timeout=10)) as connection:
        yield connection


def ping(connection: http.client.HTTPConnection) -> float:
    """Return how long a ping takes, in seconds."""
    begun = time.perf_counter()
    connection.request("POST", PATH, PING, JSON)
    answer = connection.getresponse()
    assert answer.status == 200, answer.read()
    answer.read()
    return time.perf_counter() - begun


def test_five_impolite_clients_delay_others_by_less_than_a_tenth_of_a_second(
    server: Server, polite: http.client.HTTPConnection
):
    ping(polite)
    with ExitStack() as stack:
        for _ in range(5):
            stack.enter_context(closing(impolite(server)))
        begun, times = time.monotonic(), []
        while time.monotonic() - begun < 1.5:
            times.append(ping(polite))
        # The machine may stop for a moment, but a stall of the server lasts two seconds.
        assert sorted(times)[-2] < 0.1
        assert len(times) > 50


def test_their_connections_are_closed_after_a_while(server: Server):
    with closing(impolite(server)) as client:
        begun = time.monotonic()
        assert client.recv(1) == b"", "our end is closed at once"
        while True:
            try:
                client.sendall(b"x")
            except OSError:
                break
            assert time.monotonic() - begun < 5
            time.sleep(0.1)


def test_an_answer_arrives_whole_though_the_client_still_sends(server: Server):
    with closing(socket.create_connection(address(server), timeout=10)) as client:
        head = f"POST {PATH} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
        # Too large: it is refused after the head, while the body is on its way.
        client.sendall(f"{head}Connection: close\r\nContent-Length: 5000000\r\n\r\n".encode())
        client.sendall(b"x" * 30_000)
        answer = b""
        while data := client.recv(65_536):
            answer += data
    assert answer.startswith(b"HTTP/1.1 413 ")
    assert answer.endswith(b"}")


def half(server: Server) -> socket.socket:
    """Send the beginning of a request and nothing more."""
    client = socket.create_connection(address(server), timeout=30)
    head = f"POST {PATH} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
    client.sendall(f"{head}Content-Length: 500\r\n\r\n{{".encode())
    return client


def test_those_that_stop_in_the_middle_of_a_request_give_their_threads_back(start_server: StartServer):
    small = start_server("with four threads", THREADS="4")
    with ExitStack() as stack:
        stopped = [stack.enter_context(closing(half(small))) for _ in range(4)]
        time.sleep(0.5)
        other = stack.enter_context(closing(http.client.HTTPConnection(*address(small), timeout=30)))
        assert 5 < ping(other) < 20
        assert not any(client.recv(65_536).startswith(b"HTTP/1.1 2") for client in stopped)
