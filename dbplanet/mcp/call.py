"""What surrounds one message: its era, its caller, its session, and where its notifications go."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from dbplanet.mcp.context import Context, Emit
from dbplanet.mcp.identity import Identity
from dbplanet.mcp.protocol import META_CLIENT_CAPABILITIES, META_LOG_LEVEL, MessageId
from dbplanet.mcp.scope import EVERYTHING, Scope
from dbplanet.mcp.sessions import Session


@dataclass(slots=True)
class Call:
    """One message's surroundings. ``emit`` is None where the caller reads no notifications.

    ``cancelled`` is None where nothing can cancel the call. ``request_id`` names the HTTP request in logs,
    ``token`` says which access token it brought; both are empty where there is none.
    """

    modern: bool
    identity: Identity
    session: Session | None = None
    scope: Scope = EVERYTHING
    emit: Emit | None = None
    cancelled: threading.Event | None = None
    request_id: str = ""
    token: str = ""

    @property
    def caller(self) -> Identity:
        """Who acts: the session's own identity, or the request's."""
        return self.identity if self.session is None else self.session.identity

    def context(self, params: Mapping[str, Any]) -> Context:
        """Return what a handler may do with this call."""
        meta = meta_of(params)
        return Context(
            progress_token=progress_token(params),
            log_level=self.log_level(params),
            emit=self.emit,
            capabilities=meta.get(META_CLIENT_CAPABILITIES) or {} if self.modern else {},
            can_ask=self.modern,
            cancelled=self.cancelled,
        )

    def log_level(self, params: Mapping[str, Any]) -> str | None:
        """Return the least level that the caller wants; None for no log messages at all."""
        if self.modern:
            return meta_of(params).get(META_LOG_LEVEL)
        # Without a session the level of logging/setLevel cannot be kept.
        return self.session.log_level if self.session is not None else "info"


def meta_of(params: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return a request's ``_meta``, or an empty one where it is none."""
    meta = params.get("_meta")
    return meta if isinstance(meta, dict) else {}


def progress_token(params: Mapping[str, Any]) -> MessageId | None:
    """Return the token under which the caller wants progress, if it is one."""
    token = meta_of(params).get("progressToken")
    return token if isinstance(token, (str, int)) and not isinstance(token, bool) else None
