"""Where the guard sits in requests and urllib3: sockets are opened in `_new_conn`, nowhere else.

The Host header, SNI, the certificate's name and the base of redirects stay those of the URL, because only
the socket is made here. `_new_conn` is private to urllib3: should a later version no longer call it, the
connection refuses to send (`GuardedConnection.request`), so that the guard can fail but not be missing.
Source: reference "GraphQL and HTTP egress", 4.3.
"""

from __future__ import annotations

import contextlib
import http.client
import os
import queue
import socket
import time
import weakref
from collections.abc import Mapping
from email.errors import FirstHeaderLineIsContinuationDefect, MissingHeaderBodySeparatorDefect
from typing import Any

from requests import PreparedRequest, Response
from requests.adapters import HTTPAdapter
from urllib3 import HTTPConnectionPool, HTTPSConnectionPool, ProxyManager
from urllib3.connection import HTTPConnection, HTTPSConnection
from urllib3.connectionpool import ConnectionPool

from .dialling import dial, dial_proxy, proxied_host
from .exchange import Rules, Stage, current_exchange, exchange, in_exchange, release_connection
from .tls import tls_context
from .urls import DEFAULT_PORTS, check_url, target_of
from .watchdog import WATCHDOG

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
        call.watch(sock)
        self.dialled_in, self._used, self.idle_limit = os.getpid(), False, call.rules.limits.idle
        return sock

    def request(self, *args: Any, **kwargs: Any) -> None:
        """Send a request; from here on it counts as possibly delivered."""
        if self.is_closed:
            self.connect()
        if self.dialled_in is None:
            raise RuntimeError("urllib3 opened a connection past the guard")
        call = current_exchange()
        call.stage, call.reused, self._used = Stage.SENT, self._used, True
        # the connect limit, which urllib3 leaves in force here, is too short for a large body
        self.timeout = call.rules.limits.read
        super().request(*args, **kwargs)

    def close(self) -> None:
        """Close the socket; the next one has to be dialled anew."""
        super().close()
        self.dialled_in = None


class GuardedHTTPSConnection(GuardedConnection, HTTPSConnection):
    """The same with TLS on top."""

    _scheme = "https"


class _GuardedPool(HTTPConnectionPool):
    """Decides which kept connection may be used again, and closes those that nobody uses."""

    #: the process whose watchdog will come to sweep this pool
    _swept_in: int | None = None

    def _get_conn(self, timeout: float | None = None) -> Any:
        call = current_exchange()
        conn: Any = super()._get_conn(timeout)
        if conn.is_closed:
            return conn
        too_old = time.monotonic() - conn.idle_since > call.rules.limits.idle
        if call.fresh or too_old or conn.dialled_in != os.getpid():
            conn.close()
        else:
            call.watch(conn.sock)
        return conn

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
        taken: list[Any] = []
        with contextlib.suppress(queue.Empty, AttributeError):
            while True:
                taken.append(self.pool.get(block=False))  # type: ignore[union-attr]
        return taken


def _sweep(reference: weakref.ref[_GuardedPool]) -> None:
    pool = reference()
    if pool is not None:
        pool.sweep()


class GuardedHTTPPool(_GuardedPool):
    """Connections to one http origin, or to an http proxy."""

    ConnectionCls = GuardedConnection


class GuardedHTTPSPool(_GuardedPool, HTTPSConnectionPool):
    """Connections to one https origin, directly or through a proxy's CONNECT."""

    ConnectionCls = GuardedHTTPSConnection

    def _prepare_proxy(self, conn: HTTPSConnection) -> None:  # type: ignore[override]  # as in urllib3
        """Ask the proxy for the checked address; SNI and certificate check keep the name."""
        call = current_exchange()
        host = proxied_host(call, target_of("https", self.host, self.port or DEFAULT_PORTS["https"]))
        conn.server_hostname = self.host
        conn.set_tunnel(host, self.port, headers=self.proxy_headers, scheme="http")
        conn.connect()


_POOL_CLASSES: dict[str, type[ConnectionPool]] = {"http": GuardedHTTPPool, "https": GuardedHTTPSPool}


class GuardedAdapter(HTTPAdapter):
    """requests' adapter with guarded connections; `HTTPAdapter.send` itself stays in the call path.

    It checks the URL again, because requests strips and re-quotes what it was given, and for the case that
    the session is used without `Egress.send`. TLS is always verified, whatever `verify` says.
    """

    def __init__(self, rules: Rules, *, ca_bundle: str | None, pool_size: int) -> None:
        self._rules = rules
        self._ca_bundle = ca_bundle
        super().__init__(pool_connections=pool_size, pool_maxsize=pool_size)

    def init_poolmanager(self, *args: Any, **kwargs: Any) -> None:
        """Make the pool manager, and have it make guarded pools."""
        super().init_poolmanager(*args, **kwargs)
        self.poolmanager.pool_classes_by_scheme = _POOL_CLASSES

    def proxy_manager_for(self, proxy: str, **proxy_kwargs: Any) -> ProxyManager:
        """Return the manager of connections through `proxy`, with guarded pools."""
        manager: ProxyManager = super().proxy_manager_for(proxy, **proxy_kwargs)
        manager.pool_classes_by_scheme = _POOL_CLASSES
        return manager

    def build_connection_pool_key_attributes(  # type: ignore[override]  # its dicts are typed privately
        self, request: PreparedRequest, verify: Any, cert: Any = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """Return where to connect and with which TLS context."""
        # the first step on the way to a socket, so here begins what is certainly not sent yet
        call = current_exchange()
        call.stage, target = Stage.NOT_SENT, call.target
        host = {"scheme": target.scheme, "host": target.host, "port": target.port}
        if target.scheme == "http":
            return host, {}
        return host, {"ssl_context": tls_context(self._ca_bundle), "cert_reqs": "CERT_REQUIRED"}

    def cert_verify(self, conn: Any, url: Any, verify: Any, cert: Any) -> None:
        """Do nothing: the context says what is trusted, and loading the bundle again costs 10 ms."""

    def request_url(self, request: PreparedRequest, proxies: Any) -> str:
        """Return the request line's URL; a proxy for http gets the checked address in place of the name."""
        url = super().request_url(request, proxies)
        if not url.startswith("http://"):
            return url
        call = current_exchange()
        address = call.target._replace(host=proxied_host(call, call.target))
        return f"http://{address.authority}{request.path_url}"

    def add_headers(self, request: PreparedRequest, **kwargs: Any) -> None:
        """Name the host: through a proxy http.client would name the checked address instead."""
        if kwargs.get("proxies"):
            request.headers["Host"] = current_exchange().target.authority

    def send(
        self,
        request: PreparedRequest,
        stream: bool = False,
        timeout: Any = None,
        verify: Any = True,
        cert: Any = None,
        proxies: Mapping[str, str] | None = None,
    ) -> Response:
        """Check the URL and send. Raises EgressError and what requests raises."""
        target = check_url(str(request.url)).target
        self._rules.policy.check_target(target)
        options: dict[str, Any] = {"stream": stream, "timeout": timeout, "proxies": proxies}
        if in_exchange(self._rules):
            current_exchange().target = target
            return super().send(request, **options)
        limits = self._rules.limits
        options["timeout"] = timeout or (limits.connect, limits.read)
        end = self._rules.clock() + limits.total
        with exchange(self._rules, end, fresh=request.method != "GET") as call:
            call.target = target
            return super().send(request, **options)
