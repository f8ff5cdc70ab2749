"""Reading and changing members through whatever schema the API has."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from graphql import GraphQLField, GraphQLSchema, build_schema

from dbplanet.clubber.answers import Fault
from dbplanet.clubber.endpoint import ApiCall
from dbplanet.clubber.faults import refused
from dbplanet.clubber.introspection import NoSchemaError
from dbplanet.clubber.naming import Action, root_field
from dbplanet.clubber.placing import declaration, erased, place
from dbplanet.clubber.reading import members_in, problems_in
from dbplanet.clubber.selecting import Selection, select

DEFAULT_SCHEMA: Final = """
type Member { id: Int! firstName: String! lastName: String address: String email: String phone: String }
input CreateMemberInput { firstName: String! lastName: String address: String email: String phone: String }
input UpdateMemberInput { firstName: String lastName: String address: String email: String phone: String }
type Query { members: [Member!]! member(id: Int!): Member }
type Mutation {
  createMember(input: CreateMemberInput!): Member!
  updateMember(id: Int!, input: UpdateMemberInput!): Member
}
"""
"""What is taken for the schema of an API that tells none."""


@dataclass(frozen=True)
class Request:
    """One generated operation; ``name`` is its root field."""

    name: str
    field: GraphQLField
    document: str
    variables: Mapping[str, Any] | None
    selection: Selection


@dataclass(frozen=True)
class Reply:
    """What an operation gave: members, the API's faults, and what its payload says went wrong."""

    members: list[Mapping[str, Any]]
    faults: tuple[Fault, ...]
    problems: list[Fault]
    value: Any
    data: Mapping[str, Any]


def schema_of(call: ApiCall) -> GraphQLSchema:
    """Return the API's schema, or the default one where it tells none that can be used."""
    try:
        found = call.schema()
    except NoSchemaError:
        found = None
    if isinstance(found, GraphQLSchema):
        return found
    assumed = build_schema(DEFAULT_SCHEMA)
    call.assume(assumed)
    return assumed


def generate(
    schema: GraphQLSchema,
    action: Action,
    values: Mapping[str, Any] | None = None,
    member_id: str | None = None,
) -> Request:
    """Return the operation that does ``action`` with ``values``, all of them sent as variables.

    Raises ToolError where the API has no such field or no place for a value.
    """
    name, field = root_field(schema, action)
    return request_for(action, name, field, select(schema, field), place(field, values or {}, member_id))


def request_for(
    action: Action, name: str, field: GraphQLField, selection: Selection, arguments: Mapping[str, Any]
) -> Request:
    """Return the operation over one root field with these arguments."""
    declared, used = declaration(field, arguments)
    title = action.words.title().replace(" ", "")
    document = f"{action.kind} {title}{declared} {{ {name}{used} {selection.text} }}"
    return Request(name, field, document, dict(arguments) or None, selection)


def send(call: ApiCall, request: Request) -> Reply:
    """Send an operation once; raises FaultsError where the API did not execute it."""
    outcome = call.execute(request.document, request.variables)
    if outcome.is_refused:
        # The schema may have changed since it was asked for.
        call.forget_schema()
        raise refused(outcome, "get_graphql_schema shows what the API takes.")
    data = outcome.data or {}
    faults = tuple(replace(fault, line=None, column=None, field=_inner(fault)) for fault in outcome.faults)
    value = data.get(request.name)
    problems = problems_in(value, request.selection)
    members = [] if problems else members_in(value, request.selection.path)
    return Reply(members, faults, problems, value, data)


def _inner(fault: Fault) -> str:
    """Return a fault's field below the root field; places in a generated document say nothing to a caller."""
    return ".".join(map(str, fault.path[1:]))


def erasing(request: Request) -> list[str]:
    """Return the fields that the API may empty because they were left out."""
    return erased(request.field, request.variables or {})
