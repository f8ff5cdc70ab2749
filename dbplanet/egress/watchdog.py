"""One thread per process that calls back at given times.

A `threading.Timer` per call costs a thread, 150 µs; an entry in this heap costs about 2 µs.
"""

from __future__ import annotations

import heapq
import logging
import threading
import time
from collections.abc import Callable
from itertools import count

from .process import PerProcess

log = logging.getLogger(__name__)


class Alarm:
    """One scheduled call; `cancel` makes it a no-op."""

    __slots__ = ("action",)

    def __init__(self, action: Callable[[], None]) -> None:
        self.action: Callable[[], None] | None = action

    def cancel(self) -> None:
        """Let the alarm pass unheard; what it would have called is freed at once."""
        self.action = None


class Watchdog:
    """Calls actions at monotonic times, in its own daemon thread, started by the first alarm."""

    def __init__(self) -> None:
        self._heap: list[tuple[float, int, Alarm]] = []
        self._ticket = count()
        self._wake = threading.Condition()
        self._thread: threading.Thread | None = None

    def at(self, when: float, action: Callable[[], None]) -> Alarm:
        """Call `action` at monotonic time `when` (seconds). It must not block; its exceptions are logged."""
        alarm = Alarm(action)
        with self._wake:
            heapq.heappush(self._heap, (when, next(self._ticket), alarm))
            if self._heap[0][2] is alarm:
                self._wake.notify()
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="egress-watchdog", daemon=True)
                self._thread.start()
        return alarm

    def _run(self) -> None:
        while True:
            action = self._next_due().action
            try:
                if action is not None:
                    action()
            except Exception:
                log.exception("an egress alarm failed")

    def _next_due(self) -> Alarm:
        with self._wake:
            while True:
                if not self._heap:
                    self._wake.wait()
                elif self._heap[0][2].action is None:
                    # most calls end long before their deadline: none of those is waited for
                    heapq.heappop(self._heap)
                elif (delay := self._heap[0][0] - time.monotonic()) > 0:
                    self._wake.wait(delay)
                else:
                    return heapq.heappop(self._heap)[2]


#: threads only, no data of any application: what two applications in one process may share
WATCHDOG = PerProcess(Watchdog)
