"""How long and how large a call may be."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Limits:
    """Bounds of one call; times in seconds, sizes in bytes.

    `connect` covers the look-up and all connection attempts, `read` one wait for bytes, `total` the whole
    call with redirects; `response_bytes` bounds the body after decoding and, apart, as it comes over the
    wire. A kept connection is closed after `idle` seconds without a call.
    """

    connect: float = 5.0
    read: float = 20.0
    total: float = 50.0
    idle: float = 30.0
    redirects: int = 5
    request_bytes: int = 4 * 1024 * 1024
    response_bytes: int = 10 * 1024 * 1024
    request_headers: int = 64
    request_header_bytes: int = 16 * 1024
    response_header_bytes: int = 64 * 1024
