"""Sessions that every process and host knows: opened on one, used on all, ended on all."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

from dbplanet.mcp.identity import Identity
from dbplanet.mcp.scope import EVERYTHING, Scope
from dbplanet.mcp.sessions import MemorySessions, Session, new_session_id
from dbplanet.store.errors import StoreError
from dbplanet.store.sealed import SealedStore

Restore = Callable[[Sequence[str | None]], Identity]


class SharedSessions:
    """Sessions in a SealedStore, each with a connection of its own in every process that serves it.

    ``kind`` keeps the sessions of several servers apart; ``restore(values)`` makes an identity of its
    values. Methods raise StoreError while the store is away. A session ends ``ttl`` seconds after its last
    use, and so does what is remembered of a deleted one.
    """

    shared = True

    def __init__(self, store: SealedStore, ttl: float, *, kind: str, restore: Restore) -> None:
        self._store = store
        self._ttl = ttl
        self._kind = kind
        self._restore = restore
        self._local = MemorySessions(ttl)

    def create(self, identity: Identity, version: str, scope: Scope = EVERYTHING) -> Session:
        """Open a session and return it; its id has 192 random bits."""
        session = Session(new_session_id(scope), identity, version, scope, keep=self._keep)
        self._store.put(self._kind, session.id, _record(session), seconds=self._ttl)
        return self._local.adopt(session)

    def get(self, session_id: str) -> Session | None:
        """Return a live session and mark it used, or None."""
        record = self._store.get(self._kind, session_id, renew=self._ttl)
        if record is None:
            self._local.discard(session_id)
            return None
        session = self._local.get(session_id) or self._local.adopt(self._restored(session_id, record))
        session.log_level = record["log_level"]
        return session

    def delete(self, session_id: str) -> None:
        """End a session everywhere and remember that it was ended."""
        self._store.bury(self._kind, session_id, seconds=self._ttl)
        self._local.discard(session_id)

    def was_deleted(self, session_id: str) -> bool:
        """Tell whether a client ended this session within the last ``ttl`` seconds."""
        return self._store.is_buried(self._kind, session_id)

    def count(self) -> float:
        """Return the number of live sessions of all processes; NaN while the store is away."""
        try:
            return self._store.count(self._kind)
        except StoreError:
            return math.nan

    def _keep(self, session: Session) -> None:
        # A session that was ended meanwhile stays so.
        self._store.replace(self._kind, session.id, _record(session), seconds=self._ttl)

    def _restored(self, session_id: str, record: Any) -> Session:
        toolsets = record["toolsets"]
        scope = Scope(record["read_only"], None if toolsets is None else frozenset(toolsets))
        identity = self._restore(record["identity"])
        return Session(session_id, identity, record["version"], scope, keep=self._keep)


def _record(session: Session) -> dict[str, Any]:
    toolsets = session.scope.toolsets
    return {
        "identity": list(session.identity.values),
        "version": session.version,
        "read_only": session.scope.read_only,
        "toolsets": None if toolsets is None else sorted(toolsets),
        "log_level": session.log_level,
    }
