"""The store itself: what it keeps is bound to its key and its secret, and a lock to its owner."""

from __future__ import annotations

import threading
import time

import pytest
import redis

from dbplanet.haiilo.errors import StatusError, UpstreamTimeoutError
from dbplanet.haiilo.grant import Grant
from dbplanet.haiilo.shared_tokens import SharedTokens
from dbplanet.store.errors import StoreError
from dbplanet.store.sealed import SealedStore
from dbplanet.store.server import RedisServer
from e2e.workers.conftest import SECRET_KEY
from e2e.workers.redis_process import RedisProcess


@pytest.fixture
def store(redis_server: RedisProcess) -> SealedStore:
    return SealedStore(RedisServer(redis_server.url), SECRET_KEY)


@pytest.fixture
def tokens(store: SealedStore) -> SharedTokens:
    return SharedTokens(store, request_seconds=5, keep_seconds=60)


def test_a_value_is_read_under_its_own_secret_only(store: SealedStore, redis_server: RedisProcess):
    store.put("session", "own", {"a": [1, None, "ü"]}, seconds=60)
    assert store.get("session", "own") == {"a": [1, None, "ü"]}
    other = SealedStore(RedisServer(redis_server.url), SECRET_KEY + "x")
    assert other.get("session", "own") is None


def test_a_value_copied_to_another_key_or_changed_is_none(store: SealedStore, redis_server: RedisProcess):
    with redis.Redis(port=redis_server.port) as client:
        before = set(client.keys())
        store.put("session", "victim", "secret of the victim", seconds=60)
        (victim,) = set(client.keys()) - before
        store.put("session", "thief", "own", seconds=60)
        (thief,) = set(client.keys()) - before - {victim}
        sealed = client.get(victim)
        client.set(thief, sealed, ex=60)
        assert store.get("session", "thief") is None
        client.set(victim, sealed[:-1] + bytes([sealed[-1] ^ 1]), ex=60)
        assert store.get("session", "victim") is None
        client.set(victim, b"", ex=60)
        assert store.get("session", "victim") is None


def test_reading_can_renew_and_a_value_that_was_removed_is_not_replaced(
    store: SealedStore, redis_server: RedisProcess
):
    store.put("session", "s", 1, seconds=5)
    store.get("session", "s", renew=600)
    with redis.Redis(port=redis_server.port) as client:
        assert any(500 < client.ttl(key) <= 600 for key in client.scan_iter())
    store.bury("session", "s", seconds=60)
    store.replace("session", "s", 2, seconds=60)
    assert store.get("session", "s") is None
    assert store.is_buried("session", "s")


def test_only_the_owner_ends_a_lock_and_it_ends_by_itself(store: SealedStore):
    first = store.lock("token", "o", seconds=0.2)
    assert first is not None
    assert store.lock("token", "o", seconds=1) is None
    time.sleep(0.25)
    second = store.lock("token", "o", seconds=5)
    assert second is not None
    store.unlock("token", "o", first)
    assert store.lock("token", "o", seconds=1) is None
    store.unlock("token", "o", second)
    assert store.lock("token", "o", seconds=1) is not None


def test_one_of_many_fetches_and_a_refused_token_is_never_given_back(tokens: SharedTokens):
    fetched: list[str] = []

    def fetch(deadline: float | None) -> Grant:
        time.sleep(0.1)
        fetched.append(f"token-{len(fetched)}")
        return Grant(fetched[-1], 3600)

    def run(refused: str | None) -> set[str]:
        found: list[str] = []
        threads = [
            threading.Thread(target=lambda: found.append(tokens.get("many", fetch, refused, None)))
            for _ in range(10)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert len(found) == 10
        return set(found)

    assert run(None) == {"token-0"}
    assert run("token-0") == {"token-1"}
    assert fetched == ["token-0", "token-1"]


def test_a_failed_fetch_is_not_kept_and_leaves_no_lock(tokens: SharedTokens):
    def fail(deadline: float | None) -> Grant:
        raise StatusError(500)

    with pytest.raises(StatusError):
        tokens.get("failing", fail, None, None)
    assert tokens.get("failing", lambda deadline: Grant("t"), None, time.monotonic() + 1) == "t"


def test_who_waits_for_a_process_that_died_waits_until_the_deadline_or_the_locks_end(store: SealedStore):
    tokens = SharedTokens(store, request_seconds=0.1, keep_seconds=60)
    store.lock("token", "dead", seconds=0.5)
    with pytest.raises(UpstreamTimeoutError):
        tokens.get("dead", lambda deadline: Grant("t"), None, time.monotonic() + 0.1)
    assert tokens.get("dead", lambda deadline: Grant("t"), None, time.monotonic() + 5) == "t"


def test_the_fetch_gets_less_time_than_the_lock(tokens: SharedTokens):
    times: list[float] = []

    def fetch(deadline: float | None) -> Grant:
        assert deadline is not None
        times.append(deadline - time.monotonic())
        return Grant("t")

    tokens.get("timed", fetch, None, time.monotonic() + 100)
    tokens.get("timed shorter", fetch, None, time.monotonic() + 1)
    assert 4 < times[0] <= 5
    assert times[1] <= 1


def test_after_a_failure_nobody_asks_for_a_second(refused: RedisServer):
    with pytest.raises(StoreError):
        refused.ask(lambda client: client.ping())
    with pytest.raises(StoreError):
        refused.ask(lambda client: pytest.fail("asked"))


@pytest.fixture
def refused() -> RedisServer:
    return RedisServer("redis://127.0.0.1:1/0")


def test_without_the_store_each_process_asks_the_tenant_itself(refused: RedisServer):
    tokens = SharedTokens(SealedStore(refused, SECRET_KEY), request_seconds=5, keep_seconds=60)
    assert [tokens.get("x", lambda deadline: Grant("t"), None, None) for _ in range(3)] == ["t"] * 3


def test_a_lock_whose_first_answer_was_lost_is_had_all_the_same(
    store: SealedStore, redis_server: RedisProcess, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("secrets.token_hex", lambda size: "the owner")
    assert store.lock("token", "lost", seconds=5) == "the owner"
    assert store.lock("token", "lost", seconds=5) == "the owner"
    monkeypatch.setattr("secrets.token_hex", lambda size: "another")
    assert store.lock("token", "lost", seconds=5) is None


def test_values_of_a_kind_are_counted(store: SealedStore):
    before = store.count("counted")
    for name in "abc":
        store.put("counted", name, 1, seconds=60)
    store.put("counted-not", "d", 1, seconds=60)
    store.bury("counted", "a", seconds=60)
    assert store.count("counted") == before + 2
