"""Which session a request belongs to, and when none will do."""

from __future__ import annotations

import logging
from typing import Final

from dbplanet.mcp.identity import Identity, speaks_for
from dbplanet.mcp.once import Once
from dbplanet.mcp.protocol import INTERNAL_ERROR, INVALID_REQUEST, RpcError
from dbplanet.mcp.scope import Scope
from dbplanet.mcp.sessions import Session, SessionStore
from dbplanet.store.errors import StoreError

logger = logging.getLogger(__name__)

SESSION_HEADER: Final = "mcp-session-id"


class SessionRules:
    """Finds, opens and ends sessions.

    A request that names an unknown session but carries all credentials is served without one, so that
    a restart breaks nobody; a deleted session stays deleted; a session answers only to its own
    credentials, and a stranger cannot tell it from one that does not exist. While the store is away, what
    carries all credentials is served without a session; what needs one is a 503.
    """

    def __init__(self, store: SessionStore, once: Once | None = None) -> None:
        self._store = store
        self._once = once or Once()

    def authoritative(self, multiprocess: bool) -> bool:
        """Tell whether sessions can be kept: several processes share no memory."""
        kept = self._store.shared or not multiprocess
        if not kept and self._once.first():
            logger.info("several worker processes and no shared session store: serving without sessions")
        return kept

    def open(self, identity: Identity, version: str, scope: Scope) -> Session | None:
        """Open a session for the caller of ``initialize``; None while the store is away."""
        try:
            return self._store.create(identity, version, scope)
        except StoreError:
            return None

    def find(self, session_id: str | None, identity: Identity) -> Session | None:
        """Return the caller's session, or None for traffic without one; raises RpcError 404 or 503."""
        if session_id is None:
            return None
        try:
            session = self._store.get(session_id)
            if session is None and identity.complete and not self._store.was_deleted(session_id):
                return None
        except StoreError:
            if identity.complete:
                return None
            raise store_is_away() from None
        if session is None or not speaks_for(identity, session.identity):
            raise _not_found()
        return session

    def end(self, session_id: str | None, identity: Identity) -> None:
        """End the caller's session; raises RpcError 400 without an id, 404 for one not the caller's, 503."""
        if session_id is None:
            raise RpcError(INVALID_REQUEST, "Bad Request: Mcp-Session-Id is missing", status=400)
        try:
            session = self._store.get(session_id)
            if session is None or not speaks_for(identity, session.identity):
                raise _not_found()
            self._store.delete(session_id)
        except StoreError:
            raise store_is_away() from None


def _not_found() -> RpcError:
    return RpcError(
        INVALID_REQUEST,
        "Session not found: initialize again, or leave out Mcp-Session-Id and send all credentials; "
        "in a session they must be those given at initialize",
        status=404,
    )


def store_is_away() -> RpcError:
    """Return the error of a request that cannot be served without the store."""
    return RpcError(
        INTERNAL_ERROR,
        "Service Unavailable: the session store is away; try again soon, or send all credentials",
        status=503,
    )
