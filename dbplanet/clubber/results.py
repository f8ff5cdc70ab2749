"""Answers as JSON: in the text block and as structured content, never longer than the text's limit."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, Final

from dbplanet.mcp.errors import ToolError
from dbplanet.mcp.results import ToolResult, text

# Characters that are left of each text, tried one after the other where no list can be cut any more.
_TEXT_LENGTHS: Final = (4_000, 1_000, 250, 60)
_SHORTENED: Final = (
    "The answer was longer than {limit} characters: lists and texts in it were cut. Ask for fewer fields, "
    "or for less at once with the API's own arguments (first, limit, offset, after), to see the rest."
)


def value_result(value: Mapping[str, Any], limit: int) -> ToolResult:
    """Return one JSON object; over ``limit`` characters it is shortened and says so in a second block."""
    full = json.dumps(value, ensure_ascii=False, indent=2)
    if len(full) <= limit:
        return ToolResult([text(full)], value)
    compact = dumps(value)
    if len(compact) <= limit:
        return ToolResult([text(compact)], value)
    short = shortened(value, limit)
    return ToolResult([text(dumps(short)), text(_SHORTENED.format(limit=limit))], short)


def members_result(
    members: Sequence[Mapping[str, Any]], *, limit: int | None, offset: int, max_chars: int
) -> ToolResult:
    """Return members as a JSON array, cut only between two; a second block tells what is left out."""
    wanted = members[offset : None if limit is None else offset + limit]
    lines: list[str] = []
    size = 2
    for member in wanted:
        line = dumps(member)
        if lines and size + len(line) + 2 > max_chars:
            break
        lines.append(line if len(line) <= max_chars else dumps(shortened(member, max_chars)))
        size += len(line) + 2
    shown = [json.loads(line) for line in lines]
    array = "[\n" + ",\n".join(lines) + "\n]" if lines else "[]"
    end = offset + len(shown)
    if len(shown) == len(members):
        return ToolResult([text(array)], {"result": shown})
    structured: dict[str, Any] = {"result": shown, "total": len(members), "offset": offset}
    if end < len(members):
        structured["nextOffset"] = end
    return ToolResult([text(array), text(_range(offset, end, len(members)))], structured)


def _range(start: int, end: int, total: int) -> str:
    if start >= end:
        return f"There are {total} members; none at offset {start}."
    more = f" Call again with offset={end} for the next." if end < total else ""
    return f"Members {start + 1} to {end} of {total}.{more}"


def dumps(value: Any) -> str:
    """Return compact JSON."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def shortened(value: Any, limit: int) -> Any:
    """Return ``value`` with its lists, then its texts cut until it has at most ``limit`` characters as JSON.

    Raises ToolError where that does not suffice.
    """
    if len(dumps(value)) <= limit:
        return value
    # The most entries of each list that fit, found by halving.
    low, high = 0, limit // 2
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if len(dumps(_cut(value, middle, None))) <= limit else (low, middle - 1)
    entries = max(low, 1)
    for length in (None, *_TEXT_LENGTHS):
        short = _cut(value, entries, length)
        if len(dumps(short)) <= limit:
            return short
    raise ToolError(
        502, f"The answer is longer than {limit} characters.", "It was executed; ask for fewer fields."
    )


def _cut(value: Any, entries: int, length: int | None) -> Any:
    if isinstance(value, dict):
        return {key: _cut(item, entries, length) for key, item in value.items()}
    if isinstance(value, list):
        return [_cut(item, entries, length) for item in value[:entries]]
    if isinstance(value, str) and length is not None and len(value) > length:
        return f"{value[:length]}…"
    return value
