"""The 2026-07-28 envelope: what each request must carry, checked in the specified order.

Source: specification 2026-07-28, basic and transports/streamable-http; the order of the checks
decides which code a request with several faults gets.
"""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Callable, Mapping
from typing import Any, Final

from dbplanet.mcp.protocol import (
    HEADER_MISMATCH,
    INVALID_PARAMS,
    LOG_LEVELS,
    META_CLIENT_CAPABILITIES,
    META_LOG_LEVEL,
    META_VERSION,
    MODERN_VERSIONS,
    UNSUPPORTED_VERSION,
    Message,
    RpcError,
)

GetHeader = Callable[[str], str | None]

# Requests whose target is repeated in the Mcp-Name header, and the parameter that holds it.
NAMED_METHODS: Final = {"tools/call": "name", "prompts/get": "name", "resources/read": "uri"}

_BASE64_VALUE: Final = re.compile(r"=\?base64\?(.*)\?=", re.DOTALL)

# What the envelope of each request holds.
_SHAPES: Final = {META_VERSION: str, META_CLIENT_CAPABILITIES: dict}


def claims_modern(value: Any) -> bool:
    """Tell whether a body speaks the 2026-07-28 envelope, whatever its headers say."""
    params = value.get("params") if isinstance(value, dict) else None
    meta = params.get("_meta") if isinstance(params, dict) else None
    return isinstance(meta, dict) and META_VERSION in meta


def check_notification(header_version: str | None) -> None:
    """Raise RpcError -32022 when a notification names a version that is not served."""
    if header_version is not None and header_version not in MODERN_VERSIONS:
        raise unsupported(header_version)


def check_request(message: Message, get_header: GetHeader) -> None:
    """Raise the RpcError (status 400) of the first fault in a request's envelope and headers."""
    meta = _read_meta(message)
    if get_header("mcp-protocol-version") != meta[META_VERSION]:
        raise mismatch("MCP-Protocol-Version header does not match _meta")
    if get_header("mcp-method") != message.method:
        raise mismatch("Mcp-Method header does not match body method")
    _check_name(message, get_header("mcp-name"))
    _check_meta(meta)


def check_envelope(message: Message) -> None:
    """Raise the RpcError of the first fault in a request's envelope alone, as it comes without headers."""
    _check_meta(_read_meta(message))


def _check_meta(meta: Mapping[str, Any]) -> None:
    if meta[META_VERSION] not in MODERN_VERSIONS:
        raise unsupported(meta[META_VERSION])
    if META_LOG_LEVEL in meta and meta[META_LOG_LEVEL] not in LOG_LEVELS:
        raise _invalid_envelope(f"{META_LOG_LEVEL} must be one of {', '.join(LOG_LEVELS)}")


def _read_meta(message: Message) -> Mapping[str, Any]:
    meta = message.params.get("_meta")
    given = meta if isinstance(meta, dict) else {}
    missing = [key for key, shape in _SHAPES.items() if not isinstance(given.get(key), shape)]
    if missing:
        raise _invalid_envelope(f"params._meta must carry {' and '.join(missing)}")
    return given


def _check_name(message: Message, header: str | None) -> None:
    parameter = NAMED_METHODS.get(message.method)
    target = message.params.get(parameter) if parameter else None
    if not isinstance(target, str):
        return
    if header is None or decode_value(header) != target:
        raise mismatch(f"Mcp-Name header does not match params.{parameter}")


def decode_value(header: str) -> str:
    """Return a header value, decoded where it is written ``=?base64?…?=``.

    Raises RpcError -32020 for an encoding that is not canonical base64 of UTF-8.
    """
    encoded = _BASE64_VALUE.fullmatch(header) if header.startswith("=?") else None
    if encoded is None:
        return header
    try:
        raw = base64.b64decode(encoded[1], validate=True)
        text = raw.decode("utf-8")
    except (binascii.Error, ValueError):
        raise mismatch("header value is not base64 of UTF-8") from None
    if base64.b64encode(raw).decode() != encoded[1]:
        raise mismatch("header value is not canonical base64")
    return text


def mismatch(fault: str) -> RpcError:
    """Return the error for a header that disagrees with the body."""
    return RpcError(HEADER_MISMATCH, f"Header mismatch: {fault}", status=400)


def unsupported(version: str) -> RpcError:
    """Return the error for a version that is not served, naming those that are."""
    data = {"supported": list(MODERN_VERSIONS), "requested": version}
    return RpcError(UNSUPPORTED_VERSION, "Unsupported protocol version", data=data, status=400)


def _invalid_envelope(fault: str) -> RpcError:
    return RpcError(INVALID_PARAMS, f"Invalid params: {fault}", status=400)
