"""gunicorn's threaded worker, safe from clients that do not close their end.

Before it closes a connection, gunicorn 27 waits up to two seconds for the client to close its end, so that
the end of the answer is not lost (RFC 9112, section 9.6). Its gthread worker does so on the one thread that
accepts connections and hands out work: a single such client stalls all others. Here the waiting is an entry
in the worker's poller and holds no thread at all. Nor does one keep a thread that stops half-way through
its request.

It also does less for each request: see gunicorn_http.py, gunicorn_linger.py, gunicorn_kept.py and
gunicorn_pool.py.
"""

from __future__ import annotations

import contextlib
import errno
import math
import os
import select
import selectors
import socket
import struct
import time
from collections import deque
from functools import partial
from typing import Any, Final

from gunicorn.http import wsgi  # type: ignore[import-untyped]
from gunicorn.workers.gthread import (  # type: ignore[import-untyped]
    DEFAULT_WORKER_DATA_TIMEOUT,
    STOP_KEEPALIVE_LINGER,
    TConn,
    ThreadWorker,
)

from dbplanet.gunicorn_http import PlainResponse, is_read
from dbplanet.gunicorn_kept import Kept
from dbplanet.gunicorn_linger import Lingering
from dbplanet.gunicorn_pool import GLANCE_SECONDS, LOOK_SECONDS, Job, Threads

# What gunicorn.util.close_graceful allows a client: seconds to close, and bytes it may still send.
_SECONDS: Final = 2.0
_BYTES: Final = 65_536
_CHUNK: Final = 16_384


# How long a client may send nothing in the middle of a request, or take nothing of an answer.
_STALLED_SECONDS: Final = 10


_NO_ROOM: Final = frozenset({errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM})
_PAUSE_SECONDS: Final = 0.5


# How long a thread waits for its connection's next request: 64 callers of a busy core come round in 20 ms.
# tools/call with 16 callers takes about a tenth less CPU than with no waiting (pairs; noisy).
_LINGERING_SECONDS: Final = 0.05
# What share of the threads may do so; with the other half nobody has to ring the bell but in a rush.
_LINGERING_SHARE: Final = 0.5


# Requests on kept connections that the main thread hands out before it looks at others.
_AT_ONCE: Final = 16


def _timeval(seconds: int) -> bytes:
    return struct.pack("ll", seconds, 0)


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


class _Ended:
    """How a connection's time in a thread ended, with what gunicorn asks a future for."""

    def __init__(self) -> None:
        self.value: Any = False
        self.error: BaseException | None = None

    def cancelled(self) -> bool:
        return False

    def exception(self) -> BaseException | None:
        return self.error

    def result(self) -> Any:
        if self.error is not None:
            raise self.error
        return self.value


