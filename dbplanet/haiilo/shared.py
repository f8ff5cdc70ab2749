"""A value that many threads need and one fetches."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from concurrent import futures
from concurrent.futures import Future
from typing import Generic, TypeVar

T = TypeVar("T")


class SharedValue(Generic[T]):
    """A value fetched by one thread for all that wait (single flight), kept until it is dropped.

    A failed fetch fails for everyone who waited for it and is not kept: twenty threads with a wrong
    password are one refused sign-in, not twenty. No lock is held while fetching.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._value: T | None = None
        self._flight: Future[T] | None = None

    def get(self, fetch: Callable[[], T], deadline: float | None = None) -> T:
        """Return the value, calling ``fetch`` in one of the threads that find none.

        Raises TimeoutError when another thread's fetch is not done by ``deadline`` (monotonic seconds).
        """
        value = self._value
        if value is not None:
            return value
        with self._lock:
            if self._value is not None:
                return self._value
            flight, leads = self._flight, self._flight is None
            if flight is None:
                flight = self._flight = Future()
        if leads:
            self._land(flight, fetch)
        try:
            return flight.result(None if deadline is None else max(deadline - time.monotonic(), 0.0))
        except futures.TimeoutError:
            # The built-in one is another class before Python 3.11.
            raise TimeoutError from None

    def drop(self, value: T) -> None:
        """Forget ``value`` if it is still the current one; a newer one stays."""
        with self._lock:
            if self._value == value:
                self._value = None

    def _land(self, flight: Future[T], fetch: Callable[[], T]) -> None:
        try:
            value = fetch()
        except BaseException as error:
            self._settle(None)
            flight.set_exception(error)
        else:
            self._settle(value)
            flight.set_result(value)

    def _settle(self, value: T | None) -> None:
        with self._lock:
            self._value, self._flight = value, None
