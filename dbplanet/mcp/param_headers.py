"""Arguments that a tool wants repeated in ``Mcp-Param-*`` headers (2026-07-28, transports, x-mcp-header)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from dbplanet.mcp.modern import GetHeader, decode_value, mismatch

ANNOTATION: Final = "x-mcp-header"


def check_param_headers(schema: Mapping[str, Any], arguments: Any, get_header: GetHeader) -> None:
    """Raise RpcError -32020 unless each annotated argument and its header agree."""
    for path, name in _annotated(schema):
        value, header = _at(arguments, path), get_header(f"mcp-param-{name.lower()}")
        if value is None and header is not None:
            raise mismatch(f"Mcp-Param-{name} was sent, but the argument was not")
        if value is not None and (header is None or not _agree(value, decode_value(header))):
            raise mismatch(f"Mcp-Param-{name} does not match the argument {'.'.join(path)}")


def _annotated(
    schema: Mapping[str, Any], path: tuple[str, ...] = ()
) -> Iterator[tuple[tuple[str, ...], str]]:
    for name, spec in (schema.get("properties") or {}).items():
        if ANNOTATION in spec:
            yield (*path, name), spec[ANNOTATION]
        yield from _annotated(spec, (*path, name))


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
