"""HaiiloClient: the one object that every tool handler gets."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Final

from tenacity import RetryCallState, Retrying, retry_if_exception, stop_after_attempt

from dbplanet.haiilo.answers import read_json
from dbplanet.haiilo.auth import TokenSource
from dbplanet.haiilo.circuit import CallRecord
from dbplanet.haiilo.credentials import Credentials
from dbplanet.haiilo.errors import HaiiloError, UnauthorizedError
from dbplanet.haiilo.gates import TenantGate
from dbplanet.haiilo.grant import TokenSharing
from dbplanet.haiilo.paths import query_string
from dbplanet.haiilo.retries import Resumed, Retries
from dbplanet.haiilo.shared import SharedValue
from dbplanet.haiilo.transport import Transport
from dbplanet.haiilo.variants import Asked, KnownForms, Route, ask

ME_PATH: Final = "/api/users/me"
_DEFAULT_WAIT: Final = 10.0


def _token_was_refused(error: BaseException) -> bool:
    # Refused credentials carry no token: trying them again could only lock the account.
    return isinstance(error, UnauthorizedError) and error.token is not None


def _drop_refused_token(tokens: TokenSource) -> Callable[[RetryCallState], None]:
    def drop(state: RetryCallState) -> None:
        error = state.outcome.exception() if state.outcome else None
        if isinstance(error, UnauthorizedError) and error.token is not None:
            tokens.drop(error.token)

    return drop


class HaiiloClient:
    """One person's access to one tenant, shared by all tools of a session; safe with many threads.

    Requirement 1: one instance per session, one token request for its life, and on a 401 one
    re-authentication and one more try. The constructor does no I/O. ``until`` gives a call its time limit.
    """

    def __init__(
        self,
        credentials: Credentials,
        *,
        base_url: str,
        transport: Transport,
        known_forms: KnownForms | None = None,
        sharing: TokenSharing | None = None,
        gate: TenantGate | None = None,
        retries: Retries | None = None,
    ) -> None:
        self.base_url = base_url
        self._known_forms = KnownForms() if known_forms is None else known_forms
        self._transport = transport
        self._gate = gate or TenantGate()
        self._retries = retries or Retries(_DEFAULT_WAIT)
        self._record = CallRecord()
        self._deadline: float | None = None
        self._observer: Callable[[], None] = lambda: None
        self._tokens = TokenSource(credentials, base_url, transport, sharing)
        self._me: SharedValue[Mapping[str, Any]] = SharedValue()

    def request(
        self, method: str, path: str, params: Mapping[str, Any] | None = None, data: Any = None
    ) -> Any:
        """Send one API request and return the decoded JSON, or None for an empty answer.

        ``path`` starts with ``/api`` or ``/web``, its ids quoted by ``segment``; ``params`` become the
        query (None is left out); ``data`` goes as JSON. Raises a HaiiloError for everything that is no
        success.
        """
        query = query_string(params) if params else ""
        url = f"{self.base_url}{path}?{query}" if query else f"{self.base_url}{path}"
        body = None if data is None else json.dumps(data, ensure_ascii=False).encode()
        with self._gate.call(self._record):
            answer = self._signed_in(partial(self._attempt, method, url, body))
        self._observer()
        return answer

    def ask(self, route: Route, *ids: str, params: Mapping[str, Any] | None = None, data: Any = None) -> Any:
        """Ask by a route of ``generations``: by the specification's path, or by the form this tenant knows.

        ``ids`` fill the path, each as one segment; ``params``, ``data`` and errors as for ``request``.
        """
        asked = Asked(route.method, ids, params or {}, data)
        return ask(self.request, self._known_forms, self.base_url, route, asked)

    def me(self) -> Mapping[str, Any]:
        """Return the signed-in user's profile, read once; empty where it cannot be read.

        Other tools need it for ids and the time zone only, and do their job without.
        """
        try:
            return self._me.get(self._read_me, self._deadline)
        except (HaiiloError, TimeoutError):
            return {}

    def until(self, deadline: float) -> HaiiloClient:
        """Return this client for one call: the same token, profile and connections, its own time limit."""
        limited = self._copy()
        limited._deadline = deadline
        limited._record = CallRecord()
        return limited

    def observed(self, observer: Callable[[], None]) -> HaiiloClient:
        """Return this client for one call that calls ``observer`` after each request that succeeded."""
        watched = self._copy()
        watched._observer = observer
        return watched

    def _copy(self) -> HaiiloClient:
        # copy.copy() goes through the pickle protocol, ten times as long
        made = object.__new__(type(self))
        made.__dict__.update(self.__dict__)
        return made

    def close(self) -> None:
        """Close idle connections; a call under way ends undisturbed."""
        self._transport.close()

    def _signed_in(self, attempt: Callable[[], Any]) -> Any:
        try:
            return attempt()
        except UnauthorizedError as error:
            if not _token_was_refused(error):
                raise
            return self._once_more(Resumed(error, attempt))

    def _once_more(self, attempt: Callable[[], Any]) -> Any:
        """Renew a token that was refused, and try again, once."""
        return Retrying(
            retry=retry_if_exception(_token_was_refused),
            stop=stop_after_attempt(2),
            before_sleep=_drop_refused_token(self._tokens),
            reraise=True,
        )(attempt)

    def _attempt(self, method: str, url: str, body: bytes | None) -> Any:
        token, headers = self._tokens.headers(self._deadline)
        if body is not None:
            headers = {**headers, "Content-Type": "application/json"}

        def send() -> Any:
            answer = self._transport.send(method, url, headers=headers, body=body, deadline=self._deadline)
            if answer.status == 401:
                raise UnauthorizedError(token)
            return read_json(answer)

        # A write may have happened, whatever its answer says.
        return self._retries.run(send, self._deadline) if method == "GET" else send()

    def _read_me(self) -> Mapping[str, Any]:
        profile = self.request("GET", ME_PATH)
        return profile if isinstance(profile, Mapping) else {}
