"""Which fields to ask for, and where in the answer the members are.

A root field gives members directly, in a payload beside errors, as one type of a union, or as edges of a
connection. What has an id is the member; what has none is looked through.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from graphql import (
    GraphQLField,
    GraphQLNamedType,
    GraphQLSchema,
    get_named_type,
    is_abstract_type,
    is_composite_type,
    is_leaf_type,
    is_object_type,
    is_union_type,
)

from dbplanet.clubber.naming import has_id, is_free, normal

_DEPTH: Final = 3  # payload, edges, node
_ALTERNATIVES: Final = 20  # types of a union or interface that are asked for
# What holds the members, the likeliest first.
_HOLDERS: Final = (
    *("member", "members", "nodes", "edges", "node", "items", "results", "result"),
    *("records", "record", "data", "list", "content", "entries"),
)
_ERRORS: Final = ("error", "errors", "problem", "problems")
_PAGING: Final = ("pageinfo", "pagination", "paginginfo")


@dataclass(frozen=True)
class Selection:
    """What is asked of a root field: ``text`` in braces, and the ``path`` from its value to the members.

    ``kinds`` are the types of a union that hold members; None where the type is no union.
    """

    text: str
    path: tuple[str, ...]
    kinds: frozenset[str] | None = None


def select(schema: GraphQLSchema, field: GraphQLField) -> Selection:
    """Return what to ask of a root field that gives members."""
    named = get_named_type(field.type)
    if is_union_type(named) or (is_abstract_type(named) and not has_id(named)):
        return _select_among(schema, named)
    path = path_to_member(named) or ()
    return Selection(_braced(_along(schema, named, path)), path)


def path_to_member(named: Any, depth: int = _DEPTH) -> tuple[str, ...] | None:
    """Return the names of the fields that lead from a type to what has an id; None where nothing does."""
    if has_id(named):
        return ()
    if depth == 0 or not is_object_type(named):
        return None
    for name in _likeliest(named.fields):
        below = path_to_member(get_named_type(named.fields[name].type), depth - 1)
        if below is not None:
            return (name, *below)
    return None


def is_error_name(name: str) -> bool:
    """Tell whether a field of a payload tells what went wrong."""
    return normal(name).endswith(_ERRORS)


def _likeliest(fields: Mapping[str, GraphQLField]) -> list[str]:
    usable = [
        name
        for name, field in fields.items()
        if is_free(field) and not is_error_name(name) and normal(name) not in _PAGING
    ]
    rank = {holder: index for index, holder in enumerate(_HOLDERS)}
    return sorted(usable, key=lambda name: rank.get(normal(name), len(rank)))


def _select_among(schema: GraphQLSchema, named: Any) -> Selection:
    """Select of each possible type; where two differ in a field's type, only the first may name it."""
    possible = sorted(schema.get_possible_types(named)[:_ALTERNATIVES], key=_reads_like_error)
    paths = {kind.name: path_to_member(kind) for kind in possible if not _reads_like_error(kind)}
    kinds = frozenset(name for name, path in paths.items() if path is not None)
    path = next((paths[kind.name] for kind in possible if kind.name in kinds), None) or ()
    taken: dict[str, str] = {}
    fragments = []
    for kind in possible:
        along = path if paths.get(kind.name) == path else ()
        text = _along(schema, kind, along, taken)
        fragments += [f"... on {kind.name} {_braced(text)}"] if text else []
    return Selection(_braced(["__typename", *fragments]), path, kinds)


def _reads_like_error(kind: GraphQLNamedType) -> bool:
    name = normal(kind.name)
    return any(word in name for word in ("error", "notfound", "problem", "exception", "failure", "invalid"))


def _along(
    schema: GraphQLSchema, named: Any, path: tuple[str, ...], taken: dict[str, str] | None = None
) -> list[str]:
    """Return the selections of a type, those of its member in full and of what is around it in short."""
    if not path:
        return list(_fields(schema, named, 1, taken))
    held = named.fields[path[0]]
    around = [
        name
        for name, field in named.fields.items()
        if is_leaf_type(get_named_type(field.type)) or is_error_name(name) or normal(name) in _PAGING
    ]
    short = list(_fields(schema, named, 1, taken, frozenset(around)))
    inner = _along(schema, get_named_type(held.type), path[1:])
    return [*short, f"{path[0]} {_braced(inner or ['__typename'])}"]


def _fields(
    schema: GraphQLSchema,
    named: Any,
    levels: int,
    taken: dict[str, str] | None = None,
    only: frozenset[str] | None = None,
) -> Iterator[str]:
    """Yield what can be asked for without arguments: leaves, and objects ``levels`` deep."""
    for name, field in getattr(named, "fields", {}).items():
        if (
            field.deprecation_reason is not None
            or not is_free(field)
            or (only is not None and name not in only)
        ):
            continue
        if taken is not None and taken.setdefault(name, str(field.type)) != str(field.type):
            continue
        inner = get_named_type(field.type)
        if is_leaf_type(inner):
            yield name
        elif levels and is_composite_type(inner):
            below = _below(schema, inner, levels - 1)
            if below:
                yield f"{name} {_braced(below)}"


def _below(schema: GraphQLSchema, inner: Any, levels: int) -> list[str]:
    if not is_union_type(inner):
        return list(_fields(schema, inner, levels))
    taken: dict[str, str] = {}
    fragments = ["__typename"]
    for kind in schema.get_possible_types(inner)[:_ALTERNATIVES]:
        leaves = list(_fields(schema, kind, levels, taken))
        fragments += [f"... on {kind.name} {_braced(leaves)}"] if leaves else []
    return fragments


def _braced(selections: list[str]) -> str:
    return "{ " + " ".join(selections or ["__typename"]) + " }"
