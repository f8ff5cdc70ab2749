"""One thread per process that calls back at given times.

A `threading.Timer` per call costs a thread, 150 µs; an entry in this table costs about 1 µs. Only what is
still to come is in it: nearly every call ends long before its deadline.
"""

from __future__ import annotations

import logging
import math
import threading
import time
from collections.abc import Callable

from .process import PerProcess

log = logging.getLogger(__name__)


class Alarm:
    """One scheduled call; `cancel` makes it a no-op."""

    __slots__ = ("_pending", "action")

    def __init__(self, action: Callable[[], None], pending: dict[Alarm, float]) -> None:
        self.action = action
        self._pending = pending

    def cancel(self) -> None:
        """Let the alarm pass unheard; what it would have called is freed at once."""
        self._pending.pop(self, None)


class Watchdog:
    """Calls actions at monotonic times, in its own daemon thread, started by the first alarm."""

    def __init__(self) -> None:
        # single operations on a dict need no lock
        self._pending: dict[Alarm, float] = {}
        self._wake = threading.Condition(threading.Lock())
        #: when the thread will look again; it need not be woken for what is later
        self._next_look = math.inf
        self._thread: threading.Thread | None = None

    def at(self, when: float, action: Callable[[], None]) -> Alarm:
        """Call `action` at monotonic time `when` (seconds). It must not block; its exceptions are logged."""
        alarm = Alarm(action, self._pending)
        self._pending[alarm] = when
        if when < self._next_look:
            self._look_at(when)
        return alarm

    def _look_at(self, when: float) -> None:
        with self._wake:
            self._next_look = min(self._next_look, when)
            self._wake.notify()
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="egress-watchdog", daemon=True)
                self._thread.start()

    def _run(self) -> None:
        while True:
            for alarm in self._due():
                try:
                    alarm.action()
                except Exception:
                    log.exception("an egress alarm failed")

    def _due(self) -> list[Alarm]:
        """Wait until something is due, and return it in the order of its times."""
        with self._wake:
            while (delay := self._next_look - time.monotonic()) > 0:
                self._wake.wait(None if delay == math.inf else delay)
            # from here on, whoever comes with anything earlier than what is found now sets it again
            self._next_look = math.inf
        now = time.monotonic()
        waiting = sorted(self._pending.copy().items(), key=lambda item: item[1])
        due = [alarm for alarm, when in waiting if when <= now]
        later = next((when for _, when in waiting if when > now), math.inf)
        with self._wake:
            self._next_look = min(self._next_look, later)
        # one that was cancelled a moment ago is not in the table any more
        return [alarm for alarm in due if self._pending.pop(alarm, None) is not None]


#: threads only, no data of any application: what two applications in one process may share
WATCHDOG = PerProcess(Watchdog)
