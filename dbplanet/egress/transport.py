"""requests' adapter with the guard in it.

Source: reference "GraphQL and HTTP egress", 4.3.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from requests import PreparedRequest, Response
from requests.adapters import HTTPAdapter
from urllib3 import ProxyManager
from urllib3.connectionpool import ConnectionPool

from .dialling import proxied_host
from .exchange import Exchange, Rules, Stage, current_exchange, in_exchange
from .headers import Fields
from .pools import GuardedHTTPPool, GuardedHTTPSPool
from .tls import tls_context
from .urls import Target, check_url
from .wire import Incoming

_SEND = HTTPAdapter.send

_POOL_CLASSES: dict[str, type[ConnectionPool]] = {"http": GuardedHTTPPool, "https": GuardedHTTPSPool}


class GuardedRequest(PreparedRequest):
    """A prepared request that was checked: `target` is where its URL leads, `path_url` what is asked for."""

    target: Target
    # an attribute, where requests takes the URL apart each time it is asked
    path_url = ""


class GuardedAdapter(HTTPAdapter):
    """requests' adapter with guarded connections; `HTTPAdapter.send` itself stays in the call path.

    It checks the URL again where the session is used without `Egress.send`, because requests strips and
    re-quotes what it was given. TLS is always verified, whatever `verify` says.
    """

    def __init__(self, rules: Rules, *, ca_bundle: str | None, pool_size: int) -> None:
        self._rules = rules
        self._ca_bundle = ca_bundle
        #: the target that was permitted last
        self._permitted: Target | None = None
        #: where connections were asked for last (target and proxies), and those
        self._known_pool: tuple[object, Any] | None = None
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

    def get_connection_with_tls_context(
        self,
        request: PreparedRequest,
        verify: Any,
        proxies: Mapping[str, str] | None = None,
        cert: Any = None,
    ) -> Any:
        """Return the connections to where the request goes; nearly always the same as the last time."""
        # the first step on the way to a socket, so here begins what is certainly not sent yet
        call = current_exchange()
        call.stage = Stage.NOT_SENT
        key = (call.target, dict(proxies or {}))
        known = self._known_pool
        if known is None or known[0] != key or known[1].pool is None:
            pool = super().get_connection_with_tls_context(request, verify, proxies, cert)
            self._known_pool = known = (key, pool)
        return known[1]

    def build_connection_pool_key_attributes(  # type: ignore[override]  # its dicts are typed privately
        self, request: PreparedRequest, verify: Any, cert: Any = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """Return where to connect and with which TLS context."""
        target = current_exchange().target
        host = {"scheme": target.scheme, "host": target.host, "port": target.port}
        if target.scheme == "http":
            return host, {}
        return host, {"ssl_context": tls_context(self._ca_bundle), "cert_reqs": "CERT_REQUIRED"}

    def cert_verify(self, conn: Any, url: Any, verify: Any, cert: Any) -> None:
        """Do nothing: the context says what is trusted, and loading the bundle again costs 10 ms."""

    def request_url(self, request: PreparedRequest, proxies: Any) -> str:
        """Return the request line's URL; a proxy for http gets the checked address in place of the name."""
        if not proxies and not request.path_url.startswith("//"):
            return request.path_url
        url = super().request_url(request, proxies)
        if not url.startswith("http://"):
            return url
        call = current_exchange()
        address = call.target._replace(host=proxied_host(call, call.target))
        return f"http://{address.authority}{request.path_url}"

    def add_headers(self, request: PreparedRequest, **kwargs: Any) -> None:
        """Name the host: through a proxy http.client would name the checked address instead."""
        if kwargs.get("proxies") and not current_exchange().direct:
            request.headers["Host"] = current_exchange().target.authority

    def build_response(self, req: PreparedRequest, resp: Any) -> Response:
        """Return the answer; what is still on the wire needs none of what requests prepares for its users."""
        return (
            IncomingResponse(req, resp) if isinstance(resp, Incoming) else super().build_response(req, resp)
        )

    def send_over_kept(self, request: GuardedRequest, call: Exchange) -> IncomingResponse | None:
        """Send over a connection that is kept, past what requests does on the way to a new one; None without.

        Whoever has replaced `HTTPAdapter.send` expects to see each request, and does.
        """
        known = self._known_pool
        if known is None or known[0] != (request.target, {}) or HTTPAdapter.send is not _SEND:
            return None
        call.target, call.stage, pool = request.target, Stage.NOT_SENT, known[1]
        conn = pool.kept(call)
        if conn is None:
            return None
        line = f"{request.method} {request.path_url}"
        return IncomingResponse(request, pool.ask(conn, call, line, request.headers, request.body))

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
        target = request.target if isinstance(request, GuardedRequest) else check_url(str(request.url)).target
        if target != self._permitted:
            self._rules.policy.check_target(target)
            self._permitted = target
        options: dict[str, Any] = {"stream": stream, "timeout": timeout, "proxies": proxies}
        if in_exchange(self._rules):
            current_exchange().target = target
            return super().send(request, **options)
        limits = self._rules.limits
        options["timeout"] = timeout or (limits.connect, limits.read)
        end = self._rules.clock() + limits.total
        with Exchange(self._rules, end, fresh=request.method != "GET", direct=False) as call:
            call.target = target
            return super().send(request, **options)


class IncomingResponse(Response):
    """An answer to `Egress`, which reads the body from `raw`, an `Incoming`."""

    headers: Fields  # type: ignore[assignment]

    def __init__(self, request: PreparedRequest, incoming: Incoming) -> None:
        self.request, self.url, self.raw = request, str(request.url), incoming
        self.status_code, self.reason, self.headers = incoming.status, incoming.reason, incoming.headers

    def close(self) -> None:
        """End it, if its body has not been read whole."""
        self.raw.close()
