"""Reading the tenant's JSON leniently: pages, ids, names, times.

The shapes are those of the Haiilo API (pages of Spring Data, flat camelCase entities); generations differ
in details, so each reader takes every known form and returns None for what is not there.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timezone
from typing import Any
from zoneinfo import ZoneInfo

Entity = Mapping[str, Any]

_CONTENT_KEYS = ("content", "items", "users", "members", "results")


@dataclass(frozen=True)
class Page:
    """One page of a list. ``number`` is zero-based; ``total`` and ``pages`` are None where unknown."""

    items: Sequence[Entity]
    total: int | None = None
    number: int = 0
    size: int | None = None
    pages: int | None = None
    last: bool = True

    @property
    def first_index(self) -> int:
        """The one-based position of the page's first item in the whole list."""
        return self.number * (self.size or len(self.items)) + 1


def read_page(data: Any) -> Page:
    """Return the page in an answer: an envelope, a bare array, or an object with one list of entities."""
    if isinstance(data, list):
        return Page(_entities(data), total=len(data))
    envelope = mapping(data)
    found: Any = next((envelope[key] for key in _CONTENT_KEYS if isinstance(envelope.get(key), list)), [])
    items = _entities(found)
    pages, number = count(envelope.get("totalPages")), count(envelope.get("number")) or 0
    last = envelope.get("last")
    if not isinstance(last, bool):
        last = pages is None or number + 1 >= pages
    return Page(items, count(envelope.get("totalElements")), number, count(envelope.get("size")), pages, last)


def _entities(values: Sequence[Any]) -> list[Entity]:
    return [value for value in values if isinstance(value, dict)]


def mapping(value: Any) -> Entity:
    """Return ``value`` if it is an object, else an empty one."""
    # Decoded JSON has no other mappings, and a look at the abstract class takes ten times as long.
    return value if isinstance(value, dict) else {}


def whole(value: Any) -> int | None:
    """Return ``value`` if it is a whole number."""
    if not isinstance(value, int) or isinstance(value, bool):
        return None
    return value if -(2**63) <= value < 2**63 else None


def count(value: Any) -> int | None:
    """Return ``value`` if it is a whole number that can count something."""
    number = whole(value)
    return number if number is not None and number >= 0 else None


def text(value: Any) -> str | None:
    """Return ``value`` if it is a string with something in it."""
    return value if isinstance(value, str) and value.strip() else None


def first_text(*values: Any) -> str | None:
    """Return the first of ``values`` that is a string with something in it."""
    for value in values:
        if (found := text(value)) is not None:
            return found
    return None


def target_params(entity: Entity) -> Entity:
    """Return ``target.params``: the ids that lead to an entity, such as an article's app and sender."""
    return mapping(mapping(entity.get("target")).get("params"))


def entity_id(entity: Entity) -> str | None:
    """Return an entity's id, wherever it stands."""
    return (
        first_text(entity.get("id"), entity.get("userId"))
        or text(target_params(entity).get("id"))
        or text(mapping(entity.get("entityId")).get("id"))
    )


def type_name(entity: Entity) -> str | None:
    """Return an entity's type, such as ``blog-article``."""
    return text(entity.get("typeName")) or text(mapping(entity.get("entityId")).get("typeName"))


def words(value: Any) -> str | None:
    """Return a state of the platform in words: ``NOT_ATTENDING`` → ``not attending``."""
    state = text(value.get("name") if isinstance(value, dict) else value)
    return state.replace("_", " ").lower() if state else None


def yes_or_no(value: Any) -> str | None:
    """Return a boolean of the platform in words, None where it is not one."""
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else None


def moment(value: Any) -> str | None:
    """Return a timestamp (epoch milliseconds, or ISO 8601 as it is) in ISO 8601 with zone."""
    milliseconds = whole(value)
    if milliseconds is None:
        return text(value)
    try:
        return datetime.fromtimestamp(milliseconds // 1000, timezone.utc).isoformat().replace("+00:00", "Z")
    except (ValueError, OverflowError, OSError):
        return None


def local_moment(value: Any, zone: ZoneInfo | None) -> str | None:
    """Return an event's time with its zone: the API has local times without one (API §3.3)."""
    given = text(value)
    if given is None or zone is None:
        return moment(value)
    try:
        parsed = datetime.fromisoformat(given.replace("Z", "+00:00"))
        local = parsed.replace(tzinfo=zone) if parsed.tzinfo is None else parsed.astimezone(zone)
        return f"{local.isoformat()} ({zone.key})"
    except (ValueError, OverflowError):
        return given
