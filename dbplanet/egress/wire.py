"""One HTTP/1.1 exchange over a connected socket: a request written in one piece, an answer read strictly.

http.client reads an answer's head with the e-mail parser, which takes longer than everything else of a call
together, and forgives what would let two readers see two answers. Here one answer has one meaning, or is
refused. Source: RFC 9112, sections 2 to 7.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from typing import Protocol

from .errors import EgressError
from .headers import response_headers

PIECE = 64 * 1024
#: more than this is no head of an answer; what a caller accepts (`Limits`) is less
_HEAD_BYTES = 256 * 1024
_MOST_FIELDS = 100
_LINE_BYTES = 64 * 1024

_HEAD_END = re.compile(rb"\r?\n\r?\n")
_LINE_END = re.compile(r"\r?\n")
_STATUS = re.compile(r"HTTP/1\.([0-9]) ([1-9][0-9]{2})(?: (.*))?")
_NAME = re.compile(r"[!-9;-~]+")
_LENGTH = re.compile(r"[0-9]{1,18}")
_CHUNK = re.compile(rb"([0-9A-Fa-f]{1,15})[ \t]*(?:;.*)?", re.DOTALL)
_BODILESS_STATUSES = frozenset({204, 304})

#: told once what became of the connection: whether it may carry another request
Release = Callable[[bool], None]


class Stream(Protocol):
    """A connected socket, with TLS or without; how long it waits is its own affair."""

    def sendall(self, data: bytes, /) -> None:
        """Send all of `data`."""

    def recv(self, size: int, /) -> bytes:
        """Return at most `size` bytes, none at the end."""


def write_request(stream: Stream, head: str, body: bytes) -> None:
    """Send a request: its head, in Latin-1 with Host, framing and the empty line at the end, and its body.

    Raises OSError, but not where the server hung up meanwhile: it may have answered a large body early.
    """
    with suppress(BrokenPipeError):
        stream.sendall(head.encode("latin-1") + body)


class Incoming:
    """An answer whose head has been read: `status`, `reason`, `headers`; its body is still on its way.

    `request` is the head of the request that it answers; `release` is told when the body has been read
    whole, or the answer was closed before. The constructor raises EgressError (closed, protocol) and OSError.
    """

    def __init__(self, stream: Stream, request: str, release: Release) -> None:
        self._stream = stream
        self._release: Release | None = release
        self._buffer = bytearray()
        #: characters of the head
        self.head_size = 0
        status, lines = self._final_head()
        self.status, self.reason = int(status[2]), status[3] or ""
        self.headers = response_headers(_pairs(lines))
        self._chunked = _is_chunked(self.headers)
        #: bytes of the body as the head announces them, None where it does not
        self.length = None if self._chunked else _length(self.headers)
        # a 204 has no body and says nothing of one (RFC 9110, 8.6); one that does may send it after all
        honest = self.status != 204 or not (self._chunked or self.length)
        if request.startswith("HEAD ") or self.status in _BODILESS_STATUSES:
            self._chunked, self.length = False, 0
        options = self.headers.get("Connection", "").lower()
        kept = "keep-alive" in options if status[1] == "0" else "close" not in options
        # of two framings at once, somebody on the way may have read the other one
        clear = "Content-Length" not in self.headers if self._chunked else self.length is not None
        self._may_be_kept = kept and clear and honest

    def pieces(self) -> Iterator[bytes]:
        """Yield the body as it comes, still encoded; raises EgressError (incomplete_response) and OSError."""
        if self._chunked:
            yield from self._chunks()
        elif self.length is None:
            yield from self._until_close()
        else:
            yield from self._exactly(self.length)
        # what comes behind the end answers nothing that was asked
        self._let_go(reusable=self._may_be_kept and not self._buffer)

    def close(self) -> None:
        """End an answer that interests nobody any more, and its connection."""
        self._let_go(reusable=False)

    def _let_go(self, *, reusable: bool) -> None:
        release, self._release = self._release, None
        if release is not None:
            release(reusable)

    def _final_head(self) -> tuple[re.Match[str], list[str]]:
        """Return the status line and the lines behind it, past any `100 Continue`.

        Other interim answers announce what is not understood here, such as another protocol.
        """
        while True:
            first, *lines = _LINE_END.split(self._head())
            status = _STATUS.fullmatch(first)
            if status is None or (status[2] < "200" and status[2] != "100"):
                raise EgressError("protocol", sent=True)
            if status[2] != "100":
                return status, lines

    def _head(self) -> str:
        searched = 0
        while (end := _HEAD_END.search(self._buffer, searched)) is None:
            searched = max(len(self._buffer) - 3, 0)
            if searched > _HEAD_BYTES or not self._more():
                raise EgressError("protocol" if self._buffer else "closed", sent=True)
        head = self._buffer[: end.start()].decode("latin-1")
        del self._buffer[: end.end()]
        self.head_size = len(head)
        return head

    def _exactly(self, length: int) -> Iterator[bytes]:
        while length > 0:
            if not self._buffer and not self._more(min(length, PIECE)):
                raise _cut()
            piece = bytes(self._buffer[:length])
            del self._buffer[:length]
            length -= len(piece)
            yield piece

    def _until_close(self) -> Iterator[bytes]:
        while self._buffer or self._more():
            yield bytes(self._buffer)
            self._buffer.clear()

    def _chunks(self) -> Iterator[bytes]:
        while size := self._chunk_size():
            yield from self._exactly(size)
            if self._line():
                raise _cut()
        trailers = 0
        while line := self._line():
            trailers += len(line)
            if trailers > _LINE_BYTES:
                raise _cut()

    def _chunk_size(self) -> int:
        size = _CHUNK.fullmatch(self._line())
        if size is None:
            raise _cut()
        return int(size[1], 16)

    def _line(self) -> bytes:
        searched = 0
        while (end := self._buffer.find(b"\n", searched)) < 0:
            searched = len(self._buffer)
            if searched > _LINE_BYTES or not self._more():
                raise _cut()
        line = bytes(self._buffer[:end])
        del self._buffer[: end + 1]
        return line.removesuffix(b"\r")

    def _more(self, size: int = PIECE) -> bool:
        data = self._stream.recv(size)
        self._buffer += data
        return bool(data)


def _cut() -> EgressError:
    return EgressError("incomplete_response", sent=True)


def _pairs(lines: list[str]) -> list[tuple[str, str]]:
    """Return header lines as names and values; a line folded by an old server continues the one before."""
    pairs: list[tuple[str, str]] = []
    for line in lines:
        name, colon, value = line.partition(":")
        if pairs and line[0] in " \t":
            before = pairs.pop()
            pairs.append((before[0], f"{before[1]} {line.strip()}"))
        elif colon and _NAME.fullmatch(name) and len(line) <= _LINE_BYTES and len(pairs) < _MOST_FIELDS:
            pairs.append((name, value.strip(" \t")))
        else:
            raise EgressError("protocol", sent=True)
    return pairs


def _is_chunked(headers: Mapping[str, str]) -> bool:
    coding = headers.get("Transfer-Encoding")
    if coding is not None and coding.lower() != "chunked":
        raise EgressError("protocol", sent=True)
    return coding is not None


def _length(headers: Mapping[str, str]) -> int | None:
    announced = headers.get("Content-Length")
    if announced is None:
        return None
    # the same length twice is harmless
    lengths = {*announced.split(", ")}
    if len(lengths) > 1 or not _LENGTH.fullmatch(announced := lengths.pop()):
        raise EgressError("protocol", sent=True)
    return int(announced)
