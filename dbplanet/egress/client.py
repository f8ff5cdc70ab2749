"""`Egress`: guarded outbound HTTP over one `requests.Session`."""

from __future__ import annotations

import logging
import re
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from http.cookiejar import DefaultCookiePolicy
from typing import Any

import requests
from requests import PreparedRequest, Response
from urllib3 import HTTPHeaderDict, Timeout

from .bodies import read_body
from .errors import EgressError, blocked
from .exchange import Clock, Exchange, Rules, Stage
from .failures import failure
from .headers import (
    FixedHeaders,
    RequestHeaders,
    check_headers,
    for_other_origin,
    response_headers,
    without_controls,
)
from .limits import Limits
from .lookups import Resolver, system_resolver
from .policy import Policy
from .transport import GuardedAdapter, GuardedRequest
from .urls import Target, canonical_url, check_url, join
from .wire import Incoming

logger = logging.getLogger(__name__)

METHODS = frozenset({"GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE"})
_SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})
_REDIRECTS = frozenset({301, 302, 303, 307, 308})
_STALE = frozenset({"closed", "reset"})
#: told of each call: its URL, the status of the answer or the code of the EgressError, the seconds it took
Observe = Callable[[str, "int | str", float], None]

_PROXY = re.compile(r"http://([^@/?#]*@)?([^@/?#]+)/?")


@dataclass(frozen=True)
class Answer:
    """What the server answered, whatever its status.

    `headers` is case-insensitive, repeated headers joined by `, ` (`Set-Cookie` by a line feed); `body` is
    decoded from its content encoding; `url` is the last one after redirects.
    """

    status: int
    reason: str
    headers: Mapping[str, str]
    body: bytes
    url: str


class _Session(requests.Session):
    """A session that follows no redirect: `Egress` does that itself, each hop through the whole check."""

    def get_redirect_target(self, resp: Response) -> str | None:
        """Return None: even told not to follow, requests would read the redirect's body, without bounds."""
        return None


