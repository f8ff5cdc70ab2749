from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dbplanet.mcp.connections import Connections
from dbplanet.mcp.scope import EVERYTHING, Scope
from dbplanet.mcp.sessions import MemorySessions, new_session_id, scope_in
from support.engine import NoConnection, app_of, initialize, send, server_of


@dataclass(frozen=True)
class Pair:
    """An identity of two values, read from two headers."""

    first: str | None = None
    second: str | None = None

    @property
    def values(self):
        return (self.first, self.second)

    @property
    def complete(self):
        return all(self.values)


def headers_of(first=None, second=None, session=None):
    given = {"x-first": first, "x-second": second, "Mcp-Session-Id": session}
    return {name: value for name, value in given.items() if value is not None}


class Clock:
    def __init__(self):
        self.now = 0.0

    def __call__(self):
        return self.now


@pytest.fixture
def opened():
    """The identities that connections were made for."""
    return []


@pytest.fixture
def app(opened):
    def connect(identity):
        opened.append(identity)
        return NoConnection()

    return app_of(
        server_of(
            identify=lambda headers: Pair(headers.get("x-first"), headers.get("x-second")), connect=connect
        )
    )


def open_session(app, first="a", second="b"):
    client = app.test_client()
    return client.post("/mcp", json=initialize(), headers=headers_of(first, second)).headers["Mcp-Session-Id"]


ADD = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "tools/call",
    "params": {"name": "add", "arguments": {"a": 1, "b": 2}},
}


def status(app, **headers):
    return send(app, ADD, headers_of(**headers))[0]


def delete(app, **headers):
    return app.test_client().delete("/mcp", headers=headers_of(**headers)).status_code


def test_a_session_id_is_long_and_visible_ascii(app):
    session = open_session(app)
    assert len(session) >= 22
    assert all("!" <= character <= "~" for character in session)


def test_the_id_is_sent_with_the_initialize_result_only(app):
    response = app.test_client().post("/mcp", json=ADD, headers=headers_of("a", "b", open_session(app)))
    assert "Mcp-Session-Id" not in response.headers


def test_a_session_uses_the_credentials_it_was_opened_with_and_one_connection(app, opened):
    session = open_session(app)
    assert [status(app, session=session) for _ in range(3)] == [200] * 3
    assert opened == [Pair("a", "b")]


def test_two_sessions_of_one_caller_have_a_connection_each(app, opened):
    for session in (open_session(app), open_session(app)):
        assert status(app, session=session) == 200
    assert opened == [Pair("a", "b")] * 2


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [("a", "b", 200), ("a", None, 200), ("x", "b", 404), ("a", "x", 404), ("x", "y", 404), ("", None, 404)],
)
def test_every_credential_of_a_later_request_must_be_the_sessions_own(app, first, second, expected):
    session = open_session(app)
    assert status(app, first=first, second=second, session=session) == expected
    assert delete(app, first=first, second=second, session=session) == expected


def test_a_session_opened_without_credentials_takes_none_later(app):
    session = open_session(app, None, None)
    assert status(app, session=session) == 200
    assert status(app, first="a", second="b", session=session) == 404


def test_an_unknown_id_is_served_to_a_caller_with_all_credentials_only(app):
    assert status(app, first="a", second="b", session="unknown") == 200
    assert status(app, first="a", session="unknown") == 404
    assert status(app, session="unknown") == 404


def test_a_deleted_session_stays_deleted(app):
    session = open_session(app)
    assert delete(app, first="a", second="b", session=session) == 200
    assert status(app, first="a", second="b", session=session) == 404
    assert status(app, session=session) == 404
    assert delete(app, first="a", second="b", session=session) == 404


def test_delete_needs_an_id(app):
    assert delete(app, first="a", second="b") == 400


def test_a_strangers_session_looks_like_none(app):
    session = open_session(app)
    foreign = send(app, ADD, headers_of("x", "y", session))
    unknown = send(app, ADD, headers_of("x", None, "unknown"))
    assert foreign == unknown


def test_with_several_processes_there_are_no_sessions(app, caplog):
    client = app.test_client()
    caplog.set_level("INFO")
    for _ in range(2):
        opening = client.post("/mcp", json=initialize(), multiprocess=True)
        assert "Mcp-Session-Id" not in opening.headers
    assert client.delete("/mcp", multiprocess=True).status_code == 405
    stale = client.post("/mcp", json=ADD, headers=headers_of(session="stale"), multiprocess=True)
    assert stale.status_code == 200
    assert caplog.text.count("without sessions") == 1


