"""Connections for traffic without a session: one per set of credentials, least recently used out.

The key is a MAC (BLAKE2b, RFC 7693) over all credential values under a key of this process, so that no other
value of any of them ever reaches the same connection and the table itself holds no secret.
"""

from __future__ import annotations

import hashlib
import secrets
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from typing import Any, Final

from dbplanet.mcp.identity import Identity

MAX_CONNECTIONS: Final = 1_000
IDLE_SECONDS: Final = 1_800.0


class Connections:
    """A bounded table of connections made by ``connect(identity)``; safe with many threads.

    ``connect`` must do no I/O. What falls out of the table is closed; a call that still uses it ends
    undisturbed.
    """

    def __init__(
        self,
        connect: Callable[[Any], Any],
        *,
        limit: int = MAX_CONNECTIONS,
        idle: float = IDLE_SECONDS,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._connect = connect
        self._limit = limit
        self._idle = idle
        self._clock = clock
        self._mac = hashlib.blake2b(key=secrets.token_bytes(32), digest_size=32)
        self._lock = threading.Lock()
        self._table: OrderedDict[bytes, tuple[Any, float]] = OrderedDict()

    def get(self, identity: Identity) -> Any:
        """Return the connection of exactly these credentials, making it where there is none."""
        key = self._key(identity)
        with self._lock:
            now = self._clock()
            entry = self._table.get(key)
            connection = entry[0] if entry else self._connect(identity)
            self._table[key] = (connection, now)
            self._table.move_to_end(key)
            ended = self._expire(now)
        for old in ended:
            old.close()
        return connection

    def _expire(self, now: float) -> list[Any]:
        ended = []
        while len(self._table) > self._limit or next(iter(self._table.values()))[1] < now - self._idle:
            ended.append(self._table.popitem(last=False)[1][0])
        return ended

    def _key(self, identity: Identity) -> bytes:
        mac = self._mac.copy()
        # Quotes and escapes keep all values apart: "ab"+"c" and "a"+"bc", None and "", halves of pairs.
        mac.update(repr(identity.values).encode())
        return mac.digest()
