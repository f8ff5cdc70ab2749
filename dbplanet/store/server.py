"""One Redis server, asked briefly: it answers within a second or counts as away."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from typing import Any, Final, TypeVar

import redis
from redis.backoff import NoBackoff
from redis.exceptions import ConnectionError as RedisConnectionError
from redis.exceptions import RedisError
from redis.exceptions import TimeoutError as RedisTimeoutError
from redis.retry import Retry

from dbplanet.store.errors import StoreError

# redis-py's own defaults take from five seconds to a minute to notice that nobody is there.
_TIMEOUT: Final = 1.0
# One retry: after a restart of Redis the first use of a kept connection fails.
_RETRIES: Final = 1
# For so long after a failure nobody asks again, so that a Redis that hangs costs one call its time, not all.
_PAUSE: Final = 1.0

T = TypeVar("T")
logger = logging.getLogger(__name__)


class RedisServer:
    """A Redis at ``url``; connects at the first use, reconnects by itself, safe with many threads."""

    def __init__(self, url: str, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._client = redis.Redis.from_url(
            url,
            socket_timeout=_TIMEOUT,
            socket_connect_timeout=_TIMEOUT,
            retry=Retry(NoBackoff(), _RETRIES, supported_errors=(RedisConnectionError, RedisTimeoutError)),
            protocol=2,
        )
        self._clock = clock
        self._lock = threading.Lock()
        self._away_until = 0.0
        self._is_away = False

    def ask(self, question: Callable[[redis.Redis], T]) -> T:
        """Return ``question(client)``; raises StoreError when Redis is away, at once if it was just now."""
        if self._clock() < self._away_until:
            raise StoreError("Redis was away a moment ago")
        try:
            answer = question(self._client)
        except RedisError as error:
            self._note_failure(error)
            raise StoreError("Redis cannot be used") from None
        if self._is_away:
            self._note_recovery()
        return answer

    def is_there(self) -> bool:
        """Tell whether Redis answers."""
        try:
            self.ask(lambda client: client.ping())
        except StoreError:
            return False
        return True

    def _note_failure(self, error: RedisError) -> None:
        with self._lock:
            self._away_until = self._clock() + _PAUSE
            first, self._is_away = not self._is_away, True
        if first:
            # Its words may hold the address with a password.
            logger.error("the session store cannot be used: %s", type(error).__name__)

    def _note_recovery(self) -> None:
        with self._lock:
            first, self._is_away = self._is_away, False
        if first:
            logger.info("the session store can be used again")


def pipeline_of(client: redis.Redis) -> Any:
    """Return a transaction, whose commands all happen or none."""
    return client.pipeline(transaction=True)
