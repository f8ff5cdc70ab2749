"""What came back from the endpoint, classified by its shape and never by its status.

Five servers of the field answer the same mistake with 200, 400, 422 or text/plain; a 400 may carry data, and
a 200 a proxy's page. Only the body tells (GraphQL over HTTP, September 2026, and the answers of strawberry,
ariadne, graphene, Apollo and Yoga).
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from dbplanet.egress import Answer
from dbplanet.text import clean_text, html_to_text
from dbplanet.text.hygiene import replace_surrogates, strip_controls, strip_invisible

_MESSAGE: Final = 600  # characters of one error's message
_EXCERPT: Final = 300  # characters of what is no GraphQL
_BAD_REQUEST: Final = 400
_NOT_FOUND: Final = re.compile(r"not.?found|does not exist|no such|unknown member|no member", re.IGNORECASE)


@dataclass(frozen=True)
class Fault:
    """One entry of ``errors``: a place in the document (from 1), or a path in the data, or neither."""

    message: str
    line: int | None = None
    column: int | None = None
    path: tuple[str | int, ...] = ()
    code: str = ""
    field: str = ""

    @property
    def says_not_found(self) -> bool:
        """Whether the API means that what was asked for does not exist."""
        return bool(_NOT_FOUND.search(f"{self.code} {self.message}"))

    @property
    def text(self) -> str:
        """The message with its place, on one line."""
        place = [f"line {self.line}, column {self.column}"] if self.line is not None else []
        place += [f"field {self.field}"] if self.field and self.field not in self.message else []
        return f"{self.message} ({'; '.join(place)})" if place else self.message

    def definition(self) -> dict[str, Any]:
        """Return the entry as JSON, without what is not known."""
        shown = {
            "message": self.message,
            "line": self.line,
            "column": self.column,
            "field": self.field,
            "path": list(self.path),
            "code": self.code,
        }
        return {key: value for key, value in shown.items() if value not in (None, "", [])}


@dataclass(frozen=True)
class Outcome:
    """A GraphQL response. ``data`` is None where it is null or absent."""

    data: Mapping[str, Any] | None
    faults: tuple[Fault, ...] = ()

    @property
    def is_refused(self) -> bool:
        """Whether the request failed before anything was executed: no data, and no fault inside them."""
        return bool(self.faults) and self.data is None and not any(fault.path for fault in self.faults)


class NotGraphQLError(Exception):
    """The endpoint answered with something else; ``excerpt`` is the beginning of its text."""

    def __init__(self, status: int, content_type: str, excerpt: str, location: str = "") -> None:
        super().__init__(f"{status} {content_type}")
        self.status = status
        self.content_type = content_type
        self.excerpt = excerpt
        self.location = location


def classify(answer: Answer) -> Outcome:
    """Return the GraphQL response in an HTTP answer; raises NotGraphQLError where there is none."""
    body = _json(answer.body)
    if isinstance(body, dict):
        errors, data = body.get("errors"), body.get("data")
        has_errors = isinstance(errors, list) and bool(errors)
        if ("data" in body and isinstance(data, (dict, type(None)))) or has_errors:
            faults = _distinct(errors) if isinstance(errors, list) else ()
            return Outcome(data if isinstance(data, dict) else None, faults)
    content_type = answer.headers.get("Content-Type", "").partition(";")[0].strip().lower()
    text = answer.body[: 64 * 1024].decode("utf-8", "replace")
    is_bare_text = content_type == "text/plain" or (content_type == "text/html" and "<" not in text)
    if answer.status == _BAD_REQUEST and is_bare_text and text.strip():
        # strawberry and graphql-server refuse a malformed request so
        return Outcome(None, (Fault(_line(text, _MESSAGE)),))
    readable = html_to_text(text) if "<" in text else clean_text(text)
    location = answer.headers.get("Location", "").partition("?")[0]
    raise NotGraphQLError(answer.status, content_type, _line(readable, _EXCERPT), _line(location, _EXCERPT))


def _json(body: bytes) -> Any:
    try:
        return json.loads(body)
    except (ValueError, RecursionError):
        return None


def _distinct(errors: Sequence[Any]) -> tuple[Fault, ...]:
    """Return the faults once each: strawberry repeats a refused introspection forty times."""
    faults: dict[tuple[Any, ...], Fault] = {}
    for fault in map(_fault, errors):
        faults.setdefault((fault.message if not fault.path else fault, fault.path), fault)
    return tuple(faults.values())


def _fault(error: Any) -> Fault:
    if not isinstance(error, dict):
        return Fault(_line(str(error), _MESSAGE))
    locations, path, extensions = (error.get(key) for key in ("locations", "path", "extensions"))
    first = locations[0] if isinstance(locations, list) and locations else {}
    line, column = (_number(first, key) for key in ("line", "column"))
    details = extensions if isinstance(extensions, dict) else {}
    steps = tuple(step for step in path if isinstance(step, (str, int))) if isinstance(path, list) else ()
    return Fault(
        message=_line(str(error.get("message") or "The API gave no message."), _MESSAGE),
        line=line if column is not None else None,
        column=column,
        path=steps,
        code=_line(str(details.get("code") or ""), 100),
        # Hasura's form of a place
        field=".".join(map(str, steps)) or _line(str(details.get("path") or ""), 200),
    )


def _number(value: Any, key: str) -> int | None:
    number = value.get(key) if isinstance(value, dict) else None
    return number if isinstance(number, int) and number > 0 else None


def _line(text: str, limit: int) -> str:
    """Return text on one line of at most ``limit`` characters, without what nobody can see."""
    line = " ".join(strip_invisible(strip_controls(replace_surrogates(text))).split())
    return line if len(line) <= limit else f"{line[:limit]}…"
