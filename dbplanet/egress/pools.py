"""Where the guard sits in urllib3: sockets are opened in `_new_conn`, nowhere else.

The Host header, SNI, the certificate's name and the base of redirects stay those of the URL, because only
the socket is made here. `_new_conn` is private to urllib3: should a later version no longer call it, the
connection refuses to send, so that the guard can fail but not be missing.
Source: reference "GraphQL and HTTP egress", 4.3.
"""

from __future__ import annotations

import contextlib
import http.client
import os
import queue
import socket
import ssl
import struct
import time
import weakref
from email.errors import FirstHeaderLineIsContinuationDefect, MissingHeaderBodySeparatorDefect
from functools import partial
from typing import Any

from urllib3 import HTTPConnectionPool, HTTPSConnectionPool
from urllib3.connection import HTTPConnection, HTTPSConnection

from .dialling import dial, dial_proxy, proxied_host
from .errors import EgressError
from .exchange import Exchange, Lifeline, Stage, current_exchange, release_connection
from .headers import RequestHeaders, lines_of
from .urls import DEFAULT_PORTS, target_of
from .watchdog import WATCHDOG
from .wire import Incoming, Release, write_request

_LOST_HEADERS = (MissingHeaderBodySeparatorDefect, FirstHeaderLineIsContinuationDefect)


class _FinalResponse(http.client.HTTPResponse):
    """An answer whose head can be trusted to say where its body ends."""

    def begin(self) -> None:
        """Read the head; raise HTTPException for one that is interim or broken.

        http.client takes an interim answer (103 Early Hints) for the final one; the real answer would then
        be read as that of the next request. A line without a colon ends its reading of the headers, those
        that say where the body ends included. urllib3 would log that line, and the URL with its query.
        """
        super().begin()
        if self.status < 200 or any(isinstance(defect, _LOST_HEADERS) for defect in self.msg.defects):
            raise http.client.HTTPException


class GuardedConnection(HTTPConnection):
    """A connection whose socket leads to a checked address."""

    response_class = _FinalResponse
    _scheme = "http"
    #: the process that dialled; a child must not go on talking over its parent's connection
    dialled_in: int | None = None
    lifeline: Lifeline | None = None
    idle_since = 0.0
    idle_limit = 0.0
    _used = False

    def _new_conn(self) -> socket.socket:
        call = current_exchange()
        if self.proxy is not None:
            sock = dial_proxy(call, self._dns_host, self.port)
        else:
            sock = dial(call, target_of(self._scheme, self._dns_host, self.port))
        sock.settimeout(self.timeout)
        self.dialled_in, self._used, self.idle_limit = os.getpid(), False, call.rules.limits.idle
        self.lifeline = Lifeline(sock)
        try:
            call.watch(self.lifeline)
        except EgressError:
            sock.close()
            self.close()
            raise
        return sock

    def request(self, *args: Any, **kwargs: Any) -> None:
        """Send a request urllib3's way, for a user of the session."""
        if self.is_closed:
            self.connect()
        call = self._begin()
        # the connect limit, which urllib3 leaves in force here, is too short for a large body
        self.timeout = call.rules.limits.read
        super().request(*args, **kwargs)

    def exchange(self, head: str, body: bytes, release: Release) -> Incoming:
        """Send a request and return its answer, whose body is still to be read; raises as `Incoming`."""
        self._begin()
        write_request(self.sock, head, body)
        return Incoming(self.sock, head, release)

    def _begin(self) -> Exchange:
        """Note that from here on a request counts as possibly delivered."""
        if self.dialled_in is None:
            raise RuntimeError("urllib3 opened a connection past the guard")
        call = current_exchange()
        call.stage, call.reused, self._used = Stage.SENT, self._used, True
        return call

    def close(self) -> None:
        """Close the socket; the next one has to be dialled anew."""
        super().close()
        self.dialled_in = None
        if self.lifeline is not None:
            self.lifeline.close()
            self.lifeline = None


class GuardedHTTPSConnection(GuardedConnection, HTTPSConnection):
    """The same with TLS on top."""

    _scheme = "https"


class _KeptConnections:
    """What urllib3 keeps connections in: the last one that was kept is the first to be used again.

    urllib3 fills its own kind of queue with as many placeholders as it may keep connections: each session
    would hold thousands of bytes before its first call.
    """

    def __init__(self, maxsize: int) -> None:
        self._most = maxsize
        self._kept: list[Any] = []

    def full(self) -> bool:
        """Tell whether another one would be too many."""
        return len(self._kept) >= self._most

    def put(self, item: Any, block: bool = True, timeout: float | None = None) -> None:
        """Keep a connection; None, urllib3's placeholder, is no connection."""
        if item is not None:
            self._kept.append(item)

    def get(self, block: bool = True, timeout: float | None = None) -> Any:
        """Return the connection kept last; raises queue.Empty."""
        try:
            return self._kept.pop()
        except IndexError:
            raise queue.Empty from None


