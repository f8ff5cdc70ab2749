"""The threads of a worker: jobs in their order, few threads while the processor is busy, more while not."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from typing import Any

import pytest

from dbplanet.gunicorn_pool import LOOK_SECONDS, Threads


@pytest.fixture
def pool() -> Iterator[Threads]:
    made = Threads(40)
    yield made
    made.shutdown()


def ask(pool: Threads, function: Callable[..., Any], *args: Any) -> Future[Any]:
    """Have a function called in a thread, and return how that ends."""
    future: Future[Any] = Future()

    def job() -> None:
        try:
            future.set_result(function(*args))
        except BaseException as error:
            future.set_exception(error)

    pool.submit(job)
    return future


class Blocked:
    """Jobs that wait until they are let go, and note that they began."""

    def __init__(self) -> None:
        self.begun: list[int] = []
        self.threads: list[threading.Thread] = []
        self.go = threading.Event()

    def job(self, number: int) -> int:
        self.begun.append(number)
        self.threads.append(threading.current_thread())
        self.go.wait(10)
        return number


def look(pool: Threads, *, times: int) -> None:
    """Do what the main thread does while jobs wait."""
    for _ in range(times):
        time.sleep(LOOK_SECONDS * 1.2)
        pool.adjust(waits=True)


def until(condition: Callable[[], bool]) -> bool:
    end = time.monotonic() + 5
    while not condition() and time.monotonic() < end:
        time.sleep(0.005)
    return condition()


def test_jobs_begin_in_the_order_in_which_they_come(pool: Threads):
    blocked = Blocked()
    first = [ask(pool, blocked.job, -1) for _ in range(16)]
    order: list[int] = []
    later = [ask(pool, order.append, number) for number in range(100)]
    assert pool.waiting == 100
    blocked.go.set()
    for future in first + later:
        future.result(5)
    # side by side, two threads may pass each other by a step or two
    assert all(abs(place - number) < 20 for place, number in enumerate(order))


def test_more_threads_are_made_while_jobs_wait_and_the_processor_is_idle(pool: Threads):
    blocked = Blocked()
    futures = [ask(pool, blocked.job, number) for number in range(60)]
    assert until(lambda: len(blocked.begun) == 16)
    look(pool, times=20)
    assert until(lambda: len(blocked.begun) == 40)
    assert pool.waiting == 20
    blocked.go.set()
    assert sorted(future.result(5) for future in futures) == list(range(60))
    assert pool.waiting == 0


def test_fewer_threads_run_while_the_processor_is_busy(monkeypatch: pytest.MonkeyPatch):
    used = 0.0

    def busy() -> float:
        nonlocal used
        used += 1
        return used

    monkeypatch.setattr(time, "process_time", busy)
    pool, blocked = Threads(40), Blocked()
    futures = [ask(pool, blocked.job, number) for number in range(60)]
    look(pool, times=5)
    assert until(lambda: len(blocked.begun) == 16)
    assert pool.waiting == 44
    blocked.go.set()
    for future in futures:
        future.result(5)
    pool.shutdown()


def test_idle_threads_end_at_shutdown():
    pool = Threads(8)
    blocked = Blocked()
    futures = [ask(pool, blocked.job, number) for number in range(20)]
    assert until(lambda: len(blocked.begun) == 8)
    threads = set(blocked.threads)
    blocked.go.set()
    for future in futures:
        future.result(5)
    pool.shutdown(wait=False)
    assert until(lambda: not any(thread.is_alive() for thread in threads))


def test_all_jobs_of_many_submitters_are_done(pool: Threads):
    counts = [0] * 8

    def submit(number: int) -> None:
        for future in [ask(pool, lambda: number) for _ in range(500)]:
            counts[future.result(5)] += 1

    threads = [threading.Thread(target=submit, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert counts == [500] * 8


def test_what_more_has_takes_turns_with_what_waits():
    order: list[str] = []
    done, go = threading.Event(), threading.Event()

    def more() -> Callable[[], object] | None:
        return (lambda: order.append("more")) if len(order) < 20 else None

    pool = Threads(1, more=more)
    pool.submit(lambda: go.wait(5))
    for _ in range(20):
        pool.submit(lambda: order.append("waited"))
    pool.submit(done.set)
    go.set()
    assert done.wait(5)
    pool.shutdown()
    assert 9 <= order[:20].count("more") <= 11
