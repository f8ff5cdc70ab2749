"""The threads that all calls of a process share."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence

import pytest

from dbplanet.egress.lookups import MAX_THREADS, LookupPool
from dbplanet.egress.process import PerProcess
from dbplanet.egress.watchdog import Watchdog


def test_alarms_go_off_in_the_order_of_their_times() -> None:
    heard: list[str] = []
    done = threading.Event()
    watchdog, now = Watchdog(), time.monotonic()
    watchdog.at(now + 0.06, done.set)
    watchdog.at(now + 0.05, lambda: heard.append("second"))
    watchdog.at(now + 0.02, lambda: heard.append("first"))
    watchdog.at(now + 0.03, lambda: heard.append("never")).cancel()
    assert done.wait(2)
    assert heard == ["first", "second"]
    assert time.monotonic() - now >= 0.06


def test_a_failing_alarm_does_not_end_the_watch(caplog: pytest.LogCaptureFixture) -> None:
    done = threading.Event()
    watchdog = Watchdog()
    heard_nothing: list[Callable[[], None]] = []
    watchdog.at(0, lambda: heard_nothing[0]())
    watchdog.at(0, done.set)
    assert done.wait(2)
    assert "alarm failed" in caplog.text


def test_a_lookup_gives_answer_or_error() -> None:
    pool = LookupPool()

    def nothing(host: str) -> Sequence[str]:
        raise OSError(host)

    assert pool.resolve(lambda host: [host, "b"], "a", 1) == ["a", "b"]
    with pytest.raises(OSError, match="a"):
        pool.resolve(nothing, "a", 1)


def test_stuck_lookups_take_a_bounded_number_of_threads_and_waiting_ones_are_forgotten() -> None:
    pool, release, begun = LookupPool(), threading.Event(), []

    def stuck(host: str) -> Sequence[str]:
        begun.append(host)
        release.wait(10)
        return []

    before = threading.active_count()
    for number in range(MAX_THREADS + 3):
        with pytest.raises(TimeoutError):
            pool.resolve(stuck, str(number), 0.005)
    assert threading.active_count() - before == MAX_THREADS
    release.set()
    assert pool.resolve(lambda host: [host], "free", 2) == ["free"]
    assert len(begun) == MAX_THREADS


def test_one_value_is_made_per_process() -> None:
    made: list[int] = []
    shared: PerProcess[object] = PerProcess(lambda: made.append(1) or object())  # type: ignore[func-returns-value]
    values = {id(shared.get()) for _ in range(5)}
    assert (len(values), len(made)) == (1, 1)