class _GuardedPool(HTTPConnectionPool):
    """Decides which kept connection may be used again, and closes those that nobody uses."""

    QueueCls = _KeptConnections  # type: ignore[assignment]  # it has what urllib3 uses of one
    #: the process whose watchdog will come to sweep this pool
    _swept_in: int | None = None

    def urlopen(self, method: str, url: str, *args: Any, **options: Any) -> Any:
        """Return the answer to one request, whose body is still to be read: an `Incoming` for `Egress`.

        `url` is what stands in the request line; the other arguments are urllib3's.
        """
        call = current_exchange()
        if not call.direct:
            return super().urlopen(method, url, *args, **options)
        conn = self._get_conn()
        try:
            if conn.is_closed:
                self._open(conn, call)
        except BaseException:
            self._done(conn, reusable=False)
            raise
        return self.ask(conn, call, f"{method} {url}", options["headers"], options["body"])

    def ask(
        self, conn: Any, call: Exchange, line: str, headers: RequestHeaders, body: bytes | None
    ) -> Incoming:
        """Send a request over an open connection and return its answer."""
        lines = f"Host: {call.target.authority}\r\n{headers.lines()}{self._proxy_lines()}"
        head = f"{line} HTTP/1.1\r\n{lines}\r\n"
        try:
            incoming: Incoming = conn.exchange(head, body or b"", partial(self._done, conn))
        except BaseException:
            self._done(conn, reusable=False)
            raise
        return incoming

    def _open(self, conn: Any, call: Exchange) -> None:
        conn.timeout = call.rules.limits.connect
        try:
            self._connect(conn)
        except TimeoutError:
            raise
        except OSError:
            # of a tunnel that was refused the connection knows nothing any more
            if conn.proxy is not None and not conn.has_connected_to_proxy:
                raise EgressError("proxy") from None
            raise
        # the connect limit is too short for a large body
        _limit_waiting(conn.sock, call.rules.limits.read)

    def _connect(self, conn: Any) -> None:
        conn.connect()

    def _proxy_lines(self) -> str:
        return ""

    def _done(self, conn: Any, reusable: bool) -> None:
        """Keep a connection whose answer was read, or close it."""
        if reusable:
            self._put_conn(conn)
        else:
            release_connection()
            conn.close()

    def kept(self, call: Exchange) -> Any:
        """Return a kept connection that may be used, under the deadline of `call`, or None.

        Raises EgressError when that has passed.
        """
        while (conn := self._take()) is not None:
            if not call.fresh and _is_usable(conn, call.rules.limits.idle):
                try:
                    call.watch(conn.lifeline)
                    return conn
                except EgressError:
                    conn.close()
                    raise
            conn.close()
            if call.fresh:
                # the new one takes its place
                return None
        return None

    def _take(self) -> Any:
        with contextlib.suppress(queue.Empty, AttributeError):  # a closed pool has none
            return self.pool.get(block=False)  # type: ignore[union-attr]
        return None

    def _get_conn(self, timeout: float | None = None) -> Any:
        return self.kept(current_exchange()) or self._new_conn()

    def _put_conn(self, conn: Any) -> None:
        release_connection()
        # urllib3 would log a warning for each one above the number to be kept
        if self.pool is None or self.pool.full():
            if conn is not None:
                conn.close()
            return
        if conn is not None and not conn.is_closed:
            conn.idle_since = time.monotonic()
            self._sweep_at(conn.idle_since + conn.idle_limit)
        super()._put_conn(conn)

    def _sweep_at(self, when: float) -> None:
        """Have the watchdog close idle connections: thousands of quiet sessions must not hold sockets."""
        if self._swept_in == os.getpid():
            return
        self._swept_in = os.getpid()
        pool = weakref.ref(self)
        WATCHDOG.get().at(when, lambda: _sweep(pool))

    def sweep(self) -> None:
        """Close what has been idle for too long; come back later if anything is left open."""
        self._swept_in = None
        for conn in reversed(self._take_all()):
            if conn is not None and time.monotonic() - conn.idle_since >= conn.idle_limit:
                conn.close()
            if conn is not None and not conn.is_closed:
                self._sweep_at(conn.idle_since + conn.idle_limit)
            super()._put_conn(conn)

    def _take_all(self) -> list[Any]:
        return list(iter(self._take, None))


def _limit_waiting(sock: socket.socket, seconds: float) -> None:
    """Let each wait of a connection end after `seconds`, with TimeoutError, or BlockingIOError without TLS.

    Before each read and write of a socket that has a timeout Python asks the system whether it would wait;
    the system can tell it by itself. With TLS that does not help: there Python goes on waiting.
    """
    if isinstance(sock, ssl.SSLSocket):
        sock.settimeout(seconds)
        return
    sock.settimeout(None)
    limit = struct.pack("ll", int(seconds), int(seconds % 1 * 1_000_000))
    for direction in (socket.SO_RCVTIMEO, socket.SO_SNDTIMEO):
        sock.setsockopt(socket.SOL_SOCKET, direction, limit)


def _is_usable(conn: Any, idle_limit: float) -> bool:
    """Tell whether a kept connection was not kept for too long, is this process's, and has nothing to say."""
    return (
        not conn.is_closed
        and time.monotonic() - conn.idle_since <= idle_limit
        and conn.dialled_in == os.getpid()
        and conn.is_connected
    )


def _sweep(reference: weakref.ref[_GuardedPool]) -> None:
    pool = reference()
    if pool is not None:
        pool.sweep()


class GuardedHTTPPool(_GuardedPool):
    """Connections to one http origin, or to an http proxy."""

    ConnectionCls = GuardedConnection

    def _proxy_lines(self) -> str:
        return lines_of(self.proxy_headers)


class GuardedHTTPSPool(_GuardedPool, HTTPSConnectionPool):
    """Connections to one https origin, directly or through a proxy's CONNECT."""

    ConnectionCls = GuardedHTTPSConnection

    def _connect(self, conn: Any) -> None:
        if self.proxy is not None:
            self._prepare_proxy(conn)
        else:
            conn.connect()

    def _prepare_proxy(self, conn: HTTPSConnection) -> None:  # type: ignore[override]  # as in urllib3
        """Ask the proxy for the checked address; SNI and certificate check keep the name."""
        call = current_exchange()
        host = proxied_host(call, target_of("https", self.host, self.port or DEFAULT_PORTS["https"]))
        conn.server_hostname = self.host
        conn.set_tunnel(host, self.port, headers=self.proxy_headers, scheme="http")
        conn.connect()
