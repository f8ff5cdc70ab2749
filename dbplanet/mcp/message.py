"""An HTTP request as the engine needs it, and the answer it gives."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from dbplanet.mcp.protocol import MessageId, RpcError, encode, failure

JSON_TYPE: Final = "application/json"


@dataclass(frozen=True)
class Request:
    """One HTTP request.

    ``headers`` maps lower-case names to stripped values in Latin-1, as WSGI has them;
    ``read_body(limit)`` returns the body or raises RpcError with status 413 over ``limit`` bytes;
    ``multiprocess`` is WSGI's: whether other processes serve the same port; ``gone()`` tells whether the
    client has closed its connection; ``request_id`` names the request in logs, and ``token``
    the access token that it brought.
    """

    method: str
    headers: Mapping[str, str]
    read_body: Callable[[int], bytes]
    multiprocess: bool = False
    gone: Callable[[], bool] = lambda: False
    request_id: str = ""
    token: str = ""


@dataclass(frozen=True)
class Reply:
    """One HTTP answer; without a body (202, 204) it has no content type. ``stream`` stands for a body."""

    status: int
    body: bytes = b""
    headers: dict[str, str] = field(default_factory=dict)
    stream: Iterable[bytes] | None = None


def json_reply(value: Any, status: int = 200, headers: dict[str, str] | None = None) -> Reply:
    """Return ``value`` as a JSON answer."""
    return Reply(status, encode(value), {"Content-Type": JSON_TYPE, **(headers or {})})


def refusal(error: RpcError, message_id: MessageId | None = None, status: int = 200) -> Reply:
    """Return ``error`` as an answer; ``status`` counts where the error itself fixes none."""
    return json_reply(failure(message_id, error), error.status or status)
