"""Which session a request belongs to, and when none will do."""

from __future__ import annotations

import logging
import threading
from typing import Final

from dbplanet.mcp.identity import Identity, speaks_for
from dbplanet.mcp.protocol import INVALID_REQUEST, RpcError
from dbplanet.mcp.scope import Scope
from dbplanet.mcp.sessions import MemorySessions, Session

logger = logging.getLogger(__name__)

SESSION_HEADER: Final = "mcp-session-id"


class SessionRules:
    """Finds, opens and ends sessions.

    A request that names an unknown session but carries all credentials is served without one, so that
    a restart breaks nobody; a deleted session stays deleted; a session answers only to its own
    credentials, and a stranger cannot tell it from one that does not exist.
    """

    def __init__(self, store: MemorySessions) -> None:
        self._store = store
        self._said = threading.Event()

    def authoritative(self, multiprocess: bool) -> bool:
        """Tell whether sessions can be kept: several processes share no memory."""
        if multiprocess and not self._said.is_set():
            self._said.set()
            logger.info("several worker processes and no shared session store: serving without sessions")
        return not multiprocess

    def open(self, identity: Identity, version: str, scope: Scope) -> Session:
        """Open a session for the caller of ``initialize``."""
        return self._store.create(identity, version, scope)

    def find(self, session_id: str | None, identity: Identity) -> Session | None:
        """Return the caller's session, or None for traffic without one; raises RpcError 404."""
        if session_id is None:
            return None
        session = self._store.get(session_id)
        if session is None and identity.complete and not self._store.was_deleted(session_id):
            return None
        if session is None or not speaks_for(identity, session.identity):
            raise _not_found()
        return session

    def end(self, session_id: str | None, identity: Identity) -> None:
        """End the caller's session; raises RpcError 400 without an id, 404 for one not the caller's."""
        if session_id is None:
            raise RpcError(INVALID_REQUEST, "Bad Request: Mcp-Session-Id is missing", status=400)
        session = self._store.get(session_id)
        if session is None or not speaks_for(identity, session.identity):
            raise _not_found()
        self._store.delete(session_id)


def _not_found() -> RpcError:
    return RpcError(
        INVALID_REQUEST,
        "Session not found: initialize again, or leave out Mcp-Session-Id and send all credentials; "
        "in a session they must be those given at initialize",
        status=404,
    )
