"""What the processes and hosts of one server share: sessions and access tokens, in Redis where one is set."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from dbplanet.haiilo.credentials import Credentials
from dbplanet.mcp.identity import Anyone, Identity
from dbplanet.mcp.sessions import MemorySessions, SessionStore
from dbplanet.settings import Settings

if TYPE_CHECKING:
    from dbplanet.haiilo.shared_tokens import SharedTokens
    from dbplanet.store.sealed import SealedStore
    from dbplanet.store.server import RedisServer

# Server name → what makes an identity of the values that were kept; all others ask for no credentials.
_IDENTITIES: Final[dict[str, Callable[..., Identity]]] = {"dbplanet": Credentials}


class SharedState:
    """The stores of one application. The constructor does no I/O: Redis may be away at the start."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._redis: RedisServer | None = None
        self._store: SealedStore | None = None
        if settings.session_store.startswith("redis"):
            from dbplanet.store.sealed import SealedStore
            from dbplanet.store.server import RedisServer

            self._redis = RedisServer(settings.session_store)
            self._store = SealedStore(self._redis, settings.secret_key or "")

    def sessions(self, server: str) -> SessionStore:
        """Return where the sessions of an MCP server are kept."""
        ttl = self._settings.session_ttl
        if self._store is None:
            return MemorySessions(ttl)
        from dbplanet.mcp.shared_sessions import SharedSessions

        make = _IDENTITIES.get(server)
        return SharedSessions(
            self._store,
            ttl,
            kind=f"{server}-session",
            restore=lambda values: make(*values) if make else Anyone(),
        )

    def tokens(self) -> SharedTokens | None:
        """Return the tokens that all processes share, None where each has its own."""
        if self._store is None:
            return None
        from dbplanet.haiilo.shared_tokens import SharedTokens

        settings = self._settings
        return SharedTokens(
            self._store,
            request_seconds=min(settings.connect_timeout + settings.read_timeout, settings.deadline),
            keep_seconds=settings.session_ttl,
        )

    def fault(self) -> str:
        """Return why sessions cannot be had now, in words for the operator, or an empty text."""
        away = self._redis is not None and not self._redis.is_there()
        return "SESSION_STORE cannot be reached" if away else ""
