"""gunicorn's HTTP, with less work for what almost every request and answer is.

Whatever is not plain goes gunicorn's own way, so that each refusal is gunicorn's: a head is taken here only
if gunicorn would take it, too, and would make the same of it.
"""

from __future__ import annotations

import re
import time
from email.utils import formatdate
from typing import Any, Final

from gunicorn import util  # type: ignore[import-untyped]
from gunicorn.http.body import Body, LengthReader  # type: ignore[import-untyped]
from gunicorn.http.message import Request  # type: ignore[import-untyped]
from gunicorn.http.parser import RequestParser  # type: ignore[import-untyped]
from gunicorn.http.wsgi import Response  # type: ignore[import-untyped]

# Lines of a token without "_", a colon, and what a value may hold (RFC 9110, sections 5.5 and 5.6.2): no
# control characters, so no line end of another kind; no line that goes on with the one before it.
_PLAIN: Final = re.compile(
    r"[!#$%&'*+\-.^`|~0-9A-Za-z]+:[\t\x20-\x7e\x80-\xff]*(?:\r\n[!#$%&'*+\-.^`|~0-9A-Za-z]+:[\t\x20-\x7e\x80-\xff]*)*"
)
_Headers = list[tuple[str, str]]


class PlainRequest(Request):  # type: ignore[misc] # gunicorn is not typed
    """A request whose head is read at once where it is plain."""

    def parse_headers(self, data: bytes, from_trailer: bool = False) -> _Headers:
        """Return upper-case names and values; raises what gunicorn raises."""
        plain = None if from_trailer else self._plain(data.decode("latin-1"))
        headers: _Headers = super().parse_headers(data, from_trailer) if plain is None else plain
        return headers

    def _plain(self, head: str) -> _Headers | None:
        """Return the headers, or None where a limit, a rule for one name or a repeated name may matter."""
        # (gunicorn counts a line's end.)
        if len(head) + 2 > self.limit_request_field_size or not _PLAIN.fullmatch(head):
            return None
        lines = [line.partition(":") for line in head.split("\r\n")]
        headers = {name.upper(): value.strip(" \t") for name, _, value in lines}
        if (
            not len(lines) == len(headers) <= self.limit_request_fields
            or "EXPECT" in headers
            or any(name in headers for name in self.cfg.secure_scheme_headers)
        ):
            return None
        return list(headers.items())


def is_read(parser: Any) -> bool:
    """Tell whether a request's body has been read to its end, and prepare ``parser`` for the next one.

    gunicorn finds out with five changes of the socket's timeout, each a call of the system.
    """
    if type(parser) is not RequestParser:
        return False
    body = parser.mesg.body
    if not _is_at_end(body):
        return False
    parser.mesg_class, parser.mesg = PlainRequest, None
    return True


def _is_at_end(body: Any) -> bool:
    reader = body.reader
    return (
        type(body) is Body
        and type(reader) is LengthReader
        and reader.length == 0
        and not body.failed
        and not body.buf.tell()
    )


class _Clock:
    """The time as headers have it, made once a second."""

    def __init__(self) -> None:
        self._now = (0, "")

    def date(self) -> str:
        second = int(time.time())
        made, text = self._now
        if made != second:
            text = formatdate(second, usegmt=True)
            self._now = (second, text)
        return text


_CLOCK: Final = _Clock()


class PlainResponse(Response):  # type: ignore[misc]
    """An answer that is one piece goes out as one: gunicorn sends its head first."""

    headers_sent: bool

    def write(self, arg: bytes) -> None:
        """Send a piece of the answer."""
        begun = self.headers_sent or self.upgrade or self._omits_body
        if begun or type(arg) is not bytes or self.response_length != len(arg):
            super().write(arg)
            return
        util.write(self.sock, self._head().encode("latin-1") + arg)
        self.headers_sent, self.sent = True, len(arg)

    def _head(self) -> str:
        version, kept = self.req.version, "close" if self.should_close() else "keep-alive"
        own = "".join(f"{name}: {value}\r\n" for name, value in self.headers)
        return (
            f"HTTP/{version[0]}.{version[1]} {self.status}\r\nServer: {self.version}\r\n"
            f"Date: {_CLOCK.date()}\r\nConnection: {kept}\r\n{own}\r\n"
        )
