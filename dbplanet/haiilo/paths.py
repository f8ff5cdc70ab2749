"""Ids in paths, and values in queries: data that must stay data."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, Final
from urllib.parse import quote, unquote, urlencode

from dbplanet.mcp.errors import ToolError

_SEPARATORS: Final = re.compile(r"[/\\]")
_DOTS: Final = frozenset({".", ".."})
# No id or slug is near this long, and decoding to a fixed point takes the square of the length.
MAX_ID: Final = 300


def check_id(value: str) -> str:
    """Return ``value`` if it may stand in a path.

    Raises ValueError, worded to follow the argument's name, for a blank one and for one that is or
    contains a ``.`` or ``..`` segment, however often it is encoded: quoting does not help there, since
    HTTP libraries and proxies undo the quoting of dots.
    """
    if not value.strip():
        raise ValueError("is empty; give an id as a list or search tool shows it")
    if len(value) > MAX_ID:
        raise ValueError(f"is too long; the most is {MAX_ID} characters")
    decoded, before = unquote(value), value
    while decoded != before:
        decoded, before = unquote(decoded), decoded
    # Some servers cut ";parameters" off a segment before they resolve dots.
    if any(part.partition(";")[0].strip() in _DOTS for part in _SEPARATORS.split(decoded)):
        raise ValueError("is a path, not an id; give an id as a list or search tool shows it")
    return value


def segment(value: str) -> str:
    """Return an id quoted as exactly one path segment; raises ToolError 400 for what no id can be."""
    try:
        return quote(check_id(value), safe="")
    except ValueError as fault:
        raise ToolError(400, f"Invalid arguments: id: {value[:60]!r} {fault}") from None


def query_string(params: Mapping[str, Any]) -> str:
    """Return ``params`` as a query string in UTF-8.

    None is left out, true and false are written in lower case, an empty string stays, a list repeats its
    name, an object is its compact JSON.
    """
    return urlencode([(name, text) for name, value in params.items() for text in _texts(value)])


def _texts(value: Any) -> Iterator[str]:
    if value is None:
        return
    if isinstance(value, (list, tuple)):
        for item in value:
            yield from _texts(item)
    elif isinstance(value, bool):
        yield "true" if value else "false"
    elif isinstance(value, Mapping):
        yield json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    else:
        yield str(value)
