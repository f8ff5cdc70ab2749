"""A tenant's circuit: after many failures in a row nobody asks it for a while, then one call probes it."""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable
from typing import Final
from weakref import WeakSet

from dbplanet.haiilo.errors import (
    AnswerError,
    CircuitOpenError,
    NetworkError,
    StatusError,
    UpstreamTimeoutError,
    WaitedTooLongError,
)

FAILURES: Final = 10
PAUSE_SECONDS: Final = 10.0


class CallRecord:
    """One caller's call: it may send several requests, but counts as one failure at most."""

    def __init__(self) -> None:
        self.counted = False


class Circuit:
    """Opens after ``failures`` calls in a row that ended in a 5xx, a timeout or no connection.

    Any other answer of the tenant closes it. While open, calls are refused at once; after ``pause`` seconds
    one is let through, and its end decides. Safe with many threads.
    """

    def __init__(
        self,
        *,
        failures: int = FAILURES,
        pause: float = PAUSE_SECONDS,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._most = failures
        self._pause = pause
        self._clock = clock
        self._lock = threading.Lock()
        self._failures = 0
        self._open_until: float | None = None
        self._probed = False
        # The failure of one token request reaches all who waited for it.
        self._counted: WeakSet[BaseException] = WeakSet()

    def admit(self) -> bool:
        """Let a call in and tell whether it is the probe; raises CircuitOpenError."""
        with self._lock:
            if self._open_until is None:
                return False
            if self._probed or self._clock() < self._open_until:
                raise self._refusal(self._open_until)
            self._probed = True
            return True

    def check(self) -> None:
        """Raise CircuitOpenError for a call that waited while the circuit opened."""
        until = self._open_until
        if until is not None and self._clock() < until:
            raise self._refusal(until)

    def record(self, error: BaseException | None, call: CallRecord, *, probe: bool) -> bool:
        """Take note of how a request ended, None for well; return whether that opened the circuit."""
        if error is None and self._failures == 0 and not probe:
            # nothing is the matter, as nearly always: nothing changes
            call.counted = False
            return False
        failed = is_failure(error)
        with self._lock:
            self._probed = self._probed and not probe
            if failed is None:
                return False
            if error is None or not failed:
                self._failures, self._open_until, call.counted = 0, None, False
                return False
            self._failures += not (call.counted or error in self._counted)
            call.counted = True
            self._counted.add(error)
            opens = probe or (self._open_until is None and self._failures >= self._most)
            if opens:
                self._open_until = self._clock() + self._pause
            return opens

    def _refusal(self, until: float) -> CircuitOpenError:
        return CircuitOpenError(max(math.ceil(until - self._clock()), 1))


def is_failure(error: BaseException | None) -> bool | None:
    """Tell whether a request's end speaks against the tenant; None where it says nothing about it."""
    if isinstance(error, WaitedTooLongError):
        return None
    if isinstance(error, (UpstreamTimeoutError, NetworkError)):
        return True
    if isinstance(error, StatusError):
        return error.status >= 500
    return False if error is None or isinstance(error, AnswerError) else None
