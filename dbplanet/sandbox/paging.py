"""Lists as Haiilo gives them: zero-based Spring-Data pages, sorted and filtered by query parameters."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qs

from flask import request

from .errors import invalid
from .folding import fold
from .store import Document

DEFAULT_SIZE = 20
MAX_SIZE = 1000


@dataclass(frozen=True)
class Window:
    """The part of a list that one page shows."""

    offset: int
    size: int

    @property
    def number(self) -> int:
        """Return the zero-based number of the page."""
        return self.offset // self.size


def number(name: str, default: int, least: int) -> int:
    """Return an integer query parameter; 400 when it is no integer or below ``least``."""
    text = request.args.get(name, str(default))
    if not (text.isascii() and text.isdigit() and int(text[:10]) >= least):
        raise invalid(**{name: "typeMismatch" if not text.lstrip("-").isdigit() else "Min"})
    return int(text[:10])


def window(default_size: int = DEFAULT_SIZE) -> Window:
    """Return what ``_page``, ``_pageSize`` and ``_offset`` ask for; sizes above 1000 are cut to 1000."""
    size = min(number("_pageSize", default_size, 1), MAX_SIZE)
    offset = number("_page", 0, 0) * size
    return Window(number("_offset", offset, 0), size)


def _folded(key: str) -> Callable[[Document], Any]:
    return lambda document: fold(str(document.get(key) or ""))


def _plain(key: str) -> Callable[[Document], Any]:
    return lambda document: document.get(key) or 0


SORT_KEYS: dict[str, Callable[[Document], Any]] = {
    "_score": lambda _: 0,
    **{key: _folded(key) for key in ("displayName", "name", "lastname", "firstname", "startDate", "endDate")},
    **{key: _plain(key) for key in ("created", "modified", "publishDate")},
    "updated": _plain("modified"),
}
"""What ``_orderBy`` may name, with or without ``.sort``; anything else is a 400."""


def _order(items: Sequence[Document], order_by: str) -> list[Document]:
    """Sort by ``field[,field…][,ASC|DESC]``."""
    keys = [key.strip().removesuffix(".sort") for key in order_by.split(",")]
    descending = keys[-1].upper() == "DESC"
    if keys[-1].upper() in ("ASC", "DESC"):
        keys.pop()
    if not keys or any(key not in SORT_KEYS for key in keys):
        raise invalid(_orderBy="Invalid")
    return sorted(items, key=lambda item: [SORT_KEYS[key](item) for key in keys], reverse=descending)


def page_of(
    items: Sequence[Document],
    view: Callable[[Document], Any],
    *,
    shown: Window | None = None,
) -> dict[str, Any]:
    """Return the page envelope for ``items``: all of them, already filtered and in their default order.

    ``view`` turns one item into what the API shows; ``shown`` overrides what the request asks for.
    """
    part = shown or window()
    orders = [] if shown else request.args.getlist("_orderBy")
    for order_by in reversed(orders):
        items = _order(items, order_by)
    content = [view(item) for item in items[part.offset : part.offset + part.size]]
    return {"content": content, **_envelope(part, len(content), len(items), bool(orders))}


def _envelope(part: Window, count: int, total: int, is_sorted: bool) -> dict[str, Any]:
    sort = {"sorted": is_sorted, "unsorted": not is_sorted, "empty": not is_sorted}
    return {
        "pageable": {
            "sort": sort,
            "offset": part.offset,
            "pageNumber": part.number,
            "pageSize": part.size,
            "paged": True,
            "unpaged": False,
        },
        "totalElements": total,
        "totalPages": -(-total // part.size),
        "number": part.number,
        "size": part.size,
        "numberOfElements": count,
        "first": part.offset == 0,
        "last": part.offset + part.size >= total,
        "sort": sort,
        "empty": count == 0,
    }


def inner_query(name: str) -> dict[str, list[str]]:
    """Return ``filters`` or ``aggregations``: a query string inside one query parameter."""
    return parse_qs(request.args.get(name, ""), keep_blank_values=True)


def wanted(filters: dict[str, list[str]], key: str, *values: str) -> bool:
    """Tell whether one of ``values`` is among those that the filter ``key`` lists, if it is set at all."""
    return key not in filters or any(value in filters[key] for value in values)
