"""Answers that begin before they are finished: server-sent events from a bounded pool of threads.

A call that may emit runs in a thread of the pool. If it ends without having emitted, its answer is plain
JSON; the first notification turns the answer into an event stream. When the client goes away, a call of
2026-07-28 is cancelled, an older one goes on (its result is dropped): so the revisions want it.
"""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final

from dbplanet.mcp.context import Emit
from dbplanet.mcp.media import EVENT_HEADERS, event
from dbplanet.mcp.message import Reply
from dbplanet.mcp.protocol import encode

PING_SECONDS: Final = 15.0
# How soon a closed connection is noticed while the call is silent.
_POLL_SECONDS: Final = 0.5
_PING: Final = b": ping\n\n"

Work = Callable[[Emit], Reply]


class Streams:
    """Runs at most ``limit`` emitting calls at once, so that streams never take every thread."""

    def __init__(self, limit: int, *, ping_seconds: float = PING_SECONDS) -> None:
        self._slots = threading.Semaphore(limit)
        # Threads start with the first call, so after any fork.
        self._pool = ThreadPoolExecutor(max_workers=max(limit, 1), thread_name_prefix="mcp-stream")
        self._ping_seconds = ping_seconds

    def serve(
        self, work: Work, *, gone: Callable[[], bool], cancelled: threading.Event, cancels: bool
    ) -> Reply | None:
        """Return the answer of ``work(emit)``, as a stream if it emits; None when no place is free.

        ``work`` never raises. ``gone`` tells whether the client has closed its connection, ``cancels``
        whether that ends the call.
        """
        if not self._slots.acquire(blocking=False):
            return None
        items: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self._pool.submit(self._run, work, items)
        stream = EventStream(items, gone, cancelled if cancels else None, self._ping_seconds)
        first = stream.wait()
        if isinstance(first, Reply):
            return first
        stream.first = first
        return Reply(200, headers=dict(EVENT_HEADERS), stream=stream)

    def _run(self, work: Work, items: queue.SimpleQueue[Any]) -> None:
        try:
            reply = work(items.put)
        finally:
            # Before the answer: whoever has it may call again at once.
            self._slots.release()
        items.put(reply)


class EventStream:
    """The events of one call, as a WSGI server iterates over them and closes them."""

    def __init__(
        self,
        items: queue.SimpleQueue[Any],
        gone: Callable[[], bool],
        cancelled: threading.Event | None,
        ping_seconds: float,
    ) -> None:
        self.first: Any = None
        self._items = items
        self._gone = gone
        self._cancelled = cancelled
        self._ping_seconds = ping_seconds

    def wait(self, seconds: float = float("inf")) -> Any:
        """Return the next item, None after ``seconds``, or an empty answer once the client is gone."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            try:
                return self._items.get(timeout=min(_POLL_SECONDS, max(end - time.monotonic(), 0.0)))
            except queue.Empty:
                if self._gone():
                    self.close()
                    return Reply(202)
        return None

    def __iter__(self) -> Iterator[bytes]:
        item = self.first
        while not isinstance(item, Reply):
            yield _PING if item is None else event(encode(item))
            item = self.wait(self._ping_seconds)
        if item.body:
            yield event(item.body)

    def close(self) -> None:
        """Called by the WSGI server when the answer is complete or the client is gone."""
        if self._cancelled is not None:
            self._cancelled.set()
