"""The OAuth2 password grant: one access token per client, fetched once, renewed when it is refused.

Source: Haiilo API, ``POST /api/oauth/token`` with the client as HTTP Basic and a form body. The
password never stands in a query string. A wrong password is 400 ``invalid_grant`` there, which reads like
a 401.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Mapping
from typing import Any, Final
from urllib.parse import urlencode

from dbplanet.egress import FixedHeaders
from dbplanet.haiilo.answers import Answer, read_json
from dbplanet.haiilo.credentials import Credentials
from dbplanet.haiilo.errors import AnswerError, StatusError, UnauthorizedError, UpstreamTimeoutError
from dbplanet.haiilo.grant import Grant, TokenSharing
from dbplanet.haiilo.shared import SharedValue
from dbplanet.haiilo.transport import Transport

TOKEN_PATH: Final = "/api/oauth/token"  # noqa: S105 a path, not a token

# What may stand in an Authorization header (RFC 6750, b64token, and what tokens are seen to hold).
_TOKEN: Final = re.compile(r"[\x21-\x7e]+")

_LONGEST: Final = 10**9  # seconds; what claims to last longer says nothing


class TokenSource:
    """The access token of one set of credentials; safe with many threads.

    ``sharing(fetch, refused, deadline)`` brings it where other processes may have one (``grant.py``).
    """

    def __init__(
        self,
        credentials: Credentials,
        base_url: str,
        transport: Transport,
        sharing: TokenSharing | None = None,
    ) -> None:
        self._credentials = credentials
        self._url = base_url + TOKEN_PATH
        self._transport = transport
        self._sharing = sharing
        self._token: SharedValue[str] = SharedValue()
        self._refused: str | None = None
        self._known: tuple[str, Mapping[str, str]] | None = None

    def get(self, deadline: float | None = None) -> str:
        """Return the access token, requesting it where there is none, before ``deadline`` (monotonic).

        Raises UnauthorizedError when the credentials are refused, and any other HaiiloError.
        """
        try:
            return self._token.get(lambda: self._obtain(deadline), deadline)
        except TimeoutError:
            raise UpstreamTimeoutError from None

    def headers(self, deadline: float | None = None) -> tuple[str, Mapping[str, str]]:
        """Return the token as ``get`` does, and the headers of a read, the same object for the same token."""
        token = self.get(deadline)
        known = self._known
        if known is None or known[0] != token:
            fixed = FixedHeaders({"Authorization": f"Bearer {token}", "Accept": "application/json"})
            self._known = known = (token, fixed)
        return known

    def ask(self, deadline: float | None = None) -> Answer:
        """Request a token and return the endpoint's answer, whatever it says; raises HaiiloError."""
        return self._transport.send(
            "POST", self._url, headers=self._headers(), body=self._form(), deadline=deadline
        )

    def drop(self, token: str) -> None:
        """Forget a token that was refused, unless another thread has renewed it already."""
        self._refused = token
        self._token.drop(token)

    def _obtain(self, deadline: float | None) -> str:
        if self._sharing is None:
            return self._fetch(deadline).token
        return self._sharing(self._fetch, self._refused, deadline)

    def _fetch(self, deadline: float | None) -> Grant:
        try:
            body = read_json(self.ask(deadline))
        except StatusError as error:
            raise (UnauthorizedError() if _refused(error) else error) from None
        token = body.get("access_token") if isinstance(body, Mapping) else None
        if not isinstance(token, str) or not _TOKEN.fullmatch(token):
            raise AnswerError(
                "DB Planet's token endpoint gave no access token.", "Check the base URL and the API client."
            )
        return Grant(token, _lifetime(body))

    def _headers(self) -> dict[str, str]:
        pair = f"{self._credentials.client_id}:{self._credentials.client_secret}".encode()
        return {
            "Authorization": f"Basic {base64.b64encode(pair).decode()}",
            "Content-Type": "application/x-www-form-urlencoded",
            "Accept": "application/json",
        }

    def _form(self) -> bytes:
        form = {
            "grant_type": "password",
            "username": self._credentials.username,
            "password": self._credentials.password,
        }
        return urlencode(form).encode()


def _lifetime(body: Mapping[str, Any]) -> float | None:
    seconds = body.get("expires_in")
    if not isinstance(seconds, (int, float)) or isinstance(seconds, bool):
        return None
    return float(seconds) if 0 < seconds < _LONGEST else None


def _refused(error: StatusError) -> bool:
    body: Any = error.body
    reason = body.get("error") if isinstance(body, Mapping) else None
    return error.status == 401 or (error.status == 400 and reason == "invalid_grant")