class Egress:
    """Outbound HTTP that dials only what `policy` permits, within `limits`.

    Thread-safe; no I/O, thread or file descriptor before the first call. One object per user session is
    meant: it shares policy, look-up threads, watchdog and TLS context with all others of its process.

    `session` is the one `requests.Session`; used directly, it dials by the same rules and waits for an
    answer's head up to the total limit, but `send` alone bounds the body's size and time.

    `proxy` is the operator's `http://[user:password@]host:port`, trusted itself and handed checked addresses;
    `ca_bundle` a PEM file or folder that replaces certifi's (`tls_context` tells at the start whether it can
    be read); `pool_size` the connections kept per host; `resolver` takes a host name and returns its
    addresses; `clock` gives monotonic seconds; `observe` is told of each call.
    Raises ValueError for a proxy of another form.
    """

    def __init__(
        self,
        policy: Policy,
        limits: Limits | None = None,
        *,
        proxy: str | None = None,
        ca_bundle: str | None = None,
        user_agent: str = "dbplanet-mcp-server",
        pool_size: int = 10,
        resolver: Resolver | None = None,
        clock: Clock = time.monotonic,
        observe: Observe | None = None,
    ) -> None:
        self._observe = observe
        if proxy is not None and not _PROXY.fullmatch(proxy):
            raise ValueError("the proxy must have the form http://[user:password@]host:port")
        self._rules = Rules(policy, limits or Limits(), resolver or system_resolver, clock)
        self.session = _Session()
        self.session.trust_env = False
        self.session.cookies.set_policy(DefaultCookiePolicy(allowed_domains=()))
        self.session.proxies = {"http": proxy, "https": proxy} if proxy else {}
        self.session.headers.update({"User-Agent": user_agent, "Accept-Encoding": "gzip, deflate"})
        self._own_headers = {name: str(value) for name, value in self.session.headers.items()}
        #: the fixed headers that were sent last, and what they look like with ours
        self._fixed: tuple[FixedHeaders, RequestHeaders] | None = None
        self._timeout = Timeout(connect=self._rules.limits.connect, read=self._rules.limits.read)
        self._adapter = GuardedAdapter(self._rules, ca_bundle=ca_bundle, pool_size=pool_size)
        self.session.mount("https://", self._adapter)
        self.session.mount("http://", self._adapter)

    def send(
        self,
        method: str,
        url: str,
        *,
        headers: Mapping[str, str] | None = None,
        body: bytes | None = None,
        deadline: float | None = None,
        follow_redirects: bool = False,
    ) -> Answer:
        """Make one call and return its answer.

        `headers` that are `FixedHeaders` are checked at their first call alone. `deadline` (on the clock,
        seconds) can only shorten the total limit. Redirects are followed for a GET
        without a body, and only when asked: another 3xx is an answer like any other. No status is an error;
        raises EgressError and nothing else. A read that finds a kept connection closed is sent once more;
        anything else goes over a new connection, once.
        """
        watching = self._observe
        if watching is None:
            return self._send(method, url, headers, body, deadline, follow_redirects)
        begun = time.perf_counter()
        outcome: int | str = "failed"
        try:
            answer = self._send(method, url, headers, body, deadline, follow_redirects)
            outcome = answer.status
            return answer
        except EgressError as error:
            outcome = error.code
            raise
        finally:
            _tell(watching, url, outcome, time.perf_counter() - begun)

    def _send(
        self,
        method: str,
        url: str,
        headers: Mapping[str, str] | None,
        body: bytes | None,
        deadline: float | None,
        follow_redirects: bool,
    ) -> Answer:
        limits = self._rules.limits
        end = self._rules.clock() + limits.total
        end = end if deadline is None else min(end, deadline)
        given = {} if headers is None else headers
        if follow_redirects and method == "GET" and body is None:
            return self._get_following(url, given, end)
        return self._send_once_more_if_stale(self._prepare(method, url, given, body), end)

    def close(self) -> None:
        """Close the kept connections. A call in progress is not disturbed."""
        self.session.close()

    def _prepare(
        self, method: str, url: str, headers: Mapping[str, str], body: bytes | None
    ) -> GuardedRequest:
        prepared = GuardedRequest()
        prepared.headers = self._request_headers(method, headers, body)
        if method not in METHODS:
            raise EgressError("unsupported_method")
        if body is not None and len(body) > self._rules.limits.request_bytes:
            raise EgressError("request_too_large")
        prepared.method, prepared.body = method, body
        prepared.url, prepared.target, prepared.path_url = _prepared_url(url)
        return prepared

    def _request_headers(self, method: str, headers: Mapping[str, str], body: bytes | None) -> RequestHeaders:
        bodiless = body is None and method in ("GET", "HEAD")
        fixed = self._fixed
        if bodiless and fixed is not None and fixed[0] is headers:
            return fixed[1]
        checked = check_headers(headers, self._rules.limits)
        length = {} if bodiless else {"Content-Length": str(len(body or b""))}
        made = RequestHeaders({**self._own_headers, **checked, **length})
        if bodiless and isinstance(headers, FixedHeaders):
            self._fixed = (headers, made)
        return made

    def _get_following(self, url: str, headers: Mapping[str, str], end: float) -> Answer:
        for _ in range(self._rules.limits.redirects + 1):
            prepared = self._prepare("GET", url, headers, None)
            answer = self._send_once_more_if_stale(prepared, end, follow=True)
            location = answer.headers.get("Location")
            if answer.status not in _REDIRECTS or not location:
                return answer
            url, headers = self._redirected(str(prepared.url), headers, location)
        raise EgressError("too_many_redirects", sent=True)

    def _redirected(
        self, url: str, headers: Mapping[str, str], location: str
    ) -> tuple[str, Mapping[str, str]]:
        """Return where a redirect leads and what goes along: to another origin nothing of the caller's."""
        old = check_url(url).target
        new = check_url(join(url, _utf8(location)))
        if new.target.scheme != old.scheme == "https":
            raise blocked("downgrade")
        if new.target == old:
            return new.url, headers
        if not self._rules.policy.redirect_across_origins:
            raise blocked("cross_origin")
        return new.url, for_other_origin(headers)

    def _send_once_more_if_stale(
        self, prepared: GuardedRequest, end: float, *, follow: bool = False
    ) -> Answer:
        safe = prepared.method in _SAFE_METHODS
        with Exchange(self._rules, end, fresh=not safe) as call:
            try:
                return self._exchange(call, prepared, follow=follow)
            except EgressError as error:
                if not (safe and call.reused and error.code in _STALE):
                    raise
        with Exchange(self._rules, end, fresh=True) as call:
            return self._exchange(call, prepared, follow=follow)

    def _exchange(self, call: Exchange, prepared: GuardedRequest, *, follow: bool) -> Answer:
        """Send, read and judge; whatever goes wrong on the way becomes an EgressError."""
        call.require_time()
        call.stage = Stage.UNKNOWN
        response: Response | None = None
        try:
            response = self._adapter.send_over_kept(prepared, call)
            if response is None:
                # not over the session, which would look for redirects, cookies and hooks: there are none
                response = self._adapter.send(
                    prepared, stream=True, timeout=self._timeout, proxies=self.session.proxies
                )
            call.stage = Stage.ANSWERED
            return self._answer(call, response, follow=follow)
        except Exception as error:
            raise _with_head(failure(error, call), response) from None
        finally:
            if response is not None and response.raw is not None:
                response.close()

    def _answer(self, call: Exchange, response: Response, *, follow: bool) -> Answer:
        limits = self._rules.limits
        headers = _headers(response)
        if _head_size(response.raw, headers) > limits.response_header_bytes:
            raise EgressError("response_too_large", sent=True)
        # the body of a redirect that is followed interests nobody
        leave = follow and response.status_code in _REDIRECTS and "Location" in headers
        body = b"" if leave else read_body(response, limits.response_bytes)
        if call.cut:
            # what the deadline shut down looks like the end of a body without a length
            raise EgressError("deadline", sent=True)
        reason = without_controls(response.reason or "")
        return Answer(response.status_code, reason, headers, body, str(response.url))


