"""``dbplanet doctor``: from the settings to the signed-in user, step by step, and why it ends where it does.

Three requests at most, one of them a sign-in: more could lock an account.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from dbplanet.haiilo.answers import Answer, read_json
from dbplanet.haiilo.auth import TokenSource
from dbplanet.haiilo.client import ME_PATH
from dbplanet.haiilo.credentials import Credentials
from dbplanet.haiilo.errors import HaiiloError, NetworkError, UpstreamTimeoutError
from dbplanet.haiilo.transport import Transport
from dbplanet.mcp.errors import ToolError
from dbplanet.settings import CREDENTIALS, PREFIX

SETTINGS: Final = "settings"
STORE: Final = "store"
TENANT: Final = "tenant"
SIGN_IN: Final = "sign-in"
USER: Final = "user"


@dataclass(frozen=True)
class Finding:
    """What one step found; ``fix`` is empty where all is well."""

    step: str
    words: str
    fix: str = ""


class _Sick(Exception):  # noqa: N818 what is found, not an error of ours
    def __init__(self, words: str, fix: str) -> None:
        super().__init__(words)
        self.words = words
        self.fix = fix


_BASE_URL_FIX: Final = f"Check {PREFIX}BASE_URL: it must be the tenant's origin."
_LATER_FIX: Final = "Try again later; if it stays so, ask the tenant's operators."

# Why there was no answer → what is wrong and how to mend it.
_NETWORK: Final[Mapping[str, tuple[str, str]]] = {
    "name": (
        "the host name cannot be resolved",
        f"Check the spelling of {PREFIX}BASE_URL, and DNS or the VPN of this machine.",
    ),
    "refused": (
        "nothing listens there: the connection was refused",
        f"Check host and port of {PREFIX}BASE_URL; if a proxy is needed, set {PREFIX}PROXY.",
    ),
    "tls": (
        "its TLS certificate could not be verified, or it speaks no TLS",
        f"Where a company's own authority signs, set {PREFIX}CA_BUNDLE to its PEM file; check https:// and "
        f"port of {PREFIX}BASE_URL.",
    ),
    "reset": ("it closed the connection before the answer", _LATER_FIX),
    "network": (
        "there is no connection",
        f"Check the network of this machine; if a proxy is needed, set {PREFIX}PROXY.",
    ),
}
_TIMEOUT: Final = (
    "it did not answer in time",
    f"Check the network (a firewall may drop packets); {PREFIX}CONNECT_TIMEOUT or {PREFIX}READ_TIMEOUT may "
    "be too short.",
)

# The token endpoint's error code → which values are wrong. Source: RFC 6749 §5.2, and Haiilo's answers.
_CLIENT: Final = (
    "the API client was refused",
    f"Check {PREFIX}CLIENT_ID and {PREFIX}CLIENT_SECRET: an admin of the tenant sees its API clients.",
)
_PERSON: Final = (
    "the user name or the password was refused",
    f"Check {PREFIX}USERNAME and {PREFIX}PASSWORD by signing in in a browser; several failures may lock the "
    "account.",
)
_GRANT: Final = (
    "the API client may not sign people in by password",
    "An admin of the tenant must allow the client the grant type password.",
)
_CODES: Final = {
    "invalid_client": _CLIENT,
    "invalid_grant": _PERSON,
    "unauthorized_client": _GRANT,
    "unsupported_grant_type": _GRANT,
}
_STATUSES: Final = {401: _CLIENT, 404: ("there is no token endpoint", _BASE_URL_FIX)}

_FORBIDDEN: Final = (
    "the signed-in user may not use the API",
    "An admin of the tenant must give the user, or the API client, the right to use it.",
)
_TOKEN_REFUSED: Final = ("the token that it gave is not accepted", _LATER_FIX)
_PROFILE: Final = {401: _TOKEN_REFUSED, 403: _FORBIDDEN}


def examine(
    credentials: Credentials,
    origin: str,
    transport: Transport,
    seconds: float,
    store_fault: Callable[[], str],
) -> Iterator[Finding]:
    """Yield what each step finds, up to the first that is not well; each has ``seconds`` for its answer.

    ``store_fault()`` tells what is wrong with the session store, if anything.
    """
    tokens = TokenSource(credentials, origin, transport)
    patient = _Patient(origin, tokens, transport, seconds)
    steps: dict[str, Callable[[], str]] = {
        SETTINGS: lambda: _complete(credentials),
        STORE: lambda: _stored(store_fault()),
        TENANT: patient.answers,
        SIGN_IN: patient.signs_in,
        USER: patient.knows_the_user,
    }
    for step, look in steps.items():
        try:
            yield Finding(step, look())
        except _Sick as sick:
            yield Finding(step, sick.words, sick.fix)
            return


def _complete(credentials: Credentials) -> str:
    missing = [f"{PREFIX}{name.upper()}" for name in CREDENTIALS if not getattr(credentials, name)]
    if missing:
        raise _Sick(f"{', '.join(missing)} not given", "Set them in the environment.")
    return "all five of the operator's credentials are there"


def _stored(fault: str) -> str:
    if fault:
        raise _Sick(fault, f"Check {PREFIX}SESSION_STORE, and that Redis runs and is reached from here.")
    return "sessions can be kept"


class _Patient:
    """The tenant under examination."""

    def __init__(self, origin: str, tokens: TokenSource, transport: Transport, seconds: float) -> None:
        self._origin = origin
        self._tokens = tokens
        self._transport = transport
        self._seconds = seconds
        self._token = ""

    def answers(self) -> str:
        """Ask without a token: DB Planet answers 401 with JSON, anything else is something else."""
        answer = self._get({})
        if answer.status >= 500:
            raise _Sick(f"{self._origin} fails with status {answer.status}", _LATER_FIX)
        if answer.status not in (401, 403):
            raise _Sick(
                f"{self._origin} answers, but not like DB Planet (status {answer.status})", _BASE_URL_FIX
            )
        return f"{self._origin} answers"

    def signs_in(self) -> str:
        """Request a token."""
        answer = self._sent(lambda: self._tokens.ask(self._deadline()))
        if not 200 <= answer.status < 300:
            code = _json(answer).get("error")
            known = _CODES.get(code) if isinstance(code, str) else None
            raise _Sick(*(known or _STATUSES.get(answer.status) or _odd(answer.status)))
        token = _json(answer).get("access_token")
        if not isinstance(token, str) or not token.isascii() or not token.isprintable():
            raise _Sick("the token endpoint gave no access token", _BASE_URL_FIX)
        self._token = token
        return "the credentials are accepted"

    def knows_the_user(self) -> str:
        """Read the signed-in user's profile."""
        answer = self._get({"Authorization": f"Bearer {self._token}"})
        if not 200 <= answer.status < 300:
            raise _Sick(*(_PROFILE.get(answer.status) or _odd(answer.status)))
        name = _json(answer).get("displayName")
        if not isinstance(name, str):
            raise _Sick("the answer is not a user's profile", _BASE_URL_FIX)
        return f"signed in as {name}"

    def _get(self, headers: Mapping[str, str]) -> Answer:
        return self._sent(
            lambda: self._transport.send(
                "GET",
                f"{self._origin}{ME_PATH}",
                headers={"Accept": "application/json", **headers},
                deadline=self._deadline(),
            )
        )

    def _deadline(self) -> float:
        return time.monotonic() + self._seconds

    def _sent(self, send: Callable[[], Answer]) -> Answer:
        try:
            return send()
        except UpstreamTimeoutError:
            raise self._unreached(_TIMEOUT) from None
        except NetworkError as error:
            raise self._unreached(_NETWORK.get(error.category, _NETWORK["network"])) from None
        except (HaiiloError, ToolError) as error:
            raise _Sick(f"{self._origin} cannot be used: {error}", _BASE_URL_FIX) from None

    def _unreached(self, why: tuple[str, str]) -> _Sick:
        return _Sick(f"{self._origin} cannot be reached: {why[0]}", why[1])


def _odd(status: int) -> tuple[str, str]:
    return f"it answers with status {status}", _LATER_FIX if status >= 500 else _BASE_URL_FIX


def _json(answer: Answer) -> Mapping[str, Any]:
    """Return the answer's JSON object, or an empty one where it has none; an error's body counts too."""
    try:
        body = read_json(answer)
    except HaiiloError as error:
        body = getattr(error, "body", None)
    return body if isinstance(body, Mapping) else {}
