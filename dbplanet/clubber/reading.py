"""Reading what a root field gave: the members in it, and what a payload says went wrong."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final

from dbplanet.clubber.answers import Fault
from dbplanet.clubber.naming import first, normal
from dbplanet.clubber.selecting import Selection, is_error_name

_SUCCESS: Final = ("success", "ok", "successful", "succeeded")
_MESSAGE: Final = ("message", "messages", "reason", "detail", "description")
_FIELD: Final = ("field", "fields", "path", "property")


def members_in(value: Any, path: tuple[str, ...]) -> list[Mapping[str, Any]]:
    """Return the members at the end of ``path`` below a root field's value; lists on the way are walked."""
    if isinstance(value, list):
        return [member for item in value for member in members_in(item, path)]
    if not isinstance(value, dict):
        return []
    return members_in(value.get(path[0]), path[1:]) if path else [value]


def problems_in(value: Any, selection: Selection) -> list[Fault]:
    """Return what a payload or a union tells in place of a member; empty where it tells nothing wrong."""
    if not isinstance(value, dict):
        return []
    if selection.kinds is not None and value.get("__typename") not in selection.kinds:
        return [_problem(value)]
    if not selection.path:
        return []
    told = [item for name, held in value.items() if is_error_name(name) for item in _items(held)]
    if told:
        return [_problem(item) for item in told]
    succeeded = first(value, _SUCCESS)
    return [_problem(value)] if succeeded is not None and succeeded[1] is False else []


def _items(held: Any) -> list[Any]:
    return held if isinstance(held, list) else [] if held in (None, "", False) else [held]


def _problem(item: Any) -> Fault:
    if not isinstance(item, dict):
        return Fault(str(item)[:500])
    kind = str(item.get("__typename") or "")
    message = first({name: held for name, held in item.items() if held}, _MESSAGE)
    place = first(item, _FIELD)
    code = first(item, ("code",))
    return Fault(
        message=_words(message[1]) if message else kind or _words(item),
        field=_words(place[1]) if place and place[1] else "",
        code=" ".join(filter(None, (str(code[1]) if code and code[1] else "", normal(kind)))),
    )


def _words(value: Any) -> str:
    if isinstance(value, list):
        return ", ".join(map(_words, value))[:500]
    return (value if isinstance(value, str) else json.dumps(value, ensure_ascii=False))[:500]
