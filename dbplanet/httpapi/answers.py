"""From a target's answer to ``{status, statusText, headers, data}``, or to the error it stands for.

Source: specification "MCP API Server", Response Model; reference "GraphQL and HTTP egress", 4.8.
"""

from __future__ import annotations

import base64
import http.client
import json
from typing import Any, Final

from dbplanet.egress import Answer
from dbplanet.httpapi.errors import ApiError, by_lower_name
from dbplanet.httpapi.jsontext import load
from dbplanet.httpapi.media import (
    charset_of,
    content_type_of,
    decode_text,
    is_json_type,
    is_text_type,
    media_type,
)

_EXCERPT: Final = 2_000  # characters of a body that should have been JSON


def read_answer(answer: Answer) -> dict[str, Any]:
    """Return the result of an answer.

    `data` is a JSON value, text, None for an empty body, or else ``{encoding, contentType, size, base64}``
    beside ``dataEncoding: "base64"``. Raises ApiError: http_status from 400 on, with the same members in its
    details; invalid_json_response for a body that is not the JSON it claims to be.
    """
    phrase = http.client.responses.get(answer.status, "")
    head = {"statusText": answer.reason or phrase, "headers": by_lower_name(answer.headers)}
    content_type = content_type_of(answer.headers)
    if content_type is not None and "/" not in content_type:
        content_type = None
    if answer.status >= 400:
        message = f"The server answered {answer.status} {phrase}".rstrip()
        details = {**head, **_of_an_error(answer.body, content_type)}
        raise ApiError("http", "http_status", f"{message}.", status=answer.status, details=details)
    try:
        data = _data(answer.body, content_type)
    except ValueError:
        details = {**head, "data": _text(answer.body, content_type)[:_EXCERPT]}
        raise ApiError(
            "parsing",
            "invalid_json_response",
            "The answer is not the JSON that it claims to be.",
            status=answer.status,
            details=details,
        ) from None
    return {"status": answer.status, **head, **data}


def _of_an_error(body: bytes, content_type: str | None) -> dict[str, Any]:
    try:
        return _data(body, content_type)
    except ValueError:
        return {"data": _text(body, content_type)}


def _data(body: bytes, content_type: str | None) -> dict[str, Any]:
    """Return the member `data`, and `dataEncoding` beside it where it is base64; raises ValueError."""
    if not body:
        return {"data": None}
    if content_type is None:
        return _of_unknown_type(body)
    if is_json_type(content_type):
        return {"data": load(_json_text(body, content_type))}
    if is_text_type(content_type):
        return {"data": _text(body, content_type)}
    return _binary(body, media_type(content_type))


def _of_unknown_type(body: bytes) -> dict[str, Any]:
    try:
        return {"data": load(_json_text(body, ""))}
    except ValueError:
        pass
    try:
        return {"data": body.decode("utf-8-sig")}
    except UnicodeDecodeError:
        return _binary(body, None)


def _json_text(body: bytes, content_type: str) -> str:
    """Decode JSON: in UTF-8, 16 or 32 as its first bytes tell, else in the charset given."""
    try:
        return body.decode(json.detect_encoding(body))
    except UnicodeDecodeError:
        return body.decode(charset_of(content_type) or "utf-8")


def _text(body: bytes, content_type: str | None) -> str:
    return decode_text(body, charset_of(content_type or ""))


def _binary(body: bytes, content_type: str | None) -> dict[str, Any]:
    encoded = base64.b64encode(body).decode("ascii")
    data = {"encoding": "base64", "contentType": content_type, "size": len(body), "base64": encoded}
    return {"data": data, "dataEncoding": "base64"}
