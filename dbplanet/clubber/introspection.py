"""Asking an API for its schema: the fullest introspection query that it understands."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final, cast

from graphql import GraphQLError, GraphQLSchema, build_client_schema, get_introspection_query
from graphql.utilities import IntrospectionQuery

from dbplanet.clubber.answers import Fault, Outcome
from dbplanet.egress import EgressError

_SWITCHED_OFF: Final = re.compile(
    r"introspection.*(disabled|not (allowed|enabled|permitted|supported)|forbidden|denied|off\b)",
    re.IGNORECASE,
)
_EVERYTHING: Final = {
    "specified_by_url": True,
    "directive_is_repeatable": True,
    "schema_description": True,
    "input_value_deprecation": True,
    # graphql-core's 3.2 and 3.3 have two names for it
    "input_object_one_of": True,
    "one_of": True,
}
_WITHOUT_ONE_OF: Final = dict.fromkeys(list(_EVERYTHING)[:4], True)

LADDER: Final[tuple[Mapping[str, bool], ...]] = (
    _EVERYTHING,
    _WITHOUT_ONE_OF,
    {},
    {"descriptions": False},
)
"""Options of the introspection query, from what today's servers know down to what every one knows.

An option that a server does not know fails the whole query.
"""


class NoSchemaError(Exception):
    """The API does not tell its schema; ``faults`` are its own words."""

    def __init__(self, faults: tuple[Fault, ...] = ()) -> None:
        super().__init__(*(fault.message for fault in faults[:1]))
        self.faults = faults


@dataclass(frozen=True)
class UnreadableSchema:
    """An introspection result that is not a whole schema: type names → names of their fields or values."""

    members: Mapping[str, tuple[str, ...]]


def introspect(execute: Callable[[str], Outcome]) -> GraphQLSchema | UnreadableSchema:
    """Return the schema of the API behind ``execute(document)``.

    Raises NoSchemaError where it tells none, and what ``execute`` raises, but tries a smaller query when an
    answer is too large.
    """
    refused: tuple[Fault, ...] = ()
    queries = list(dict.fromkeys(map(introspection_query, LADDER)))
    for query in queries:
        try:
            outcome = execute(query)
        except EgressError as error:
            if error.code != "response_too_large" or query == queries[-1]:
                raise
            continue
        found = (outcome.data or {}).get("__schema")
        if isinstance(found, dict):
            return _schema({"__schema": found})
        refused = outcome.faults
        if not refused or any(_SWITCHED_OFF.search(fault.message) for fault in refused):
            break
    raise NoSchemaError(refused)


def introspection_query(options: Mapping[str, bool]) -> str:
    """Return the query with those of ``options`` that the installed graphql-core knows."""
    known = inspect.signature(get_introspection_query).parameters
    return get_introspection_query(**{name: on for name, on in options.items() if name in known})


def _schema(result: Mapping[str, Any]) -> GraphQLSchema | UnreadableSchema:
    try:
        return build_client_schema(cast("IntrospectionQuery", result), assume_valid=True)
    except (TypeError, ValueError, KeyError, AttributeError, GraphQLError):
        return UnreadableSchema(_listing(result["__schema"].get("types")))


def _listing(types: Any) -> dict[str, tuple[str, ...]]:
    """Return what can be told of a result that graphql-core cannot build a schema of."""
    return {
        str(kind.get("name")): tuple(
            str(member.get("name"))
            for key in ("fields", "inputFields", "enumValues")
            for member in _dicts(kind.get(key))
        )
        for kind in _dicts(types)
        if not str(kind.get("name")).startswith("__")
    }


def _dicts(value: Any) -> list[dict[str, Any]]:
    return [each for each in value if isinstance(each, dict)] if isinstance(value, list) else []