class Worker(ThreadWorker):  # type: ignore[misc]
    """A gthread worker that waits for closing clients in its poller, and for busy ones in their threads."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self._closing: deque[_Closing] = deque()
        self._lingering: Lingering
        self._kept: Kept | None = None
        self._watching_kept = False

    def init_process(self) -> None:
        """Called in the new process: prepare what all requests share."""
        # A setting is looked up thirty times a request, each time through two methods; none changes now.
        self.cfg.__dict__.update({name: setting.get() for name, setting in self.cfg.settings.items()})
        # gunicorn has no setting for it; that of HTTP/2 is another.
        wsgi.Response = PlainResponse
        self._lingering = Lingering(int(self.cfg.threads * _LINGERING_SHARE), _LINGERING_SECONDS)
        if hasattr(select, "epoll"):
            self.keepalived_conns = self._kept = Kept()
        super().init_process()

    def accept(self, listener: socket.socket) -> None:
        """Called on the main thread when somebody connects. Where the system has no room, wait for some."""
        try:
            super().accept(listener)
        except OSError as error:
            if error.errno not in _NO_ROOM:
                raise
            self.log.error("no new connection now: %s", os.strerror(error.errno))
            time.sleep(_PAUSE_SECONDS)

    def enqueue_req(self, conn: TConn) -> None:
        """Called on the main thread with a connection that has something to read, or a new one.

        It goes to a thread; a new one that says nothing yet would keep that for five seconds, and waits in
        the poller. A client that stops in the middle of a request would keep a thread for ever; the system
        ends a read or a write that makes no progress for so long.
        """
        if not conn.initialized:
            if not conn.data_ready and not conn.wait_for_data(0):
                self._wait_for(conn)
                return
            with contextlib.suppress(OSError):
                conn.sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVTIMEO, _timeval(_STALLED_SECONDS))
                conn.sock.setsockopt(socket.SOL_SOCKET, socket.SO_SNDTIMEO, _timeval(_STALLED_SECONDS))
        self._submit(conn)

    def _wait_for(self, conn: TConn) -> None:
        """Have the poller tell when a new connection has something to read."""
        conn.timeout = time.monotonic() + max(self.cfg.keepalive, DEFAULT_WORKER_DATA_TIMEOUT)
        try:
            conn.sock.setblocking(False)
            self.poller.register(
                conn.sock, selectors.EVENT_READ, partial(self.on_pending_socket_readable, conn)
            )
        except (OSError, ValueError, KeyError):
            self.nr_conns -= 1
            conn.close()
            return
        self.pending_conns.append(conn)

    def _cap_keepalive(self, deadline: float) -> None:
        """Called at the stop: what has not said anything by ``deadline`` is closed then."""
        super()._cap_keepalive(deadline)
        for conn in self.pending_conns:
            conn.timeout = min(conn.timeout, deadline)

    def _submit(self, conn: TConn) -> None:
        self.tpool.submit(partial(self._serve, conn))
        if self.tpool.waiting:
            self._lingering.release()

    def _serve(self, conn: TConn | None) -> None:
        """Called in a thread: answer a connection's request, then what comes next, on this one or another."""
        while conn is not None:
            ended = _Ended()
            try:
                ended.value = self.handle(conn)
            except BaseException as error:
                ended.error = error
            if ended.value is True and not conn.is_http2 and self._kept is not None:
                conn = self._next_after(conn, self._kept)
            else:
                self.method_queue.defer(self.finish_request, conn, ended)
                conn = self._next_kept()

    def _next_after(self, conn: TConn, kept: Kept) -> TConn | None:
        """Return whose request to answer after one of ``conn``: its own next one, if nobody else waits."""
        other = self._next_kept()
        # What has been read already makes no socket readable.
        if conn.parser.unreader.buf.getvalue() or (self.cfg.is_ssl and conn.sock.pending()):
            if other is None and not (self.tpool.waiting or self.tpool.crowded):
                return conn
            # Who sends request upon request takes turns with the others.
            self._submit(conn)
            return other
        free = other is None and self.alive and not (self.tpool.waiting or self.tpool.crowded)
        if free and self._lingering.wait(conn.sock):
            return conn
        self._keep(conn, kept)
        return other or self._next_kept()

    def _keep(self, conn: TConn, kept: Kept) -> None:
        conn.set_timeout()
        if not self.alive:
            conn.timeout = min(conn.timeout, time.monotonic() + STOP_KEEPALIVE_LINGER)
        try:
            if kept.append(conn):
                self._rouse()
        except (OSError, ValueError):
            self.method_queue.defer(self.finish_request, conn, _Ended())

    def _next_kept(self) -> TConn | None:
        """Return a kept connection with a request, unless others wait for this thread."""
        return None if self.tpool.waiting or self.tpool.crowded else self._take_kept()

    def _take_kept(self) -> TConn | None:
        found = self._kept.ready(1) if self._kept else []
        return found[0] if found else None

    def get_thread_pool(self) -> Threads:
        """Called in the new process: make the threads that answer requests."""
        return Threads(self.cfg.threads, more=self._more, roused=self._rouse)

    def wait_for_and_dispatch_events(self, timeout: float) -> None:
        """Called on the main thread, again and again.

        While all threads run they see to the kept connections themselves, and it is looked often whether
        more should run.
        """
        full = self.tpool.full
        self._watch_kept(not full)
        super().wait_for_and_dispatch_events(min(timeout, self._until_next_look(full)))
        if full or self.tpool.many:
            kept_waits = full and self._kept is not None and self._kept.has_ready()
            self.tpool.adjust(waits=kept_waits or self.tpool.waiting > 0)

    def _until_next_look(self, full: bool) -> float:
        if full and (self.tpool.waiting or self._kept):
            return LOOK_SECONDS
        return GLANCE_SECONDS if self.tpool.many else math.inf

    def _watch_kept(self, wanted: bool) -> None:
        if self._kept is None or wanted == self._watching_kept:
            return
        self._watching_kept = wanted
        if wanted:
            self.poller.register(self._kept, selectors.EVENT_READ, self._serve_kept)
        else:
            self.poller.unregister(self._kept)

    def _serve_kept(self, kept: Kept) -> None:
        for conn in kept.ready(_AT_ONCE):
            self.enqueue_req(conn)

    def _more(self) -> Job | None:
        """Called in a thread that is done with its job, maybe before one that waits."""
        conn = self._take_kept()
        return partial(self._serve, conn) if conn is not None else None

    def _rouse(self) -> None:
        """Called in a thread that has changed what the main thread must look at: have it look around."""
        self.method_queue.defer(lambda: None)

    def _keepalive_after(self, conn: TConn, keepalive: bool) -> bool:
        """Called after an answer: tell whether the connection can be used for another request."""
        return bool(keepalive) and (is_read(conn.parser) or bool(super()._keepalive_after(conn, keepalive)))

    def finish_request(self, conn: TConn, fs: _Ended) -> None:
        """Called on the main thread when a request is done: keep the connection, or begin to close it."""
        if fs.cancelled() or fs.exception() is not None or fs.result():
            super().finish_request(conn, fs)
        else:
            self._begin_to_close(conn)

    def murder_keepalived(self, force: bool = False) -> None:
        """Called about once a second: close what was kept for too long, or all of it."""
        if self._kept is None:
            super().murder_keepalived(force)
            return
        until = math.inf if force else time.monotonic()
        while (conn := self._kept.take_expired(until)) is not None:
            self.nr_conns -= 1
            conn.close()

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
