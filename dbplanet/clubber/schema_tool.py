"""get_graphql_schema: what the API can do, by introspection."""

from __future__ import annotations

from typing import Any, Final

from graphql import GraphQLSchema

from dbplanet.clubber import schema_text
from dbplanet.clubber.arguments import Depth, Part, Search, Types
from dbplanet.clubber.connection import Connection, with_faults
from dbplanet.clubber.endpoint import ApiCall
from dbplanet.clubber.faults import FaultsError
from dbplanet.clubber.introspection import NoSchemaError, UnreadableSchema
from dbplanet.clubber.schema_text import Piece
from dbplanet.mcp.errors import ToolError
from dbplanet.mcp.results import ToolResult, text
from dbplanet.mcp.tools import READ, tool

_STILL_WORKS: Final = (
    "Without the schema these go on working: execute_graphql_query, and list_members, get_member, "
    "create_member and update_member as long as the API has the usual fields (members, member, "
    "createMember, updateMember)."
)


@tool(
    "get_graphql_schema",
    title="GraphQL schema",
    annotations=READ,
    description="Show what the GraphQL API can do: queries and mutations with their arguments and "
    "descriptions, then all type definitions in SDL. For a big schema narrow it with types or search. "
    "Read it before execute_graphql_query.",
)
@with_faults
def get_graphql_schema(
    connection: Connection,
    types: Types | None = None,
    depth: Depth = 0,
    search: Search | None = None,
    part: Part = 1,
) -> ToolResult:
    """Return overview and SDL, or the definitions of ``types``, or what ``search`` finds; in parts."""
    # A further part belongs to the schema that the first one was of.
    schema = _read(connection.call(), fresh=part == 1)
    pieces = _pieces(schema, connection.endpoint.shown_url, types, depth, search)
    packed = schema_text.parts(pieces)
    if part > len(packed):
        raise ToolError(400, f"Invalid arguments: part: {part} does not exist; the answer has {len(packed)}")
    return _result(schema, packed[part - 1], part, len(packed))


def _read(call: ApiCall, *, fresh: bool) -> GraphQLSchema | UnreadableSchema:
    try:
        return call.schema(fresh=fresh)
    except NoSchemaError as error:
        if not error.faults:
            raise ToolError(
                502, "The API's answer to the introspection holds no schema.", _STILL_WORKS
            ) from None
        raise FaultsError(
            "GRAPHQL", "The API does not tell its schema", error.faults, advice=_STILL_WORKS
        ) from None


def _pieces(
    schema: GraphQLSchema | UnreadableSchema,
    url: str,
    types: list[str] | None,
    depth: int,
    search: str | None,
) -> list[Piece]:
    if isinstance(schema, UnreadableSchema):
        return schema_text.listing(schema)
    if types:
        return schema_text.selected(schema, types, depth)
    if search is not None:
        return schema_text.matching(schema, search)
    return schema_text.whole(schema, url)


def _result(
    schema: GraphQLSchema | UnreadableSchema, pieces: list[Piece], part: int, count: int
) -> ToolResult:
    """Return one part; its structured content holds the definitions of this part, not those of the others."""
    shown = "\n".join(piece.text for piece in pieces).strip("\n")
    if count > 1:
        more = f"; part={part + 1} goes on" if part < count else ", the last"
        shown = f"{shown}\n\n(part {part} of {count}{more})"
    defined = [piece for piece in pieces if piece.type_name]
    structured: dict[str, Any] = schema_text.root_names(schema) if isinstance(schema, GraphQLSchema) else {}
    structured |= {
        "types": list(dict.fromkeys(piece.type_name for piece in defined)),
        "sdl": "\n".join(piece.text for piece in defined),
        "part": part,
        "parts": count,
    }
    return ToolResult([text(shown)], structured)
