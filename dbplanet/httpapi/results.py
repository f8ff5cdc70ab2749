"""Results and failures as the caller gets them: structured content, and the same JSON as text."""

from __future__ import annotations

from typing import Any, Final

from dbplanet.httpapi.errors import definition
from dbplanet.httpapi.jsontext import dump
from dbplanet.mcp.errors import ToolError
from dbplanet.mcp.results import ToolResult, text

_NOTE: Final = (
    "data holds the first {shown} of {total} characters. Ask the API for less, by its paging, filter or "
    "field parameters or with a Range header."
)


class Presenter:
    """Makes tool results whose text has at most `limit` characters, as far as cutting the data can help."""

    def __init__(self, limit: int | None = None) -> None:
        self._limit = limit

    def result(self, answer: dict[str, Any]) -> ToolResult:
        """Return a result of ``{status, statusText, headers, data}``."""
        return self._presented(answer, answer)

    def failure(self, error: ToolError) -> ToolResult:
        """Return a result of ``{error: …}``."""
        whole = definition(error)
        return self._presented(whole, whole["error"]["details"], is_error=True)

    def _presented(
        self, whole: dict[str, Any], holder: dict[str, Any], *, is_error: bool = False
    ) -> ToolResult:
        written = dump(whole)
        if self._limit is not None and len(written) > self._limit and holder.get("data") is not None:
            _cut(whole, holder, self._limit)
            written = dump(whole)
        return ToolResult([text(written)], whole, is_error)


def _cut(whole: dict[str, Any], holder: dict[str, Any], limit: int) -> None:
    """Shorten `data` in `holder`, a part of `whole`; JSON becomes the beginning of its text."""
    data = holder["data"]
    binary = holder.get("dataEncoding") == "base64"
    source = data["base64"] if binary else data if isinstance(data, str) else dump(data)
    size = limit
    while True:
        # whole groups of four, so that what is left of base64 can be decoded
        shown = source[: size - size % 4 if binary else size]
        holder["data"] = {**data, "base64": shown} if binary else shown
        holder["dataTruncated"] = _NOTE.format(shown=len(shown), total=len(source))
        excess = len(dump(whole)) - limit
        if excess <= 0 or size <= 0:
            return
        # a share, not a difference: what JSON escapes is longer there than here
        used = len(dump(shown))
        size = min(size - 1, size * max(0, used - excess) // used)
