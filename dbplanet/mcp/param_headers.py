"""Arguments that a tool wants repeated in ``Mcp-Param-*`` headers (2026-07-28, transports, x-mcp-header)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from dbplanet.mcp.modern import GetHeader, decode_value, mismatch

ANNOTATION: Final = "x-mcp-header"

Mirrored = Sequence[tuple[tuple[str, ...], str]]
"""Where in the arguments a value stands, and what its header is called behind ``Mcp-Param-``."""


def check_param_headers(mirrored: Mirrored, arguments: Any, get_header: GetHeader) -> None:
    """Raise RpcError -32020 unless each mirrored argument and its header agree."""
    for path, name in mirrored:
        value, header = _at(arguments, path), get_header(f"mcp-param-{name.lower()}")
        if value is None and header is not None:
            raise mismatch(f"Mcp-Param-{name} was sent, but the argument was not")
        if value is not None and (header is None or not _agree(value, decode_value(header))):
            raise mismatch(f"Mcp-Param-{name} does not match the argument {'.'.join(path)}")


def annotated(schema: Mapping[str, Any], path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], str]]:
    """Yield the arguments that a schema wants repeated in headers."""
    for name, spec in (schema.get("properties") or {}).items():
        if ANNOTATION in spec:
            yield (*path, name), spec[ANNOTATION]
        yield from annotated(spec, (*path, name))


def _at(arguments: Any, path: tuple[str, ...]) -> Any:
    for name in path:
        arguments = arguments.get(name) if isinstance(arguments, dict) else None
    return arguments


def _agree(value: Any, header: str) -> bool:
    if isinstance(value, bool):
        return header == str(value).lower()
    if isinstance(value, (int, float)):
        try:
            return float(header) == value
        except ValueError:
            return False
    return bool(header == value)
