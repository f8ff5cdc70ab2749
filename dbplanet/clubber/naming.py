"""Names in an API's schema, whatever its spelling: createMember, create_member and CreateMember are one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeVar

from graphql import GraphQLField, GraphQLNamedType, GraphQLSchema, is_leaf_type, is_required_argument
from graphql.type import get_named_type

from dbplanet.mcp.errors import ToolError

T = TypeVar("T")

ID_NAMES: Final = ("id", "memberid", "pk", "uuid", "memberuuid")


@dataclass(frozen=True)
class Action:
    """Something that is done with members: what it is called, and which root fields do it."""

    kind: str
    words: str
    names: tuple[str, ...]


LIST: Final = Action(
    "query",
    "list members",
    ("members", "allmembers", "listmembers", "getmembers", "getallmembers", "memberlist", "findmembers"),
)
GET: Final = Action(
    "query",
    "read one member",
    ("member", "getmember", "memberbyid", "getmemberbyid", "findmember", "fetchmember", "memberbypk"),
)
CREATE: Final = Action(
    "mutation",
    "create members",
    ("createmember", "addmember", "newmember", "registermember", "insertmember", "membercreate", "memberadd"),
)
UPDATE: Final = Action(
    "mutation",
    "update members",
    (
        "updatemember",
        "updatememberbyid",
        "editmember",
        "modifymember",
        "changemember",
        "patchmember",
        "memberupdate",
    ),
)


def normal(name: str) -> str:
    """Return a name without its spelling."""
    return name.replace("_", "").lower()


def first(named: Mapping[str, T], wanted: Iterable[str]) -> tuple[str, T] | None:
    """Return the entry whose name is the earliest of the ``wanted`` (normal) names."""
    by_normal: dict[str, str] = {}
    for name in named:
        by_normal.setdefault(normal(name), name)
    found = next((by_normal[each] for each in wanted if each in by_normal), None)
    return None if found is None else (found, named[found])


def root_field(schema: GraphQLSchema, action: Action) -> tuple[str, GraphQLField]:
    """Return the root field that does ``action``, with its name; raises ToolError naming what there is."""
    root = schema.query_type if action.kind == "query" else schema.mutation_type
    fields: Mapping[str, GraphQLField] = root.fields if root else {}
    found = first(fields, action.names)
    if found is None:
        plural = "queries" if action.kind == "query" else "mutations"
        has = f"its {plural}: {', '.join(list(fields)[:50])}" if fields else f"it has no {plural}"
        raise ToolError(
            501,
            f"The API has no field to {action.words}; {has}.",
            "get_graphql_schema shows the API, execute_graphql_query uses all of it.",
        )
    return found


def has_id(named: GraphQLNamedType | Any) -> bool:
    """Tell whether objects of this type carry an id of their own."""
    found = first(getattr(named, "fields", {}), ID_NAMES)
    return found is not None and is_leaf_type(get_named_type(found[1].type)) and is_free(found[1])


def is_free(field: GraphQLField) -> bool:
    """Tell whether a field can be asked for without an argument."""
    return not any(is_required_argument(argument) for argument in field.args.values())
