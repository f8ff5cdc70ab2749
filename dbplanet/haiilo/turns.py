"""A bounded number of things at once; whoever is over it waits for a turn, first come, first served."""

from __future__ import annotations

import threading
import time
from collections import deque

from dbplanet.haiilo.errors import WaitedTooLongError


class _Waiter:
    def __init__(self) -> None:
        self.woken = threading.Event()
        self.has_turn = False


class Turns:
    """At most ``limit`` turns at once, safe with many threads.

    A turn that ends is handed to the one who has waited for longest: with a plain semaphore those who just
    came could overtake for ever.
    """

    def __init__(self, limit: int) -> None:
        self._free = limit
        self._lock = threading.Lock()
        self._waiting: deque[_Waiter] = deque()

    def take(self, deadline: float) -> Turns:
        """Take a turn, for the time of a ``with`` block of what is returned.

        Raises WaitedTooLongError after ``deadline`` (monotonic seconds), or when sent away.
        """
        waiter = self._enter()
        if waiter is not None:
            waiter.woken.wait(max(deadline - time.monotonic(), 0.0))
            self._require_turn(waiter)
        return self

    def __enter__(self) -> None:
        """Begin a turn that was taken."""

    def __exit__(self, *ending: object) -> None:
        """End it, and hand it to who has waited for longest."""
        with self._lock:
            if not self._waiting:
                self._free += 1
                return
            waiter = self._waiting.popleft()
            waiter.has_turn = True
        waiter.woken.set()

    def send_away(self) -> None:
        """End the waiting of all who wait, without a turn."""
        with self._lock:
            waiting = list(self._waiting)
            self._waiting.clear()
        for waiter in waiting:
            waiter.woken.set()

    def _enter(self) -> _Waiter | None:
        with self._lock:
            if self._free > 0:
                self._free -= 1
                return None
            waiter = _Waiter()
            self._waiting.append(waiter)
            return waiter

    def _require_turn(self, waiter: _Waiter) -> None:
        with self._lock:
            if waiter.has_turn:
                return
            if waiter in self._waiting:
                self._waiting.remove(waiter)
        raise WaitedTooLongError
