"""Access tokens that all processes and hosts share: one asks the tenant, the others wait for the answer."""

from __future__ import annotations

import logging
import random
import time
from typing import Final

from dbplanet.haiilo.errors import UpstreamTimeoutError
from dbplanet.haiilo.grant import Fetch, Grant, TokenSharing
from dbplanet.store.errors import StoreError
from dbplanet.store.sealed import SealedStore

_KIND: Final = "token"
# How often a process looks whether another's token has come.
_POLL_SECONDS: Final = (0.03, 0.07)
# By how much the lock outlives the request that it covers.
_MARGIN: Final = 1.0

logger = logging.getLogger(__name__)


class SharedTokens:
    """Tokens in a SealedStore, asked for under a lock that its owner alone ends.

    ``request_seconds`` bounds a token request, so that the lock of a process that died is soon over;
    ``keep_seconds`` is how long a token is kept whose lifetime nobody told. While the store is away each
    process asks the tenant itself.
    """

    def __init__(self, store: SealedStore, *, request_seconds: float, keep_seconds: float) -> None:
        self._store = store
        self._request_seconds = request_seconds
        self._keep_seconds = keep_seconds

    def of(self, owner: str) -> TokenSharing:
        """Return the sharing of one owner's token: of a session, or of a set of credentials."""
        return lambda fetch, refused, deadline: self.get(owner, fetch, refused, deadline)

    def get(self, owner: str, fetch: Fetch, refused: str | None, deadline: float | None) -> str:
        """Return the token of ``owner``, calling ``fetch(deadline)`` in one process of all that find none.

        ``refused`` is a token that the tenant no longer takes. Raises what ``fetch`` raises, and
        UpstreamTimeoutError when another's fetch is not over by ``deadline`` (monotonic seconds).
        """
        try:
            return self._get(owner, fetch, refused, deadline)
        except StoreError:
            return fetch(deadline).token

    def _get(self, owner: str, fetch: Fetch, refused: str | None, deadline: float | None) -> str:
        while True:
            token = self._known(owner, refused)
            if token is not None:
                return token
            lock = self._store.lock(_KIND, owner, seconds=self._request_seconds + _MARGIN)
            if lock is not None:
                return self._fetch(owner, lock, fetch, refused, deadline)
            if deadline is not None and time.monotonic() >= deadline:
                raise UpstreamTimeoutError
            time.sleep(random.uniform(*_POLL_SECONDS))  # noqa: S311 spreads waiters, hides nothing

    def _known(self, owner: str, refused: str | None) -> str | None:
        token = self._store.get(_KIND, owner)
        return token if isinstance(token, str) and token != refused else None

    def _fetch(
        self,
        owner: str,
        lock: str,
        fetch: Fetch,
        refused: str | None,
        deadline: float | None,
    ) -> str:
        try:
            # The one who had the lock before may have brought it a moment ago.
            token = self._known(owner, refused)
            if token is not None:
                return token
            end = time.monotonic() + self._request_seconds
            grant = fetch(end if deadline is None else min(end, deadline))
            self._keep(owner, grant)
            return grant.token
        finally:
            self._release(owner, lock)

    def _keep(self, owner: str, grant: Grant) -> None:
        seconds = min(grant.seconds or self._keep_seconds, self._keep_seconds)
        try:
            self._store.put(_KIND, owner, grant.token, seconds=seconds)
        except StoreError:
            logger.debug("a token could not be shared")

    def _release(self, owner: str, lock: str) -> None:
        try:
            self._store.unlock(_KIND, owner, lock)
        except StoreError:
            logger.debug("a lock is left to end by itself")
