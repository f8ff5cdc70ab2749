"""Something to be said once: by one thread, or by one of several processes."""

from __future__ import annotations

import threading
from collections.abc import Callable


class Once:
    """Tells the first caller that it is the first.

    ``among`` widens it from the threads of this process to all processes that were forked from one.
    """

    def __init__(self) -> None:
        self._said = threading.Event()
        self._lock = threading.Lock()
        self._among: Callable[[], bool] = lambda: True

    def first(self) -> bool:
        """Return True to the first caller alone."""
        if self._said.is_set():
            return False
        with self._lock:
            mine = not self._said.is_set() and self._among()
            self._said.set()
        return mine

    def among(self, first: Callable[[], bool]) -> None:
        """Ask ``first`` too, which returns True in one of the processes alone."""
        self._among = first
