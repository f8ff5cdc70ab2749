"""One call in progress: its time, what it may dial, and what became of it."""

from __future__ import annotations

import os
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from enum import Enum

from .errors import EgressError
from .limits import Limits
from .lookups import Resolver
from .policy import Policy
from .urls import Target
from .watchdog import WATCHDOG

Clock = Callable[[], float]


@dataclass(frozen=True)
class Rules:
    """What all calls of one Egress have in common; the connections find it through their exchange."""

    policy: Policy
    limits: Limits
    resolver: Resolver
    clock: Clock


class Stage(Enum):
    """How far a request came."""

    NOT_SENT = "not sent"
    #: handed to requests; what happens there is not seen where a test replaces its adapter
    UNKNOWN = "unknown"
    SENT = "sent"
    ANSWERED = "answered"


class Exchange:
    """The state of one call.

    At the deadline the watchdog shuts the connection down through a duplicate of its file descriptor: the
    duplicate survives TLS wrapping and cannot hit a number that the system has given to another file.
    """

    #: where the request goes; set by the adapter when it has checked that
    target: Target

    def __init__(self, rules: Rules, deadline: float, *, fresh: bool) -> None:
        self.rules = rules
        self.deadline = deadline
        #: no kept connection may be used: it may be stale, which a write must never find out
        self.fresh = fresh
        self.reused = False
        self.stage = Stage.NOT_SENT
        #: the deadline came while a connection was in use, and ended what was going over it
        self.cut = False
        self._expired = False
        self._fds: list[int] = []
        self._lock = threading.Lock()
        self._alarm = WATCHDOG.get().at(time.monotonic() + self.remaining(), self._expire)

    @property
    def may_have_been_sent(self) -> bool:
        """Whether the server may have got the request; True whenever that is not certainly false."""
        return self.stage is not Stage.NOT_SENT

    def remaining(self) -> float:
        """Return the seconds until the deadline; not above zero when it has passed."""
        return self.deadline - self.rules.clock()

    def require_time(self) -> float:
        """Return the seconds until the deadline, or raise EgressError (deadline)."""
        left = self.remaining()
        if left <= 0 or self._expired:
            raise EgressError("deadline", sent=self.may_have_been_sent)
        return left

    def watch(self, sock: socket.socket) -> None:
        """Put `sock` under the deadline until `release`; if it has passed, close `sock` and raise."""
        with self._lock:
            if not self._expired:
                self._fds.append(os.dup(sock.fileno()))
                return
        sock.close()
        raise EgressError("deadline", sent=self.may_have_been_sent)

    def release(self) -> None:
        """Let go of the connection, before anybody else may use it."""
        with self._lock:
            for fd in self._fds:
                os.close(fd)
            self._fds.clear()

    def finish(self) -> None:
        """End the call: no alarm, no file descriptor is left."""
        self._alarm.cancel()
        self.release()

    def _expire(self) -> None:
        with self._lock:
            self._expired = True
            for fd in self._fds:
                self.cut = True
                _shut_down(fd)


def _shut_down(fd: int) -> None:
    sock = socket.socket(fileno=fd)
    try:
        sock.shutdown(socket.SHUT_RDWR)
    except OSError:
        return  # the peer was faster
    finally:
        sock.detach()


_CURRENT: ContextVar[Exchange] = ContextVar("dbplanet_egress_exchange")


def current_exchange() -> Exchange:
    """Return the call that this thread is making. Raises LookupError outside one: nothing is dialled then."""
    return _CURRENT.get()


def in_exchange(rules: Rules) -> bool:
    """Tell whether this thread is making a call under `rules`."""
    call = _CURRENT.get(None)
    return call is not None and call.rules is rules


def release_connection() -> None:
    """Take the connection of this thread's call, if there is one, from under its deadline."""
    call = _CURRENT.get(None)
    if call is not None:
        call.release()


@contextmanager
def exchange(rules: Rules, deadline: float, *, fresh: bool) -> Iterator[Exchange]:
    """Make a call of this thread current for the time of a `with` block."""
    made = Exchange(rules, deadline, fresh=fresh)
    token = _CURRENT.set(made)
    try:
        yield made
    finally:
        _CURRENT.reset(token)
        made.finish()
