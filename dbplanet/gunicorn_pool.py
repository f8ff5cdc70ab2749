"""The threads of a worker: as many as the processor can feed, more while they wait for others.

Python runs one thread at a time. Many that want to run wait for the interpreter in no order at all: with 64
callers and a thread for each, one call in a hundred took 310 ms or more; with 16 threads 45 ms, and a tenth
less of the processor. Threads that wait for a tenant cost nothing, and there must be many of them. What tells
the two apart is whether the process uses its processor.
"""

from __future__ import annotations

import queue
import threading
import time
from collections import deque
from collections.abc import Callable
from typing import Final

# Threads that may run at once however busy the processor is: with 64 callers 8 are slower, and with 32 the
# slowest calls take twice as long.
_FEW: Final = 16
# How often is looked at how busy it is, how long ago the last look may be, and what share counts as busy.
LOOK_SECONDS: Final = 0.005
_LONG_AGO: Final = 1.0
_BUSY: Final = 0.8

Job = Callable[[], object]


class Threads:
    """Runs jobs in the order in which they come, in ``most`` threads at most, which are made when needed.

    ``adjust`` has to be called now and then while jobs wait.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._limit = min(_FEW, most)
        self._lock = threading.Lock()
        self._waiting: deque[Job] = deque()
        self._given: queue.SimpleQueue[Job | None] = queue.SimpleQueue()
        self._made = 0
        self._running = 0
        self._looked_at = (0.0, 0.0)

    @property
    def waiting(self) -> int:
        """How many jobs wait for a thread."""
        return len(self._waiting)

    def submit(self, job: Job) -> None:
        """Have ``job()`` called in a thread; it must not raise."""
        with self._lock:
            self._waiting.append(job)
            self._give()

    def adjust(self) -> None:
        """Let more threads run where jobs wait though the processor has time, fewer where it has none."""
        now, used = time.monotonic(), time.process_time()
        seconds = now - self._looked_at[0]
        if seconds < LOOK_SECONDS:
            return
        busy = used - self._looked_at[1] >= _BUSY * seconds
        self._looked_at = (now, used)
        if seconds > _LONG_AGO:
            # nothing waited meanwhile
            return
        with self._lock:
            wanted = self._limit - self._limit // 8 if busy else self._limit + self._limit // 2
            self._limit = min(max(wanted, _FEW), self._most)
            self._give()

    def shutdown(self, wait: bool = True) -> None:
        """Let the threads end once they are idle."""
        with self._lock:
            for _ in range(self._made):
                self._given.put(None)

    def _give(self) -> None:
        """Give jobs to threads, as long as there are both; the lock is held."""
        while self._waiting and self._running < self._limit:
            if self._running >= self._made and not self._make():
                return
            self._running += 1
            self._given.put(self._waiting.popleft())

    def _make(self) -> bool:
        """Make a thread; where the system has none, those that there are go on."""
        try:
            threading.Thread(target=self._run, name=f"request-{self._made}", daemon=True).start()
        except RuntimeError:
            if not self._made:
                raise
            return False
        self._made += 1
        return True

    def _run(self) -> None:
        while (job := self._given.get()) is not None:
            while job is not None:
                job()
                job = self._next()

    def _next(self) -> Job | None:
        with self._lock:
            if self._waiting and self._running <= self._limit:
                return self._waiting.popleft()
            self._running -= 1
            return None
