"""A schema as text for a model: an overview, then definitions in SDL, in parts of bounded length."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from graphql import (
    GraphQLField,
    GraphQLNamedType,
    GraphQLSchema,
    get_named_type,
    is_introspection_type,
    is_specified_directive,
    is_specified_scalar_type,
    print_type,
)
from graphql.utilities.print_schema import print_directive, print_schema_definition

from dbplanet.clubber.introspection import UnreadableSchema
from dbplanet.mcp.arguments import show
from dbplanet.mcp.errors import ToolError

PART_CHARS: Final = 60_000

_SENTENCE: Final = 160  # characters of a description in the overview
_ROOTS: Final = (
    ("QUERIES", "query_type"),
    ("MUTATIONS", "mutation_type"),
    ("SUBSCRIPTIONS", "subscription_type"),
)
_KINDS: Final = {
    "GraphQLObjectType": "Objects",
    "GraphQLInputObjectType": "Inputs",
    "GraphQLEnumType": "Enums",
    "GraphQLInterfaceType": "Interfaces",
    "GraphQLUnionType": "Unions",
    "GraphQLScalarType": "Scalars",
}


@dataclass(frozen=True)
class Piece:
    """Text that is not divided between two parts; ``type_name`` where it is a type's definition."""

    text: str
    type_name: str = ""


def own_types(schema: GraphQLSchema) -> dict[str, GraphQLNamedType]:
    """Return the types that the API defines itself, in its order."""
    return {
        name: kind
        for name, kind in schema.type_map.items()
        if not is_introspection_type(kind) and not is_specified_scalar_type(kind)
    }


def whole(schema: GraphQLSchema, url: str) -> list[Piece]:
    """Return the overview and every definition; where that is several parts, all types' names before."""
    definitions = [*_directives(schema), *map(_definition, own_types(schema).values())]
    pieces = [*_overview(schema, url), Piece("\nDEFINITIONS (SDL)\n"), *definitions]
    if len(parts(pieces)) == 1:
        return pieces
    names = [Piece(_GUIDE), *_type_names(schema), Piece("\nDEFINITIONS (SDL)\n")]
    return [*_overview(schema, url), *names, *definitions]


_GUIDE: Final = (
    '\nThis schema is long. types=["Name"] shows single definitions, depth=1 adds the types that they use, '
    "search finds fields and types by a part of their name, part goes on with the whole."
)


def selected(schema: GraphQLSchema, names: Sequence[str], depth: int) -> list[Piece]:
    """Return the definitions of ``names`` and, ``depth`` steps on, of the types that they use.

    Raises ToolError for a name that is no type, with those that are like it.
    """
    known = schema.type_map
    for name in names:
        if name not in known:
            similar = difflib.get_close_matches(name, known, n=5, cutoff=0.5)
            hint = (
                f"similar ones: {', '.join(similar)}"
                if similar
                else "search finds types by a part of the name"
            )
            raise ToolError(400, f"Invalid arguments: types: {show(name)} is no type of the API; {hint}")
    chosen, level = dict.fromkeys(names), list(names)
    for _ in range(depth):
        level = [used for name in level for used in _uses(known[name]) if used not in chosen]
        chosen |= dict.fromkeys(level)
    heading = f"{len(chosen)} type{'s' if len(chosen) > 1 else ''}: {', '.join(names)}"
    heading += (
        f" and what is used by {'it' if len(names) == 1 else 'them'}" if len(chosen) > len(names) else ""
    )
    return [Piece(f"{heading}\n"), *(_definition(known[name]) for name in chosen)]


def matching(schema: GraphQLSchema, text: str) -> list[Piece]:
    """Return root fields, types, and fields of types whose name holds ``text``, in any case."""
    wanted = text.lower()
    found = [
        Piece(f"{label.lower().rstrip('s') if label != 'QUERIES' else 'query'} {_signature(name, field)}")
        for label, root in _ROOTS
        for name, field in _root_fields(schema, root).items()
        if wanted in name.lower()
    ]
    roots = {schema.query_type, schema.mutation_type, schema.subscription_type}
    for name, kind in own_types(schema).items():
        if wanted in name.lower():
            found.append(Piece(f"type {name} ({_kind(kind)}){_sentence(kind.description)}"))
        if kind not in roots:
            members: Mapping[str, Any] = getattr(kind, "fields", None) or getattr(kind, "values", {})
            found += [
                Piece(f"{name}.{_signature(member, field)}")
                for member, field in members.items()
                if wanted in member.lower()
            ]
    return [Piece(f"{len(found)} names of the schema hold {show(text)}."), *found]


