"""Strict JSON: what Python's module takes or writes beyond the standard is refused.

Source: RFC 8259; reference "GraphQL and HTTP egress", 4.8: json raises RecursionError for deep nesting and a
plain ValueError for a number of more than 4,300 digits.
"""

from __future__ import annotations

import json
import math
import re
from typing import Any, Final, NoReturn

MAX_DEPTH: Final = 100  # levels; clients' own readers give up at about twice that

_MAY_BE_SURROGATE: Final = re.compile(r"\\u[dD][89a-fA-F]")
_SURROGATE: Final = re.compile("[\ud800-\udfff]")


def dump(value: Any) -> str:
    """Return compact JSON. Raises ValueError or RecursionError for what JSON cannot hold."""
    return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))


def load(text: str) -> Any:
    """Return the JSON value in `text`, fit to be sent on.

    Half a surrogate pair becomes U+FFFD, because clients' JSON readers refuse the whole message over one.
    Raises ValueError, also for NaN, numbers beyond a double or of thousands of digits, and values nested
    deeper than `MAX_DEPTH`.
    """
    try:
        value = json.loads(text, parse_constant=_refuse, parse_float=_finite)
    except RecursionError:
        raise ValueError("nested too deep") from None
    if _is_deeper(value, MAX_DEPTH):
        raise ValueError("nested too deep")
    return _without_surrogates(value) if _MAY_BE_SURROGATE.search(text) else value


def is_json(text: str) -> bool:
    """Tell whether `text` is JSON, whatever its numbers are worth."""
    try:
        json.loads(text, parse_constant=_refuse, parse_int=str, parse_float=str)
    except (ValueError, RecursionError):
        return False
    return True


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is not JSON")


def _finite(digits: str) -> float:
    number = float(digits)
    if math.isinf(number):
        raise ValueError("a number is too large")
    return number


def _without_surrogates(value: Any) -> Any:
    written = dump(value)
    return json.loads(_SURROGATE.sub("\ufffd", written)) if _SURROGATE.search(written) else value


def _is_deeper(value: Any, limit: int) -> bool:
    level = _containers([value])
    for _ in range(limit):
        level = [inner for outer in level for inner in _containers(outer)]
        if not level:
            return False
    return bool(level)


def _containers(value: dict[str, Any] | list[Any]) -> list[Any]:
    members = value.values() if isinstance(value, dict) else value
    return [member for member in members if isinstance(member, (dict, list))]