def test_idle_sessions_end_and_used_ones_stay():
    clock = Clock()
    store = MemorySessions(10, clock=clock)
    idle, used = store.create(Pair(), "v"), store.create(Pair(), "v")
    clock.now = 8
    assert store.get(used.id) is used
    clock.now = 12
    assert store.get(idle.id) is None
    assert store.get(used.id) is used


def test_over_the_limit_the_session_unused_for_longest_ends():
    store = MemorySessions(10, limit=2)
    first, second = store.create(Pair(), "v"), store.create(Pair(), "v")
    store.get(first.id)
    third = store.create(Pair(), "v")
    assert [store.get(session.id) is not None for session in (first, second, third)] == [True, False, True]


def test_tombstones_last_as_long_as_a_session():
    clock = Clock()
    store = MemorySessions(10, clock=clock)
    store.delete(store.create(Pair(), "v").id)
    session = store.create(Pair(), "v")
    store.delete(session.id)
    assert store.was_deleted(session.id)
    clock.now = 11
    assert not store.was_deleted(session.id)


def test_a_session_closes_its_connection_when_it_ends(opened):
    closed = []

    class Connection:
        def close(self):
            closed.append(self)

    store = MemorySessions(10)
    session = store.create(Pair(), "v")
    connection = session.connection(lambda identity: Connection())
    store.delete(session.id)
    assert closed == [connection]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (Pair("a", "b"), Pair("a", "c")),
        (Pair("a", "b"), Pair("b", "a")),
        (Pair("ab", "c"), Pair("a", "bc")),
        (Pair("a', 'b", "c"), Pair("a", "b', 'c")),
        (Pair("a\\", "b"), Pair("a\\\\", "b")),
        (Pair("\ud800", "a"), Pair("\\ud800", "a")),
        (Pair("None", "a"), Pair(None, "a")),
        (Pair("", "a"), Pair(None, "a")),
    ],
)
def test_other_credentials_never_share_a_connection(one, other):
    connections = Connections(lambda identity: object())
    assert connections.get(one) is connections.get(one)
    assert connections.get(one) is not connections.get(other)


_values = st.none() | st.text(st.sampled_from("a',\"\\ é\ud800\n"), max_size=3)


@given(st.builds(Pair, _values, _values), st.builds(Pair, _values, _values))
def test_callers_share_a_connection_only_where_all_values_agree(one, other):
    connections = Connections(lambda identity: object())
    assert (connections.get(one) is connections.get(other)) == (one == other)


def test_connections_are_bounded_in_number_and_idle_time():
    clock, closed = Clock(), []

    class Connection:
        def __init__(self, identity):
            self.identity = identity

        def close(self):
            closed.append(self.identity.first)

    connections = Connections(Connection, limit=2, idle=10, clock=clock)
    for name in ("a", "b", "a", "c"):
        connections.get(Pair(name, "x"))
    assert closed == ["b"]
    clock.now = 11
    connections.get(Pair("d", "x"))
    assert closed == ["b", "a", "c"]


def test_a_flood_of_openings_ends_no_session_that_is_in_use():
    store = MemorySessions(10, limit=3)
    used = store.create(Pair("a", "b"), "v")
    store.get(used.id)
    for _ in range(20):
        store.create(Pair(), "v")
    assert store.get(used.id) is used


def test_limits_of_a_lost_session_hold_by_its_id():
    scope = Scope(read_only=True, toolsets=frozenset({"news", "people"}))
    session_id = new_session_id(scope)
    assert all("!" <= character <= "~" for character in session_id)
    assert scope_in(session_id) == scope
    assert scope_in(new_session_id(EVERYTHING)) == EVERYTHING


@pytest.mark.parametrize("session_id", ["", "x", "x.", "x.y", "x.r", ".r~", "x.q~*", "é.r~a"])
def test_what_is_no_limit_in_an_id_narrows_nothing_or_everything(session_id):
    assert scope_in(session_id) in (EVERYTHING, Scope(True, frozenset({""})), Scope(True, frozenset({"a"})))
