"""How many calls may be inside a tenant's gate at once."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Final

_PATIENCE_SECONDS: Final = 1.0


class Room:
    """``size`` places, safe with many threads.

    Where all are taken, a call waits up to ``patience`` seconds for one, as long as calls leave: a tenant
    that answers has its queue. For one that answers nobody nothing is waited: each waiting thread is lost to
    the other tenants.
    """

    def __init__(
        self,
        size: int,
        *,
        patience: float = _PATIENCE_SECONDS,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._size = size
        self._patience = patience
        self._clock = clock
        self._freed = threading.Condition(threading.Lock())
        self._waiting = 0
        #: when somebody left, or the last place was taken
        self._moved = clock()
        self.taken = 0

    def enter(self) -> bool:
        """Take a place and return True, or return False where there is none to be had."""
        with self._freed:
            if self.taken >= self._size and not self._wait():
                return False
            self.taken += 1
            if self.taken == self._size:
                self._moved = self._clock()
            return True

    def leave(self) -> None:
        """Give a place back."""
        with self._freed:
            self.taken -= 1
            if self._waiting:
                self._freed.notify()
            if self.taken == self._size - 1:
                self._moved = self._clock()

    def _wait(self) -> bool:
        """Wait for a place while calls leave; the lock is held."""
        end = self._clock() + self._patience
        self._waiting += 1
        try:
            while self.taken >= self._size:
                seconds = min(end, self._moved + self._patience) - self._clock()
                if seconds <= 0:
                    return False
                self._freed.wait(seconds)
            return True
        finally:
            self._waiting -= 1