def _prepared_url(url: str) -> tuple[str, Target, str]:
    """Return a URL as it is sent, where it leads, and its path and query; raises EgressError."""
    canonical = canonical_url(url)
    if canonical is not None:
        return url, canonical.target, canonical.path
    checked = check_url(url)
    prepared = PreparedRequest()
    try:
        prepared.prepare_url(checked.url, {})
    except (requests.RequestException, ValueError):
        raise EgressError("invalid_url") from None
    # requests has re-quoted it
    return str(prepared.url), check_url(str(prepared.url)).target, prepared.path_url


def _headers(response: Response) -> Mapping[str, str]:
    """Return an answer's headers, clean; urllib3 keeps repeated ones apart, which requests does not."""
    if isinstance(response.raw, Incoming):
        return response.raw.headers
    headers = getattr(response.raw, "headers", None)
    if isinstance(headers, HTTPHeaderDict):
        return response_headers(headers.iteritems())
    return response_headers((headers if isinstance(headers, Mapping) else response.headers).items())


def _head_size(raw: Any, headers: Mapping[str, str]) -> int:
    if isinstance(raw, Incoming):
        return raw.head_size
    return sum(len(name) + len(value) for name, value in headers.items())


def _utf8(location: str) -> str:
    """Read a header's bytes as UTF-8, which servers mean, where http.client read Latin-1."""
    try:
        return location.encode("latin-1").decode("utf-8")
    except UnicodeError:
        return location


def _with_head(error: EgressError, response: Response | None) -> EgressError:
    """Add the answer's status and headers to a failure that came after them."""
    if response is not None:
        error.status, error.phrase = response.status_code, without_controls(response.reason or "")
        error.headers = _headers(response)
    return error


def _tell(observe: Observe, url: str, outcome: int | str, seconds: float) -> None:
    """Tell the observer. Its failure must not become the call's: what was sent is sent."""
    try:
        observe(url, outcome, seconds)
    except Exception as error:
        logger.error("the observer failed: %s", type(error).__name__)
