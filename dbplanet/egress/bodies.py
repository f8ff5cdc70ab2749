"""Reading an answer's body within its bounds.

The content encoding is undone here, layer by layer in small pieces: urllib3 keeps on reading until it has
something to return, which empty deflate blocks put off for ever, and takes a gzip stream that was cut for
a whole one. Source: reference "GraphQL and HTTP egress", 4.6: a gzip bomb of 522 kB holds 512 MiB.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from itertools import chain

from requests import Response
from urllib3.response import BaseHTTPResponse

from .errors import EgressError
from .wire import PIECE, Incoming

MAX_LAYERS = 5
_GZIP, _ZLIB, _RAW_DEFLATE = 16 + zlib.MAX_WBITS, zlib.MAX_WBITS, -zlib.MAX_WBITS
#: what this client asks for; nothing else is decoded
_WINDOW_BITS = {"gzip": _GZIP, "x-gzip": _GZIP, "deflate": _ZLIB}
_BODILESS_STATUSES = frozenset({204, 304})


def read_body(response: Response, limit: int) -> bytes:
    """Return the decoded body of an answer made with `stream=True`.

    Raises EgressError: response_too_large, unread where the length says so; content_encoding; else what
    urllib3 raises. `limit` (bytes) bounds the body on the wire and after the undoing of each encoding.
    """
    if _declared_length(response) > limit:
        raise EgressError("response_too_large", sent=True)
    pieces = _bounded(_wire(response), limit)
    encodings = _encodings(response)
    if len(encodings) > MAX_LAYERS:
        raise EgressError("content_encoding", sent=True)
    for encoding in reversed(encodings):
        pieces = _bounded(_decoded(pieces, encoding), limit)
    return b"".join(pieces)


def _declared_length(response: Response) -> int:
    if isinstance(response.raw, Incoming):
        return response.raw.length or 0
    if response.request.method == "HEAD" or response.status_code in _BODILESS_STATUSES:
        return 0
    length = response.headers.get("Content-Length", "")
    return int(length) if length.isascii() and length.isdigit() and len(length) < 20 else 0


def _encodings(response: Response) -> list[str]:
    named = response.headers.get("Content-Encoding")
    if named is None or not isinstance(response.raw, (Incoming, BaseHTTPResponse)):
        # what a stand-in of a test holds is decoded
        return []
    names = named.lower().split(",")
    return [name for name in map(str.strip, names) if name not in ("", "identity")]


def _wire(response: Response) -> Iterator[bytes]:
    raw = response.raw
    if isinstance(raw, Incoming):
        return raw.pieces()
    if isinstance(raw, BaseHTTPResponse):
        return _from_urllib3(raw)
    return iter([response.content])


def _from_urllib3(raw: BaseHTTPResponse) -> Iterator[bytes]:
    try:
        while piece := raw.read(PIECE, decode_content=False):
            yield piece
    except ValueError:
        # http.client, of a negative chunk size
        raise EgressError("incomplete_response", sent=True) from None


def _bounded(pieces: Iterator[bytes], limit: int) -> Iterator[bytes]:
    size = 0
    for piece in pieces:
        size += len(piece)
        if size > limit:
            raise EgressError("response_too_large", sent=True)
        yield piece


def _decoded(pieces: Iterator[bytes], encoding: str) -> Iterator[bytes]:
    """Undo one content encoding. Raises EgressError (content_encoding); an empty body is always fine."""
    first = next(pieces, b"")
    if not first:
        return
    window_bits = _WINDOW_BITS.get(encoding)
    if window_bits is None:
        raise EgressError("content_encoding", sent=True)
    if encoding == "deflate" and not _has_zlib_header(first):
        window_bits = _RAW_DEFLATE
    try:
        yield from _inflated(first, pieces, window_bits)
    except zlib.error:
        raise EgressError("content_encoding", sent=True) from None


def _has_zlib_header(data: bytes) -> bool:
    """Tell the deflate of RFC 9110 (in a zlib wrapper) from the bare one that some servers send."""
    return len(data) > 1 and data[0] & 0x0F == zlib.DEFLATED and (data[0] << 8 | data[1]) % 31 == 0


def _inflated(first: bytes, rest: Iterator[bytes], window_bits: int) -> Iterator[bytes]:
    decoder = zlib.decompressobj(window_bits)
    for piece in chain([first], rest):
        data = piece
        while data:
            if decoder.eof:
                if window_bits != _GZIP or not data.startswith(b"\x1f\x8b"):
                    # padding after the end, which everybody ignores
                    break
                decoder = zlib.decompressobj(window_bits)
            # an empty piece would look like an empty body to the next layer
            if inflated := decoder.decompress(data, PIECE):
                yield inflated
            data = decoder.unconsumed_tail or decoder.unused_data
    while not decoder.eof:
        # what the decoder still holds back; when nothing comes any more, the stream was cut
        held_back = decoder.decompress(b"", PIECE)
        if not held_back:
            raise zlib.error
        yield held_back
