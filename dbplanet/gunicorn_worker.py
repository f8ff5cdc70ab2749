"""gunicorn's threaded worker, safe from clients that do not close their end.

Before it closes a connection, gunicorn 27 waits up to two seconds for the client to close its end, so that
the end of the answer is not lost (RFC 9112, section 9.6). Its gthread worker does so on the one thread that
accepts connections and hands out work: a single such client stalls all others. Here the waiting is an entry
in the worker's poller and holds no thread at all.
"""

from __future__ import annotations

import contextlib
import selectors
import socket
import time
from collections import deque
from concurrent.futures import Future
from typing import Any, Final

from gunicorn.workers.gthread import TConn, ThreadWorker  # type: ignore[import-untyped]

# What gunicorn.util.close_graceful allows a client: seconds to close, and bytes it may still send.
_SECONDS: Final = 2.0
_BYTES: Final = 65_536
_CHUNK: Final = 16_384


class _Closing:
    """A connection whose answer has been sent; ``until`` is monotonic seconds."""

    def __init__(self, connection: TConn) -> None:
        self.socket: socket.socket = connection.sock
        self.until = time.monotonic() + _SECONDS
        self.left = _BYTES

    def is_over(self) -> bool:
        """Read what the client still sends; tell whether it has closed, or sends too much."""
        try:
            data = self.socket.recv(_CHUNK)
        except BlockingIOError:
            return False
        except OSError:
            return True
        self.left -= len(data)
        return not data or self.left <= 0


class Worker(ThreadWorker):  # type: ignore[misc]
    """A gthread worker that waits for closing clients in its poller. Everything else is gunicorn's."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self._closing: deque[_Closing] = deque()

    def finish_request(self, conn: TConn, fs: Future[Any]) -> None:
        """Called on the main thread when a request is done: keep the connection, or begin to close it."""
        if fs.cancelled() or fs.exception() is not None or fs.result():
            super().finish_request(conn, fs)
        else:
            self._begin_to_close(conn)

    def murder_pending(self) -> None:
        """Called about once a second: end what waits for too long."""
        super().murder_pending()
        now = time.monotonic()
        while self._closing and self._closing[0].until <= now:
            self._end(self._closing[0])

    def _begin_to_close(self, conn: TConn) -> None:
        closing = _Closing(conn)
        try:
            closing.socket.shutdown(socket.SHUT_WR)
            closing.socket.setblocking(False)
            self.poller.register(closing.socket, selectors.EVENT_READ, lambda _: self._drain(closing))
        except (OSError, ValueError, KeyError):
            self.nr_conns -= 1
            conn.close()
            return
        self._closing.append(closing)

    def _drain(self, closing: _Closing) -> None:
        if closing.is_over():
            self._end(closing)

    def _end(self, closing: _Closing) -> None:
        self._closing.remove(closing)
        with contextlib.suppress(OSError, KeyError, ValueError):
            self.poller.unregister(closing.socket)
        with contextlib.suppress(OSError):
            closing.socket.close()
        self.nr_conns -= 1
