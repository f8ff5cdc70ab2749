"""From an HTTP answer of the tenant to its JSON, or to the exception that says what is wrong."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any, Final, Protocol

from dbplanet.haiilo.errors import AnswerError, StatusError

_MEDIA_TYPE: Final = re.compile(r"[a-z]{1,20}/[a-z0-9.+-]{1,40}(?=\s*(;|$))", re.IGNORECASE)
_CHARSET: Final = re.compile(r"charset=\"?([A-Za-z0-9_.:-]+)", re.IGNORECASE)


class Answer(Protocol):
    """An HTTP answer, read whole."""

    @property
    def status(self) -> int:
        """The HTTP status."""

    @property
    def headers(self) -> Mapping[str, str]:
        """The headers; look-ups ignore case."""

    @property
    def body(self) -> bytes:
        """The body, decompressed."""


def read_json(answer: Answer) -> Any:
    """Return the JSON of a 2xx answer, or None where it has no body (204, or an empty 200).

    Raises StatusError for any other status and AnswerError for a body that is not JSON, such as the
    HTML of a sign-in page.
    """
    if not 200 <= answer.status < 300:
        raise StatusError(answer.status, _json_or_none(answer), answer.headers.get("Retry-After"))
    if not answer.body or answer.body.isspace():
        return None
    try:
        return json.loads(decode_text(answer))
    except (ValueError, RecursionError):
        named = _MEDIA_TYPE.match(answer.headers.get("Content-Type", ""))
        kind = named[0] if named else "no readable content type"
        raise AnswerError(
            f"DB Planet answered with {kind} where JSON was expected.",
            "Mostly this is a sign-in page or a proxy; check the base URL and that this user may use the "
            "API.",
        ) from None


def decode_text(answer: Answer) -> str:
    """Return the body as text: UTF-8 (with or without BOM) first, then the declared charset, then Latin-1.

    The tenant declares no charset for JSON and HTML that is UTF-8, so the declaration comes second.
    """
    text = _decoded(answer.body, "utf-8-sig")
    if text is not None:
        return text
    declared = _CHARSET.search(answer.headers.get("Content-Type", ""))
    charsets = (declared[1] if declared else "latin-1", "latin-1")
    return next(text for charset in charsets if (text := _decoded(answer.body, charset)) is not None)


def _decoded(body: bytes, charset: str) -> str | None:
    try:
        return body.decode(charset)
    except (UnicodeDecodeError, LookupError):
        return None


def _json_or_none(answer: Answer) -> Any:
    try:
        return json.loads(decode_text(answer))
    except (ValueError, RecursionError):
        return None