def listing(schema: UnreadableSchema) -> list[Piece]:
    """Return the bare names of a schema that is not whole."""
    lines = [f"{name}: {', '.join(members)}" if members else name for name, members in schema.members.items()]
    head = "The API's introspection result is not a whole schema; these are the names in it, by type."
    return [Piece(head), *map(Piece, lines)]


def parts(pieces: Sequence[Piece], limit: int = PART_CHARS) -> list[list[Piece]]:
    """Return the pieces in parts of at most ``limit`` characters; a longer piece is divided at a line."""
    packed: list[list[Piece]] = [[]]
    size = 0
    for piece in (small for large in pieces for small in _divided(large, limit)):
        if packed[-1] and size + len(piece.text) + 1 > limit:
            packed.append([])
            size = 0
        packed[-1].append(piece)
        size += len(piece.text) + 1
    return packed


def root_names(schema: GraphQLSchema) -> dict[str, list[str]]:
    """Return the names of queries, mutations and subscriptions."""
    return {label.lower(): list(_root_fields(schema, root)) for label, root in _ROOTS}


def _divided(piece: Piece, limit: int) -> Iterator[Piece]:
    rest = piece.text
    while len(rest) > limit:
        cut = rest.rfind("\n", 0, limit) + 1 or limit
        yield Piece(rest[:cut].rstrip("\n"), piece.type_name)
        rest = rest[cut:]
    yield Piece(rest, piece.type_name)


def _overview(schema: GraphQLSchema, url: str) -> Iterator[Piece]:
    counts = ", ".join(f"{len(names)} {label}" for label, names in root_names(schema).items())
    yield Piece(
        f"GraphQL schema of {url}: {counts}, {len(own_types(schema))} types.{_sentence(schema.description)}"
    )
    for label, root in _ROOTS:
        fields = _root_fields(schema, root)
        if fields:
            yield Piece(f"\n{label}")
        yield from (Piece(f"  {_signature(name, field)}") for name, field in fields.items())


def _root_fields(schema: GraphQLSchema, root: str) -> Mapping[str, GraphQLField]:
    kind = getattr(schema, root)
    return kind.fields if kind else {}


def _type_names(schema: GraphQLSchema) -> Iterator[Piece]:
    for kind_name, label in _KINDS.items():
        names = [name for name, kind in own_types(schema).items() if type(kind).__name__ == kind_name]
        if names:
            yield Piece(f"\n{label} ({len(names)}):")
            # Short lines, so that a part can end between two.
            yield from (Piece(", ".join(names[start : start + 10])) for start in range(0, len(names), 10))


def _directives(schema: GraphQLSchema) -> Iterator[Piece]:
    definition = print_schema_definition(schema)
    if definition:
        yield Piece(f"{definition}\n")
    for directive in schema.directives:
        if not is_specified_directive(directive):
            yield Piece(f"{print_directive(directive)}\n")


def _definition(kind: GraphQLNamedType) -> Piece:
    return Piece(f"{print_type(kind)}\n", kind.name)


def _signature(name: str, field: Any) -> str:
    """Return a field, an input field or an enum value on one line, with the first sentence about it."""
    arguments = ", ".join(f"{each}: {argument.type}" for each, argument in getattr(field, "args", {}).items())
    kind = f": {field.type}" if hasattr(field, "type") else ""
    old = f" [deprecated: {field.deprecation_reason}]" if field.deprecation_reason is not None else ""
    return f"{name}{f'({arguments})' if arguments else ''}{kind}{old}{_sentence(field.description)}"


def _sentence(description: str | None) -> str:
    """Return the first sentence of a description behind a dash, or nothing."""
    line = " ".join((description or "").split())
    end = line.find(". ")
    line = line[: end + 1] if end >= 0 else line
    return f" — {line[:_SENTENCE]}{'…' if len(line) > _SENTENCE else ''}" if line else ""


def _kind(kind: GraphQLNamedType) -> str:
    return _KINDS.get(type(kind).__name__, "Types").lower().rstrip("s")


def _uses(kind: Any) -> Iterator[str]:
    """Yield the names of the API's own types that a type's definition names."""
    for member in getattr(kind, "fields", {}).values():
        for each in (member, *getattr(member, "args", {}).values()):
            yield from _own(get_named_type(each.type))
    for related in (*getattr(kind, "interfaces", ()), *getattr(kind, "types", ())):
        yield from _own(related)


def _own(kind: GraphQLNamedType) -> Iterator[str]:
    if not is_specified_scalar_type(kind):
        yield kind.name
