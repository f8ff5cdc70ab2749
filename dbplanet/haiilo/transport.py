"""Outbound HTTP to one tenant over one ``requests.Session``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from http.cookiejar import DefaultCookiePolicy
from typing import Final, Protocol

import requests
from requests.adapters import HTTPAdapter

from dbplanet.haiilo.answers import Answer
from dbplanet.haiilo.errors import AnswerError, NetworkError, UpstreamTimeoutError

_CHUNK: Final = 65_536


class Transport(Protocol):
    """Sends one request and returns the whole answer; raises a HaiiloError where there is none."""

    def send(self, method: str, url: str, *, headers: Mapping[str, str], body: bytes | None = None) -> Answer:
        """Send one request; redirects are not followed."""

    def close(self) -> None:
        """Close idle connections."""


@dataclass(frozen=True)
class TransportOptions:
    """Times in seconds, sizes in bytes."""

    connect_timeout: float
    read_timeout: float
    max_response_bytes: int
    user_agent: str
    pool_size: int
    ca_bundle: str | None = None


@dataclass(frozen=True)
class WholeAnswer:
    """An answer with its body in memory."""

    status: int
    headers: Mapping[str, str]
    body: bytes


class RequestsTransport:
    """A Transport over one Session: nothing from the environment, no cookies, no redirects."""

    def __init__(self, options: TransportOptions) -> None:
        self._options = options
        self._session = requests.Session()
        self._session.trust_env = False
        self._session.verify = options.ca_bundle or True
        self._session.headers["User-Agent"] = options.user_agent
        self._session.cookies.set_policy(DefaultCookiePolicy(allowed_domains=[]))
        adapter = HTTPAdapter(pool_connections=1, pool_maxsize=options.pool_size)
        for scheme in ("https://", "http://"):
            self._session.mount(scheme, adapter)

    def send(self, method: str, url: str, *, headers: Mapping[str, str], body: bytes | None = None) -> Answer:
        """Send one request and read its answer up to the size limit."""
        timeout = (self._options.connect_timeout, self._options.read_timeout)
        try:
            with self._session.request(
                method, url, headers=headers, data=body, timeout=timeout, allow_redirects=False, stream=True
            ) as response:
                return WholeAnswer(response.status_code, response.headers, self._read(response))
        except requests.Timeout:
            raise UpstreamTimeoutError from None
        except requests.RequestException as error:
            raise NetworkError(_category(error)) from None

    def close(self) -> None:
        """Close idle connections."""
        self._session.close()

    def _read(self, response: requests.Response) -> bytes:
        """Return the body; an error page is cut at the limit, since its status is what counts."""
        limit, body = self._options.max_response_bytes, bytearray()
        for chunk in response.iter_content(_CHUNK):
            body += chunk
            if len(body) > limit and response.ok:
                raise AnswerError(
                    f"DB Planet's answer is larger than {limit} bytes.",
                    "Ask for less, such as a smaller page.",
                )
            if len(body) > limit:
                return bytes(body[:limit])
        return bytes(body)


def _category(error: requests.RequestException) -> str:
    if isinstance(error, requests.exceptions.SSLError):
        return "tls"
    words = str(error)
    marks = {"NameResolutionError": "name", "refused": "refused", "reset": "reset", "aborted": "reset"}
    return next((category for mark, category in marks.items() if mark in words), "network")
