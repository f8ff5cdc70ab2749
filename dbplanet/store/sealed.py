"""Values in Redis that only this application can read, each with an end."""

from __future__ import annotations

import logging
import math
import secrets
from typing import Any, Final, cast

from dbplanet.store.sealing import Sealing
from dbplanet.store.server import RedisServer, pipeline_of

logger = logging.getLogger(__name__)

# Only the owner ends a lock: one that came too late would end another's.
_UNLOCK: Final = (
    "if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('del', KEYS[1]) end return 0"
)

# How many keys one step of a count looks at; a step keeps Redis from others.
_SCANNED: Final = 1_000


class SealedStore:
    """JSON values by kind and name, and locks; every method may raise StoreError.

    ``secret`` must be the same in all processes that share the store. Times are seconds.
    """

    def __init__(self, server: RedisServer, secret: str) -> None:
        self._server = server
        self._sealing = Sealing(secret)

    def get(self, kind: str, name: str, *, renew: float | None = None) -> Any:
        """Return a value, or None; ``renew`` makes it last so long from now on."""
        key = self._sealing.key(kind, name)
        if renew is None:
            sealed = self._server.ask(lambda client: client.get(key))
        else:
            sealed = self._server.ask(lambda client: client.getex(key, ex=_whole(renew)))
        if sealed is None:
            return None
        try:
            return self._sealing.open(key, cast("bytes", sealed))
        except ValueError:
            logger.warning("a %s in the store was not written under this SECRET_KEY", kind)
            return None

    def count(self, kind: str) -> int:
        """Return the number of values of a kind; looks through all keys, which is for rare questions."""
        pattern = f"{self._sealing.prefix(kind)}*"
        return self._server.ask(lambda client: sum(1 for _ in client.scan_iter(pattern, count=_SCANNED)))

    def put(self, kind: str, name: str, value: Any, *, seconds: float) -> None:
        """Keep a value for so long."""
        key = self._sealing.key(kind, name)
        sealed = self._sealing.seal(key, value)
        self._server.ask(lambda client: client.set(key, sealed, ex=_whole(seconds)))

    def replace(self, kind: str, name: str, value: Any, *, seconds: float) -> None:
        """Keep a value for so long in place of one that is there; where none is, keep none."""
        key = self._sealing.key(kind, name)
        sealed = self._sealing.seal(key, value)
        self._server.ask(lambda client: client.set(key, sealed, ex=_whole(seconds), xx=True))

    def bury(self, kind: str, name: str, *, seconds: float) -> None:
        """Remove a value and remember for so long that it was removed."""
        key, stone = self._sealing.key(kind, name), self._sealing.key(f"{kind}-ended", name)
        self._server.ask(
            lambda client: pipeline_of(client).set(stone, b"1", ex=_whole(seconds)).delete(key).execute()
        )

    def is_buried(self, kind: str, name: str) -> bool:
        """Tell whether a value was removed a while ago."""
        stone = self._sealing.key(f"{kind}-ended", name)
        return bool(self._server.ask(lambda client: client.exists(stone)))

    def lock(self, kind: str, name: str, *, seconds: float) -> str | None:
        """Take a lock that ends by itself after so long; return its owner's word, None while it is taken."""
        key, owner = self._sealing.key(f"{kind}-lock", name), secrets.token_hex(16)
        taken = self._server.ask(lambda client: client.set(key, owner, px=_whole(seconds * 1000), nx=True))
        if taken:
            return owner
        # The answer to the first try may have been lost, and the second have met one's own lock.
        return owner if self._server.ask(lambda client: client.get(key)) == owner.encode() else None

    def unlock(self, kind: str, name: str, owner: str) -> None:
        """End the lock unless it has ended and is another's by now."""
        key = self._sealing.key(f"{kind}-lock", name)
        self._server.ask(lambda client: client.eval(_UNLOCK, 1, key, owner))


def _whole(number: float) -> int:
    return max(math.ceil(number), 1)
