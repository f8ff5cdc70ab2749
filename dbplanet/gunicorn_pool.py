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
# How often is looked at how busy it is while anything waits, and otherwise: each look makes others wait.
LOOK_SECONDS: Final = 0.02
GLANCE_SECONDS: Final = 0.1
# A look that was longer ago says nothing about now.
_RECENT: Final = 1.0
# Which share of the time on it counts as busy, and which share of the threads may then go on after each look.
_BUSY: Final = 0.8
_KEPT_ON: Final = 0.875

Job = Callable[[], object]


class Threads:
    """Runs jobs in the order in which they come, in ``most`` threads at most, which are made when needed.

    ``adjust`` has to be called now and then. A thread that is done asks ``more()`` for a job every other time
    before it takes one that waits, so that neither kind starves, and always before it goes idle;
    ``roused()`` is called when the first one does of all that may run.
    """

    def __init__(
        self,
        most: int,
        *,
        more: Callable[[], Job | None] = lambda: None,
        roused: Callable[[], object] = lambda: None,
    ) -> None:
        self._most = most
        self._more = more
        self._roused = roused
        self._few = self._limit = min(_FEW, most)
        self._lock = threading.Lock()
        self._waiting: deque[Job] = deque()
        self._given: queue.SimpleQueue[Job | None] = queue.SimpleQueue()
        self._made = 0
        self._running = 0
        self._more_first = False
        self._looked_at = (time.monotonic(), time.process_time())

    @property
    def waiting(self) -> int:
        """How many jobs wait for a thread."""
        return len(self._waiting)

    @property
    def full(self) -> bool:
        """Whether as many threads run as may."""
        return self._running >= self._limit

    @property
    def many(self) -> bool:
        """Whether more threads run than should while the processor is busy."""
        return self._running > self._few

    @property
    def crowded(self) -> bool:
        """Whether more threads run than may."""
        return self._running > self._limit

    def submit(self, job: Job) -> None:
        """Have ``job()`` called in a thread; it must not raise."""
        with self._lock:
            self._waiting.append(job)
            self._give()

    def adjust(self, *, waits: bool) -> None:
        """Let fewer threads run if the processor has no time, more if it has and something ``waits``."""
        now, used = time.monotonic(), time.process_time()
        seconds = now - self._looked_at[0]
        if seconds < LOOK_SECONDS:
            return
        busy = used - self._looked_at[1] >= _BUSY * seconds
        self._looked_at = (now, used)
        with self._lock:
            if busy:
                self._limit = max(int(self._limit * _KEPT_ON ** (seconds / LOOK_SECONDS)), self._few)
            elif waits and seconds < _RECENT:
                self._limit = min(self._limit * 2, self._most)
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
        """Return the next job of a thread, None when it is to go idle."""
        # (Threads that change it at once may err; none does so for long.)
        self._more_first = not self._more_first
        first, second = (
            (self._one_more, self._waiting_one) if self._more_first else (self._waiting_one, self._one_more)
        )
        return first() or second() or self._idle()

    def _one_more(self) -> Job | None:
        return self._more() if self._running <= self._limit else None

    def _waiting_one(self) -> Job | None:
        with self._lock:
            return self._waiting.popleft() if self._waiting and self._running <= self._limit else None

    def _idle(self) -> Job | None:
        with self._lock:
            if self._waiting and self._running <= self._limit:
                return self._waiting.popleft()
            was_full = self.full
            self._running -= 1
        if was_full:
            self._roused()
        return None
