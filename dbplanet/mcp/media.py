"""Content-Type and Accept: what a client sends and what it can read.

Lenient on purpose: clients were seen to send ``*/*``, JSON alone or event streams alone, and were
refused by other servers although each of these can be served.
"""

from __future__ import annotations

from typing import Final

from dbplanet.mcp.message import JSON_TYPE, Reply
from dbplanet.mcp.protocol import INVALID_REQUEST, RpcError

EVENT_STREAM: Final = "text/event-stream"
# A proxy that buffers, or packs, would hold the events back.
EVENT_HEADERS: Final = {
    "Content-Type": EVENT_STREAM,
    "Cache-Control": "no-cache, no-transform",
    "X-Accel-Buffering": "no",
}
_JSON_RANGES: Final = frozenset({"*/*", "application/*", JSON_TYPE})
_STREAM_RANGES: Final = frozenset({"*/*", "text/*", EVENT_STREAM})


def check_content_type(header: str | None) -> None:
    """Raise RpcError 415 unless the body is declared as JSON; parameters do not matter."""
    if header != JSON_TYPE and (header or "").partition(";")[0].strip().lower() != JSON_TYPE:
        raise RpcError(INVALID_REQUEST, f"Unsupported Media Type: send Content-Type: {JSON_TYPE}", status=415)


def accepted(header: str | None) -> frozenset[str]:
    """Return which of JSON and event stream the client reads; raises RpcError 406 for neither."""
    return _USUAL.get(header) or _accepted(header)


def _accepted(header: str | None) -> frozenset[str]:
    ranges = {part.partition(";")[0].strip().lower() for part in (header or "*/*").split(",")}
    types = {JSON_TYPE: _JSON_RANGES, EVENT_STREAM: _STREAM_RANGES}
    readable = frozenset(name for name, matching in types.items() if ranges & matching)
    if not readable:
        raise RpcError(INVALID_REQUEST, f"Not Acceptable: accept {JSON_TYPE} or {EVENT_STREAM}", status=406)
    return readable


# What the official clients send, and curl.
_USUAL: Final = {
    header: _accepted(header)
    for header in (f"{JSON_TYPE}, {EVENT_STREAM}", f"{EVENT_STREAM}, {JSON_TYPE}", JSON_TYPE, "*/*", None)
}


def event(body: bytes) -> bytes:
    """Return one server-sent event."""
    return b"event: message\ndata: " + body + b"\n\n"


def frame(reply: Reply, readable: frozenset[str]) -> Reply:
    """Return ``reply`` as one server-sent event for a client that reads nothing else."""
    if JSON_TYPE in readable or not reply.body:
        return reply
    return Reply(reply.status, event(reply.body), reply.headers | EVENT_HEADERS)
