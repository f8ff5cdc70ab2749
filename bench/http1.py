"""The little of HTTP/1.1 that the bench speaks: whole messages out of a buffer, whole messages as bytes."""

from __future__ import annotations

from typing import Final, NamedTuple

END_OF_HEAD: Final = b"\r\n\r\n"


class HttpMessage(NamedTuple):
    """A request or an answer; ``head`` has its first line and ends before the empty line."""

    head: bytes
    body: bytes

    @property
    def status(self) -> int:
        """The status of an answer."""
        return int(self.head[9:12])

    def header(self, name: bytes) -> bytes:
        """Return the value of the header ``name`` (lower case), b"" where there is none."""
        start = self.head.lower().find(b"\r\n" + name + b":")
        if start < 0:
            return b""
        return self.head[start + len(name) + 3 :].split(b"\r\n", 1)[0].strip()


def take(buffer: bytes) -> tuple[HttpMessage | None, bytes]:
    """Return the first whole message and what follows it; None while it is not whole."""
    end = buffer.find(END_OF_HEAD)
    if end < 0:
        return None, buffer
    message = HttpMessage(buffer[:end], b"")
    begin = end + len(END_OF_HEAD)
    if length := message.header(b"content-length"):
        stop = begin + int(length)
        if len(buffer) < stop:
            return None, buffer
        return HttpMessage(message.head, buffer[begin:stop]), buffer[stop:]
    if message.header(b"transfer-encoding").lower() == b"chunked":
        return _take_chunked(message.head, buffer, begin)
    return message, buffer[begin:]


def _take_chunked(head: bytes, buffer: bytes, position: int) -> tuple[HttpMessage | None, bytes]:
    chunks: list[bytes] = []
    while True:
        line_end = buffer.find(b"\r\n", position)
        if line_end < 0:
            return None, buffer
        size = int(buffer[position:line_end], 16)
        position = line_end + 2 + size + 2
        if len(buffer) < position:
            return None, buffer
        if size == 0:
            return HttpMessage(head, b"".join(chunks)), buffer[position:]
        chunks.append(buffer[line_end + 2 : position - 2])


def answer(body: bytes, status: str = "200 OK", headers: str = "") -> bytes:
    """Return an answer with a JSON body; ``headers`` are whole lines, each with its line end."""
    head = f"HTTP/1.1 {status}\r\nContent-Type: application/json\r\n{headers}Content-Length: {len(body)}"
    return head.encode() + END_OF_HEAD + body
