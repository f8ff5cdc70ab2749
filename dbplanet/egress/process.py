"""Things of which one per process is enough, made in the process that uses them."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Generic, TypeVar

T = TypeVar("T")


class PerProcess(Generic[T]):
    """Makes its value on first use in each process.

    A pool of threads does not survive a fork: one used by gunicorn's master would hang in every worker.
    No lock is needed (one held during a fork would stay held in the child): two threads may both make a
    value, but `setdefault` gives all of them the same one, and a value starts nothing until it is used.
    """

    def __init__(self, make: Callable[[], T]) -> None:
        self._make = make
        self._values: dict[int, T] = {}

    def get(self) -> T:
        """Return this process's value."""
        pid = os.getpid()
        value = self._values.get(pid)
        return value if value is not None else self._values.setdefault(pid, self._make())
