"""Putting values where an API takes them: flat arguments, or fields of input objects at some depth."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from graphql import (
    GraphQLField,
    GraphQLInputObjectType,
    GraphQLNonNull,
    Undefined,
    get_named_type,
    get_nullable_type,
    value_from_ast_untyped,
)
from graphql.type import GraphQLInputType

from dbplanet.clubber.naming import ID_NAMES, normal
from dbplanet.mcp.arguments import show
from dbplanet.mcp.errors import ToolError

_DEPTH: Final = 3  # an argument, its input object, and a patch object in that
_DIGITS: Final = re.compile(r"[+-]?[0-9]{1,18}")


@dataclass(frozen=True)
class Slot:
    """One place for a value: ``path`` is the argument's name and those of the input fields below it."""

    path: tuple[str, ...]
    type: GraphQLInputType
    has_default: bool
    default: Any

    @property
    def name(self) -> str:
        """The name at the end of the path."""
        return self.path[-1]

    @property
    def is_required(self) -> bool:
        """Whether a value must be sent once the object that holds it is."""
        return isinstance(self.type, GraphQLNonNull) and not self.has_default

    @property
    def object_type(self) -> GraphQLInputObjectType | None:
        """The input object that goes here, unless a list or something else does."""
        inner = get_nullable_type(self.type)
        return inner if isinstance(inner, GraphQLInputObjectType) else None


def default_of(member: Any) -> Any:
    """Return the default of an argument or input field, or graphql-core's Undefined where it has none."""
    # graphql-core 3.3 keeps what an introspection told as a literal, 3.2 as a value
    declared = getattr(member, "default", None)
    if declared is None:
        return member.default_value
    return (
        declared.value if declared.literal in (None, Undefined) else value_from_ast_untyped(declared.literal)
    )


def slots_of(field: GraphQLField) -> list[Slot]:
    """Return all places of a root field, outer ones first."""
    return sorted(_slots(field.args, ()), key=lambda slot: len(slot.path))


def _slots(members: Mapping[str, Any], above: tuple[str, ...]) -> Iterator[Slot]:
    for name, member in members.items():
        default = default_of(member)
        slot = Slot((*above, name), member.type, default is not Undefined, default)
        yield slot
        if slot.object_type is not None and len(slot.path) < _DEPTH:
            yield from _slots(slot.object_type.fields, slot.path)


def place(field: GraphQLField, values: Mapping[str, Any], member_id: str | None = None) -> dict[str, Any]:
    """Return the arguments of a root field that carry ``values`` (names in any spelling) and the id.

    Raises ToolError, naming what the API takes, for a value without a place and a place without its value.
    """
    slots = slots_of(field)
    wanted = {name: (_find(slots, (normal(name),)), value) for name, value in values.items()}
    unknown = [name for name, (slot, _) in wanted.items() if slot is None]
    if unknown:
        raise ToolError(
            400,
            f"The API does not accept: {', '.join(unknown)}; "
            f"it accepts: {', '.join(accepted(slots)) or 'nothing'}",
            "Nothing was sent.",
        )
    placed = [(slot, value) for slot, value in wanted.values() if slot is not None]
    if member_id is not None:
        id_slot = _find(slots, ID_NAMES)
        if id_slot is None:
            raise ToolError(
                501, "The API's field for this takes no id; execute_graphql_query can ask in another way."
            )
        placed.append((id_slot, member_id))
    arguments: dict[str, Any] = {}
    for slot, value in placed:
        _put(arguments, slot.path, _coerced(slot, value))
    _fill(arguments, slots)
    return arguments


def accepted(slots: list[Slot]) -> list[str]:
    """Return the names of the values that a caller may send, in the API's order."""
    names = [slot.name for slot in slots if slot.object_type is None and normal(slot.name) not in ID_NAMES]
    return list(dict.fromkeys(names))


def erased(field: GraphQLField, arguments: Mapping[str, Any]) -> list[str]:
    """Return what a naive API may erase: optional fields with a default of null that are not sent."""
    return [
        slot.name
        for slot in slots_of(field)
        if len(slot.path) > 1
        and slot.object_type is None
        and slot.has_default
        and slot.default is None
        and isinstance(_at(arguments, slot.path[:-1]), dict)
        and slot.name not in _at(arguments, slot.path[:-1])
    ]


def declaration(field: GraphQLField, arguments: Mapping[str, Any]) -> tuple[str, str]:
    """Return the variables' declaration and use: ``($id: Int!)`` and ``(id: $id)``, or empty texts."""
    if not arguments:
        return "", ""
    declared = ", ".join(f"${name}: {field.args[name].type}" for name in arguments)
    used = ", ".join(f"{name}: ${name}" for name in arguments)
    return f"({declared})", f"({used})"


def _find(slots: list[Slot], names: tuple[str, ...]) -> Slot | None:
    """Return the outermost slot of the earliest name."""
    depth_first = [
        (len(slot.path), names.index(normal(slot.name)), slot) for slot in slots if normal(slot.name) in names
    ]
    return min(depth_first, key=lambda found: found[:2])[2] if depth_first else None


def _put(arguments: dict[str, Any], path: tuple[str, ...], value: Any) -> None:
    holder = arguments
    for name in path[:-1]:
        holder = holder.setdefault(name, {})
    holder[path[-1]] = value


def _at(arguments: Any, path: tuple[str, ...]) -> Any:
    for name in path:
        arguments = arguments.get(name) if isinstance(arguments, dict) else None
    return arguments


def _fill(arguments: dict[str, Any], slots: list[Slot]) -> None:
    """Send required input objects even when empty; raises ToolError for other required values that miss."""
    missing = []
    for slot in slots:
        holder = _at(arguments, slot.path[:-1])
        if not slot.is_required or not isinstance(holder, dict) or slot.name in holder:
            continue
        if slot.object_type is not None:
            holder[slot.name] = {}
        else:
            missing.append(slot.name)
    if missing:
        raise ToolError(400, f"The API requires also: {', '.join(missing)}", "Nothing was sent.")


def _coerced(slot: Slot, value: Any) -> Any:
    """Return a value in the type that the API declares, where it can only mean one thing."""
    declared = get_named_type(slot.type).name
    if declared == "Int" and isinstance(value, str):
        if not _DIGITS.fullmatch(value.strip()):
            raise ToolError(
                400,
                f"Invalid arguments: {slot.name}: {show(value)} is not a whole number, which the API wants",
            )
        return int(value)
    if declared in ("ID", "String", "UUID") and isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    return value
