"""Something to be said once: by one thread, or by one of several processes."""

from __future__ import annotations

import os
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


def one_of_the_forked() -> Callable[[], bool]:
    """Return what returns True once, in one of the processes forked later: who takes a pipe's only byte."""
    reading, writing = os.pipe()
    os.set_blocking(reading, False)
    os.write(writing, b"1")

    def take() -> bool:
        try:
            return bool(os.read(reading, 1))
        except BlockingIOError:
            return False

    return take
