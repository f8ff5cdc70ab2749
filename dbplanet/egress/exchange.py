"""One call in progress: its time, what it may dial, and what became of it."""

from __future__ import annotations

import contextlib
import socket
import threading
import time
from collections.abc import Callable
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


class Lifeline:
    """A second descriptor of a connection, by which another thread can end what goes over it.

    It survives TLS wrapping, and cannot hit a number that the system has given to another file.
    """

    def __init__(self, sock: socket.socket) -> None:
        self._lock = threading.Lock()
        self._sock = sock.dup()

    def cut(self) -> None:
        """Shut the connection down in both directions."""
        with self._lock, contextlib.suppress(OSError):  # the peer may be faster
            self._sock.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        """Close the descriptor alone."""
        with self._lock:
            self._sock.close()


class Exchange:
    """The state of one call, and of its thread for the time of a `with` block.

    At the deadline the watchdog cuts the connection that the call uses then.
    """

    #: where the request goes; set by the adapter when it has checked that
    target: Target

    def __init__(self, rules: Rules, deadline: float, *, fresh: bool, direct: bool = True) -> None:
        self.rules = rules
        self.deadline = deadline
        #: no kept connection may be used: it may be stale, which a write must never find out
        self.fresh = fresh
        #: `Egress` itself reads the answer off the wire; whoever uses its session gets urllib3's
        self.direct = direct
        self.reused = False
        self.stage = Stage.NOT_SENT
        #: the deadline came while a connection was in use, and ended what was going over it
        self.cut = False
        self._expired = False
        self._lifeline: Lifeline | None = None
        self._lock = threading.Lock()

    def __enter__(self) -> Exchange:
        self._alarm = WATCHDOG.get().at(time.monotonic() + self.remaining(), self._expire)
        self._token = _CURRENT.set(self)
        return self

    def __exit__(self, *ending: object) -> None:
        _CURRENT.reset(self._token)
        self._alarm.cancel()
        # it holds this call in turn, which would be left to the garbage collector
        del self._alarm
        self.release()

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

    def watch(self, lifeline: Lifeline) -> None:
        """Put a connection under the deadline until `release`; raises EgressError if it has passed."""
        with self._lock:
            if self._expired:
                raise EgressError("deadline", sent=self.may_have_been_sent)
            self._lifeline = lifeline

    def release(self) -> None:
        """Let go of the connection, before anybody else may use it."""
        with self._lock:
            self._lifeline = None

    def _expire(self) -> None:
        with self._lock:
            self._expired = True
            if self._lifeline is not None:
                self.cut = True
                self._lifeline.cut()


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
