import threading

import pytest

from dbplanet.haiilo.shared import SharedValue


def run_all(count, work):
    """Run ``work`` in threads that start together; return what each returned or raised."""
    barrier, results = threading.Barrier(count), []

    def run():
        barrier.wait()
        try:
            results.append(work())
        except Exception as error:
            results.append(error)

    threads = [threading.Thread(target=run) for _ in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return results


def test_many_threads_fetch_once():
    shared, fetched = SharedValue(), []
    go_on = threading.Event()

    def fetch():
        fetched.append(1)
        go_on.wait(5)
        return "value"

    threading.Timer(0.1, go_on.set).start()
    assert run_all(20, lambda: shared.get(fetch)) == ["value"] * 20
    assert len(fetched) == 1


def test_a_failure_reaches_all_who_waited_and_is_not_kept():
    shared, fetched = SharedValue(), []
    go_on = threading.Event()

    def fail():
        fetched.append(1)
        go_on.wait(5)
        raise KeyError("x")

    waiting = threading.Timer(0.2, go_on.set)
    waiting.start()
    results = run_all(10, lambda: shared.get(fail))
    assert [type(result) for result in results] == [KeyError] * 10
    assert len(fetched) == 1
    assert shared.get(lambda: "later") == "later"


def test_dropping_an_old_value_keeps_the_new_one():
    shared = SharedValue()
    assert shared.get(lambda: "old") == "old"
    shared.drop("old")
    assert shared.get(lambda: "new") == "new"
    shared.drop("old")
    assert shared.get(lambda: pytest.fail("fetched again")) == "new"
