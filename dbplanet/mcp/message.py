"""An HTTP request as the engine needs it, and the answer it gives."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final

from dbplanet.mcp.protocol import MessageId, RpcError, encode, failure

JSON_TYPE: Final = "application/json"


@dataclass(slots=True)
class Request:
    """One HTTP request.

    ``headers`` maps lower-case names to stripped values in Latin-1, as WSGI has them;
    ``read_body(limit)`` returns the body or raises RpcError with status 413 over ``limit`` bytes;
    ``multiprocess`` is WSGI's: whether other processes serve the same port; ``gone()`` tells whether the
    client has closed its connection; ``request_id`` names the request in logs, and ``token``,
    once it has been checked, the access token that it brought.
    """

    method: str
    headers: Mapping[str, str]
    read_body: Callable[[int], bytes]
    multiprocess: bool = False
    gone: Callable[[], bool] = lambda: False
    request_id: str = ""
    token: str = ""


@dataclass(slots=True)
class Reply:
    """One HTTP answer; without a body (202, 204) it has no content type. ``stream`` stands for a body."""

    status: int
    body: bytes = b""
    headers: dict[str, str] = field(default_factory=dict)
    stream: Iterable[bytes] | None = None


def json_reply(body: bytes, status: int = 200) -> Reply:
    """Return JSON as an answer."""
    return Reply(status, body, {"Content-Type": JSON_TYPE})


def refusal(error: RpcError, message_id: MessageId | None = None, status: int = 200) -> Reply:
    """Return ``error`` as an answer; ``status`` counts where the error itself fixes none."""
    return json_reply(encode(failure(message_id, error)), error.status or status)
