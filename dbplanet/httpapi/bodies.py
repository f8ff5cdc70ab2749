"""From the `body` argument to bytes and a Content-Type.

Source: specification "MCP API Server", Request Model; reference "GraphQL and HTTP egress", 4.8.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from dbplanet.httpapi.errors import ApiError
from dbplanet.httpapi.jsontext import dump, is_json
from dbplanet.httpapi.media import charset_of, content_type_of, is_json_type

_JSON: Final = "application/json"
_TEXT: Final = "text/plain; charset=utf-8"


def encode_request(body: Any, headers: Mapping[str, str]) -> tuple[Mapping[str, str], bytes | None]:
    """Return the headers and the content to be sent.

    An object or array, and a string that is one in JSON and comes without a Content-Type, goes as JSON; any
    other string as it is. Raises ApiError: invalid_json where a JSON type was given to a string that is none,
    invalid_body for what cannot be written.
    """
    if body is None:
        return headers, None
    given = content_type_of(headers)
    if not isinstance(body, str):
        content_type, text = given or _JSON, _written(body)
    elif given is None:
        content_type, text = _JSON if _is_json_container(body) else _TEXT, body
    else:
        content_type, text = given, body
        if is_json_type(given) and not is_json(body):
            raise ApiError("validation", "invalid_json", "Invalid JSON in request body.")
    sent = headers if given else {**_without_content_type(headers), "Content-Type": content_type}
    return sent, _encoded(text, content_type)


def _without_content_type(headers: Mapping[str, str]) -> dict[str, str]:
    return {name: value for name, value in headers.items() if name.lower() != "content-type"}


def _written(value: Any) -> str:
    try:
        return dump(value)
    except (ValueError, RecursionError):
        raise ApiError(
            "validation",
            "invalid_body",
            "body cannot be written as JSON: a number is too large, or it is nested too deep.",
        ) from None


def _is_json_container(text: str) -> bool:
    return text.lstrip().startswith(("{", "[")) and is_json(text)


def _encoded(text: str, content_type: str) -> bytes:
    """Encode as the Content-Type says; JSON is UTF-8 whatever it says (RFC 8259)."""
    charset = None if is_json_type(content_type) else charset_of(content_type)
    try:
        return text.encode(charset or "utf-8")
    except UnicodeEncodeError:
        raise ApiError(
            "validation", "invalid_body", "body holds characters that its charset cannot express."
        ) from None
