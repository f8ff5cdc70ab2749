"""Outbound HTTP to one tenant, through the guard: what went wrong there, in the tenant's terms."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, Protocol

from dbplanet.egress import Egress, EgressError
from dbplanet.haiilo.answers import Answer
from dbplanet.haiilo.errors import AnswerError, HaiiloError, NetworkError, StatusError, UpstreamTimeoutError
from dbplanet.haiilo.tenants import refused_base_url
from dbplanet.mcp.errors import ToolError


class Transport(Protocol):
    """Sends one request and returns the whole answer; raises a HaiiloError where there is none."""

    def send(
        self,
        method: str,
        url: str,
        *,
        headers: Mapping[str, str],
        body: bytes | None = None,
        deadline: float | None = None,
    ) -> Answer:
        """Send one request, to be answered before ``deadline`` (monotonic seconds); no redirects."""

    def close(self) -> None:
        """Close idle connections."""


class GuardedTransport:
    """A Transport over an Egress of its own, so that no connection is shared between two clients."""

    def __init__(self, egress: Egress) -> None:
        self._egress = egress

    def send(
        self,
        method: str,
        url: str,
        *,
        headers: Mapping[str, str],
        body: bytes | None = None,
        deadline: float | None = None,
    ) -> Answer:
        """Send one request within the guard's limits; raises HaiiloError, and ToolError for a refused one."""
        try:
            return self._egress.send(method, url, headers=headers, body=body, deadline=deadline)
        except EgressError as error:
            raise _translated(error) from None

    def close(self) -> None:
        """Close idle connections."""
        self._egress.close()


def _answer_error(fault: str, advice: str) -> Callable[[EgressError], HaiiloError]:
    return lambda error: AnswerError(fault, advice)


def _network(category: str) -> Callable[[EgressError], HaiiloError]:
    return lambda error: NetworkError(category)


def _refused(words: str) -> Callable[[EgressError], ToolError]:
    return lambda error: ToolError(400, f"Invalid arguments: {words}")


# The guard's code → what the client raises; every other code is a network error without a category.
_TRANSLATIONS: Final[Mapping[str, Callable[[EgressError], HaiiloError | ToolError]]] = {
    "blocked": lambda error: refused_base_url(),
    "invalid_scheme": lambda error: refused_base_url(),
    "invalid_url": _refused("too long together for one request"),
    "request_too_large": _refused("too large together for one request"),
    "invalid_headers": _refused("credentials that fit into no request header"),
    "forbidden_header": _refused("a header that may not be set"),
    "unsupported_method": _refused("a method that is not supported"),
    "dns": _network("name"),
    "refused": _network("refused"),
    "tls": _network("tls"),
    "reset": _network("reset"),
    "closed": _network("reset"),
    "incomplete_response": _network("reset"),
    "response_too_large": _answer_error(
        "DB Planet's answer is larger than the limit.", "Ask for less, such as a smaller page."
    ),
    "content_encoding": _answer_error(
        "DB Planet's answer could not be decompressed.", "Mostly a proxy is at fault; try again later."
    ),
}


def _translated(error: EgressError) -> HaiiloError | ToolError:
    if error.timeout:
        return UpstreamTimeoutError()
    if error.status is not None and not 200 <= error.status < 300:
        # Of an error page the status counts, however long or broken the page is.
        return StatusError(error.status, None, (error.headers or {}).get("Retry-After"))
    return _TRANSLATIONS.get(error.code, _network("network"))(error)
