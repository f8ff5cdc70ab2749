import threading

from dbplanet.forked import one_of_the_forked
from dbplanet.mcp.once import Once


def test_one_of_many_threads_is_the_first():
    once, firsts, barrier = Once(), [], threading.Barrier(20)

    def ask():
        barrier.wait()
        if once.first():
            firsts.append(1)

    threads = [threading.Thread(target=ask) for _ in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert firsts == [1]


def test_of_several_that_share_a_pipe_one_is_the_first():
    take = one_of_the_forked()
    first, second = Once(), Once()
    first.among(take)
    second.among(take)
    assert [first.first(), second.first(), first.first()] == [True, False, False]
