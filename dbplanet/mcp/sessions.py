"""Sessions of the handshake era: who opened one, what was agreed, and the connection it uses.

A store is authoritative when every request of its sessions reaches it; the one in memory is while a
single process serves. Deleted ids leave tombstones, so that a deleted session stays deleted even for
a caller whose credentials would be served without one.
"""

from __future__ import annotations

import secrets
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final, Protocol

from dbplanet.mcp.identity import Identity
from dbplanet.mcp.scope import EVERYTHING, Scope

MAX_SESSIONS: Final = 10_000
MAX_TOMBSTONES: Final = 10_000


def new_session_id(scope: Scope) -> str:
    """Return a new id with 192 random bits, and behind them the limits of its ``initialize``, if any.

    Limits only narrow, so an id needs no signature; with them in it they hold even where the session itself
    was lost, and requests are served without it.
    """
    token = secrets.token_urlsafe(24)
    return token if scope == EVERYTHING else f"{token}.{scope.written()}"


def scope_in(session_id: str) -> Scope:
    """Return the limits that stand in a session id; whatever cannot be read narrows nothing."""
    _, _, written = session_id.partition(".")
    return Scope.read(written)


@dataclass(slots=True)
class Session:
    """One handshake session. ``identity`` and ``scope`` are those of its ``initialize``.

    ``keep(session)`` stores a change where other processes see it.
    """

    id: str
    identity: Identity
    version: str
    scope: Scope = EVERYTHING
    log_level: str = "info"
    keep: Callable[[Session], None] = field(default=lambda session: None, repr=False, kw_only=True)
    _connection: Any = None
    _lock: threading.Lock = field(default_factory=threading.Lock, repr=False)

    def connection(self, connect: Callable[[Any], Any]) -> Any:
        """Return the session's own connection, made by ``connect(identity)`` at the first call."""
        with self._lock:
            if self._connection is None:
                self._connection = connect(self.identity)
            return self._connection

    def set_log_level(self, level: str) -> None:
        """Remember the least level of log messages that the client wants; may raise StoreError."""
        self.log_level = level
        self.keep(self)

    def close(self) -> None:
        """Release the connection, if one was ever made."""
        with self._lock:
            connection, self._connection = self._connection, None
        if connection is not None:
            connection.close()


class SessionStore(Protocol):
    """Where sessions are kept. One that is not in this process may raise ``dbplanet.store.StoreError``."""

    @property
    def shared(self) -> bool:
        """Whether every process that serves the same port has the same sessions."""

    def create(self, identity: Identity, version: str, scope: Scope = EVERYTHING) -> Session:
        """Open a session and return it."""

    def get(self, session_id: str) -> Session | None:
        """Return a live session and mark it used, or None."""

    def delete(self, session_id: str) -> None:
        """End a session and remember that it was ended."""

    def was_deleted(self, session_id: str) -> bool:
        """Tell whether a client ended this session a while ago."""

    def count(self) -> float:
        """Return the number of live sessions, NaN where it cannot be told."""


class MemorySessions:
    """Sessions of one process, bounded in number and idle time (``ttl`` in seconds).

    Over the bound the oldest session that was never used goes, else the one unused for longest, so that a
    flood of ``initialize`` ends nobody's work. Its holder is told to initialize again, or is served without
    a session when its requests carry their own credentials.
    """

    shared = False

    def __init__(
        self, ttl: float, *, limit: int = MAX_SESSIONS, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._ttl = ttl
        self._limit = limit
        self._clock = clock
        self._lock = threading.Lock()
        self._unused: OrderedDict[str, tuple[Session, float]] = OrderedDict()
        self._live: OrderedDict[str, tuple[Session, float]] = OrderedDict()
        self._deleted: OrderedDict[str, float] = OrderedDict()

    def count(self) -> int:
        """Return the number of live sessions."""
        with self._lock:
            return len(self._unused) + len(self._live)

    def create(self, identity: Identity, version: str, scope: Scope = EVERYTHING) -> Session:
        """Open a session and return it; its id has 192 random bits."""
        session = Session(new_session_id(scope), identity, version, scope)
        with self._lock:
            self._unused[session.id] = (session, self._clock())
            ended = self._expire()
        for old in ended:
            old.close()
        return session

    def adopt(self, session: Session) -> Session:
        """Keep a session made elsewhere; return it, or the one of its id that is here already."""
        with self._lock:
            entry = self._unused.get(session.id) or self._live.setdefault(
                session.id, (session, self._clock())
            )
            ended = self._expire()
        for old in ended:
            old.close()
        return entry[0]

    def discard(self, session_id: str) -> None:
        """Forget a session without a trace."""
        with self._lock:
            entry = self._unused.pop(session_id, None) or self._live.pop(session_id, None)
        if entry is not None:
            entry[0].close()

    def get(self, session_id: str) -> Session | None:
        """Return a live session and mark it used, or None."""
        with self._lock:
            ended = self._expire()
            entry = self._unused.pop(session_id, None) or self._live.get(session_id)
            if entry is not None:
                self._live[session_id] = (entry[0], self._clock())
                self._live.move_to_end(session_id)
        for old in ended:
            old.close()
        return entry[0] if entry else None

    def delete(self, session_id: str) -> None:
        """End a session and remember that it was ended."""
        with self._lock:
            entry = self._unused.pop(session_id, None) or self._live.pop(session_id, None)
            self._deleted[session_id] = self._clock()
            while len(self._deleted) > MAX_TOMBSTONES:
                self._deleted.popitem(last=False)
        if entry is not None:
            entry[0].close()

    def was_deleted(self, session_id: str) -> bool:
        """Tell whether a client ended this session within the last ``ttl`` seconds."""
        with self._lock:
            self._expire()
            return session_id in self._deleted

    def _expire(self) -> list[Session]:
        """Drop what is too old or too many; the caller closes what is returned, outside the lock."""
        oldest = self._clock() - self._ttl
        ended = []
        for table in (self._unused, self._live):
            while table and (self._is_full() or next(iter(table.values()))[1] < oldest):
                ended.append(table.popitem(last=False)[1][0])
        while self._deleted and next(iter(self._deleted.values())) < oldest:
            self._deleted.popitem(last=False)
        return ended

    def _is_full(self) -> bool:
        return len(self._unused) + len(self._live) > self._limit
