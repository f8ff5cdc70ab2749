"""Connections that wait for their next request: found by whoever asks, once, and never lost."""

from __future__ import annotations

import math
import socket
import threading
from collections.abc import Iterator

import pytest

from dbplanet.gunicorn_kept import Kept


class Connection:
    """What gunicorn has of a connection, as far as it matters here, and the client's end of it."""

    def __init__(self) -> None:
        self.sock, self.client = socket.socketpair()
        self.timeout = 0.0

    def close(self) -> None:
        self.sock.close()
        self.client.close()


@pytest.fixture
def connections() -> Iterator[list[Connection]]:
    made = [Connection() for _ in range(5)]
    yield made
    for connection in made:
        connection.close()


@pytest.fixture
def kept(connections: list[Connection]) -> Kept:
    made = Kept()
    for connection in connections:
        made.append(connection)
    return made


def test_who_has_sent_something_is_found_once(kept: Kept, connections: list[Connection]):
    assert (kept.ready(9), kept.has_ready(), len(kept)) == ([], False, 5)
    connections[3].client.send(b"x")
    connections[1].client.send(b"x")
    assert kept.has_ready()
    assert set(kept.ready(9)) == {connections[3], connections[1]}
    assert (kept.ready(9), kept.has_ready(), len(kept)) == ([], False, 3)


def test_no_more_are_given_than_asked_for(kept: Kept, connections: list[Connection]):
    for connection in connections:
        connection.client.send(b"x")
    assert [len(kept.ready(2)) for _ in range(4)] == [2, 2, 1, 0]


def test_the_first_one_is_told_from_those_that_join_it(connections: list[Connection]):
    kept = Kept()
    assert [kept.append(connection) for connection in connections] == [True, False, False, False, False]
    while kept.take_expired(math.inf):
        pass
    assert kept.append(connections[0])


def test_what_is_kept_again_is_found_again(kept: Kept, connections: list[Connection]):
    for _ in range(3):
        connections[0].client.send(b"x")
        assert kept.ready(1) == [connections[0]]
        # what it sends while nobody keeps it is not forgotten
        kept.append(connections[0])


def test_a_client_that_hangs_up_is_found(kept: Kept, connections: list[Connection]):
    connections[2].client.close()
    assert kept.ready(9) == [connections[2]]


def test_the_one_kept_for_longest_is_the_first_to_end(kept: Kept, connections: list[Connection]):
    connections[0].client.send(b"x")
    kept.append(kept.ready(1)[0])
    assert kept[0] is connections[1]
    assert list(kept) == [*connections[1:], connections[0]]
    for number, connection in enumerate(kept):
        connection.timeout = float(number)
    assert [kept.take_expired(2.5) for _ in range(4)] == [*connections[1:4], None]
    assert [kept.take_expired(math.inf) for _ in range(3)] == [connections[4], connections[0], None]


def test_where_threads_have_taken_all_there_is_nothing_to_end():
    assert Kept()[0].timeout == math.inf
    assert Kept().take_expired(math.inf) is None


def test_a_closed_connection_is_refused_and_forgotten(kept: Kept):
    closed = Connection()
    closed.close()
    with pytest.raises((OSError, ValueError)):
        kept.append(closed)
    assert len(kept) == 5


def test_a_number_that_the_system_gives_again_is_another_connection(
    kept: Kept, connections: list[Connection]
):
    ended = kept.take_expired(math.inf)
    number = ended.sock.fileno()
    ended.close()
    for _ in range(20):
        other = Connection()
        connections.append(other)
        if other.sock.fileno() == number:
            break
    kept.append(other)
    other.client.send(b"x")
    assert kept.ready(9) == [other]


def test_another_thread_may_answer_and_keep_it_before_it_is_kept_for_the_first_time(
    monkeypatch: pytest.MonkeyPatch,
):
    kept, early = Kept(), Connection()
    epoll = kept._epoll

    class Interrupted:
        """An epoll whose caller does not go on at once after a connection is registered."""

        modify, poll, fileno = epoll.modify, epoll.poll, epoll.fileno

        @staticmethod
        def register(descriptor: int, events: int) -> None:
            epoll.register(descriptor, events)
            assert kept.ready(1) == [early]
            early.sock.recv(1)
            kept.append(early)

    monkeypatch.setattr(kept, "_epoll", Interrupted)
    early.client.send(b"x")
    kept.append(early)
    early.client.send(b"y")
    assert kept.ready(9) == [early]
    early.close()


def test_each_is_given_to_one_thread_alone(kept: Kept, connections: list[Connection]):
    found: list[list[Connection]] = [[] for _ in range(4)]
    ready = threading.Barrier(4)

    def take(number: int) -> None:
        ready.wait(5)
        for _ in range(50):
            found[number] += kept.ready(1)

    for connection in connections:
        connection.client.send(b"x")
    threads = [threading.Thread(target=take, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(id(one) for each in found for one in each) == sorted(map(id, connections))
