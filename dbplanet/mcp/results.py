"""What a tool gives back besides plain text: content blocks and structured content."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

Block = dict[str, Any]


@dataclass(frozen=True)
class ToolResult:
    """A whole CallToolResult; ``structured`` is JSON, an object for clients before 2026-07-28."""

    content: Sequence[Block]
    structured: Any = None
    is_error: bool = False

    def definition(self) -> dict[str, Any]:
        """Return the wire form."""
        result: dict[str, Any] = {"content": list(self.content), "isError": self.is_error}
        return result if self.structured is None else {**result, "structuredContent": self.structured}


def text(value: str) -> Block:
    """Return a text block."""
    return {"type": "text", "text": value}


def image(data: str, mime_type: str) -> Block:
    """Return an image block; ``data`` is base64."""
    return {"type": "image", "data": data, "mimeType": mime_type}


def audio(data: str, mime_type: str) -> Block:
    """Return an audio block; ``data`` is base64."""
    return {"type": "audio", "data": data, "mimeType": mime_type}


def embedded(resource: Mapping[str, Any]) -> Block:
    """Return a block with a resource in it: ``uri``, and ``text`` or base64 ``blob``."""
    return {"type": "resource", "resource": dict(resource)}
