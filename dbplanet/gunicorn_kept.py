"""Connections that wait for their next request, where the threads that answer find it themselves.

gunicorn's main thread watches them and hands each request out: a pipe, a poller written in Python, a queue
and two switches between threads take a tenth of a call. Here a thread that is done asks the system which
connection has something to read; the main thread does so only while threads are idle.
"""

from __future__ import annotations

import math
import select
import threading
from collections.abc import Iterator
from typing import Any, Final

# What was told once is not told again before the connection is kept again.
_NEXT: Final = select.EPOLLIN | select.EPOLLRDHUP | select.EPOLLONESHOT if hasattr(select, "epoll") else 0


class _None:
    """No connection: its time is never over."""

    timeout = math.inf


_NONE: Final = _None()


class Kept:
    """Kept-alive connections in the order in which they were kept; safe with many threads.

    It stands in for the deque in which gunicorn has them. Needs Linux's epoll.
    """

    def __init__(self) -> None:
        self._epoll = select.epoll()
        self._lock = threading.Lock()
        self._connections: dict[int, Any] = {}

    def fileno(self) -> int:
        """Return what is readable as long as there are requests."""
        return self._epoll.fileno()

    def append(self, conn: Any) -> bool:
        """Keep a connection until it has something to read; return whether it is the only one.

        Raises OSError or ValueError if it is closed.
        """
        descriptor = conn.sock.fileno()
        with self._lock:
            alone = not self._connections
            self._connections[descriptor] = conn
        try:
            if getattr(conn, "known_to_poller", False):
                self._epoll.modify(descriptor, _NEXT)
            else:
                # Before another thread can have it, answer its request and keep it again.
                conn.known_to_poller = True
                self._epoll.register(descriptor, _NEXT)
        except (OSError, ValueError):
            self._take(descriptor)
            raise
        return alone

    def ready(self, most: int) -> list[Any]:
        """Return, and keep no longer, up to ``most`` connections that have something to read."""
        found = [self._take(descriptor) for descriptor, _ in self._epoll.poll(0, most)]
        return [conn for conn in found if conn is not None]

    def has_ready(self) -> bool:
        """Tell whether any has something to read."""
        if not self._connections:
            return False
        poll = select.poll()
        poll.register(self._epoll, select.POLLIN)
        return bool(poll.poll(0))

    def take_expired(self, until: float) -> Any:
        """Return, and keep no longer, what has been kept for longest if its time was over at ``until``."""
        with self._lock:
            for descriptor, conn in self._connections.items():
                return self._connections.pop(descriptor) if conn.timeout <= until else None
        return None

    def __getitem__(self, index: int) -> Any:
        """Return a connection; where threads have taken all since somebody counted them, a stand-in."""
        connections = list(self)
        return connections[index] if index < len(connections) else _NONE

    def __iter__(self) -> Iterator[Any]:
        with self._lock:
            return iter(list(self._connections.values()))

    def __len__(self) -> int:
        return len(self._connections)

    def _take(self, descriptor: int) -> Any:
        with self._lock:
            return self._connections.pop(descriptor, None)
