"""The tools' parameters.

A wrong value is refused with a code of its own and is never repeated in the message: headers and bodies hold
secrets.
"""

from __future__ import annotations

import json
from typing import Annotated, Any, Final

from pydantic import BeforeValidator, Field, WithJsonSchema

from dbplanet.httpapi.errors import ApiError

_NESTING: Final = 3  # how often headers may be packed into a string


def _url(value: Any) -> Any:
    if not isinstance(value, str):
        raise ApiError("validation", "invalid_url", "url must be a string.")
    return value


def _headers(value: Any) -> Any:
    unpacked = _unpacked(value)
    if not isinstance(unpacked, dict):
        raise ApiError("validation", "invalid_headers", "headers must be an object of strings.")
    for name, text in unpacked.items():
        if not isinstance(text, str):
            details = {"header": name} if name.isascii() else {}
            raise ApiError(
                "validation", "invalid_headers", "headers must hold strings only.", details=details
            )
    return unpacked


def _unpacked(value: Any) -> Any:
    for _ in range(_NESTING):
        if not isinstance(value, str):
            break
        try:
            value = json.loads(value)
        except (ValueError, RecursionError):
            break
    return value


def _body(value: Any) -> Any:
    if not isinstance(value, (str, dict, list)):
        raise ApiError("validation", "invalid_body", "body must be a string, an object or an array.")
    return value


Url = Annotated[
    str,
    BeforeValidator(_url),
    Field(description="Target URL: absolute, http or https, such as https://api.example.com/v1/items?page=2"),
]

Headers = Annotated[
    dict[str, str],
    BeforeValidator(_headers),
    WithJsonSchema({"type": "object", "additionalProperties": {"type": "string"}}),
    Field(description='Custom request headers by name, such as {"Authorization": "Bearer …"}'),
]
"""A free map of strings; one that came packed in a string is unpacked."""

Body = Annotated[
    Any,
    BeforeValidator(_body),
    WithJsonSchema({"type": "string"}),
    Field(
        description="Request body: text, or JSON as an object, an array or a string. Without a Content-Type "
        "header a JSON object or array goes as application/json, any other text as text/plain"
    ),
]
"""A string by its schema, because a union would make several clients drop the whole list of tools."""
