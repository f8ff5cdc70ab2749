"""The four tools about members."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from dbplanet.clubber.arguments import (
    Address,
    Email,
    Fields,
    FirstName,
    LastName,
    Limit,
    MemberId,
    Offset,
    Phone,
)
from dbplanet.clubber.connection import Connection, with_faults
from dbplanet.clubber.endpoint import ApiCall
from dbplanet.clubber.faults import failed, partial
from dbplanet.clubber.members import Reply, Request, erasing, generate, schema_of, send
from dbplanet.clubber.naming import CREATE, GET, UPDATE, root_field
from dbplanet.clubber.paging import read_all
from dbplanet.clubber.placing import accepted, slots_of
from dbplanet.clubber.results import members_result, value_result
from dbplanet.mcp.errors import ToolError
from dbplanet.mcp.results import ToolResult, text
from dbplanet.mcp.tools import ADD, READ, SET, tool


@tool(
    "list_members",
    title="List members",
    annotations=READ,
    description="List all members of the club with their complete data, as a JSON array.",
)
@with_faults
def list_members(connection: Connection, limit: Limit | None = None, offset: Offset = 0) -> ToolResult:
    """Return every member, from ``offset`` on as many as are wanted and fit."""
    members: list[Mapping[str, Any]] = []
    for reply in read_all(connection.call()):
        members += reply.members
        _require_success(reply, "The members")
        if reply.faults:
            raise partial(reply.faults, {"members": members} if members else dict(reply.data))
    return members_result(members, limit=limit, offset=offset, max_chars=connection.max_text_chars)


@tool(
    "get_member",
    title="Get a member",
    annotations=READ,
    description="Get one member by ID with the complete data, as a JSON object.",
)
@with_faults
def get_member(connection: Connection, member_id: MemberId) -> ToolResult:
    """Return one member."""
    member = _member(connection.call(), member_id)
    return value_result(member, connection.max_text_chars)


@tool(
    "create_member",
    title="Create a member",
    annotations=ADD,
    description="Add a member to the club; only the first name is needed. Returns the created member with "
    "its ID. Ask the user before.",
)
@with_faults
def create_member(
    connection: Connection,
    first_name: FirstName,
    last_name: LastName | None = None,
    address: Address | None = None,
    email: Email | None = None,
    phone: Phone | None = None,
    fields: Fields | None = None,
) -> ToolResult:
    """Send what was given, nothing else, and return the member that the API made of it."""
    given = _given(
        fields, firstName=first_name, lastName=last_name, address=address, email=email, phone=phone
    )
    call = connection.call()
    reply = send(call, generate(schema_of(call), CREATE, given))
    return value_result(_only(reply, "The new member"), connection.max_text_chars)


@tool(
    "update_member",
    title="Update a member",
    annotations=SET,
    description="Change a member's data by ID: only what is given is changed. Returns the updated member. "
    "Ask the user before.",
)
@with_faults
def update_member(
    connection: Connection,
    member_id: MemberId,
    first_name: FirstName | None = None,
    last_name: LastName | None = None,
    address: Address | None = None,
    email: Email | None = None,
    phone: Phone | None = None,
    fields: Fields | None = None,
) -> ToolResult:
    """Send what was given, nothing else, and return the member as it is now."""
    given = _given(
        fields, firstName=first_name, lastName=last_name, address=address, email=email, phone=phone
    )
    call = connection.call()
    schema = schema_of(call)
    if not given:
        _, field = root_field(schema, UPDATE)
        _member(call, member_id)
        names = ", ".join(accepted(slots_of(field)))
        raise ToolError(400, f"Nothing to change was given; the API accepts: {names}")
    request = generate(schema, UPDATE, given, member_id)
    reply = send(call, request)
    result = value_result(_only(reply, f"Member {member_id}"), connection.max_text_chars)
    return _warned(result, request)


def _given(fields: Mapping[str, Any] | None, **values: Any) -> dict[str, Any]:
    return {**(fields or {}), **{name: value for name, value in values.items() if value is not None}}


def _member(call: ApiCall, member_id: str) -> Mapping[str, Any]:
    request = generate(schema_of(call), GET, {}, member_id)
    return _only(send(call, request), f"Member {member_id}")


def _require_success(reply: Reply, subject: str) -> None:
    """Raise FaultsError where the API gave its faults, or what a payload tells, in place of a member."""
    if reply.problems:
        raise failed([*reply.problems, *reply.faults], subject=subject)
    if reply.faults and not reply.members:
        raise failed(reply.faults, subject=subject)


def _only(reply: Reply, subject: str) -> Mapping[str, Any]:
    """Return the one member of a reply; raises where there is none, or faults beside it."""
    _require_success(reply, subject)
    if not reply.members:
        raise ToolError(404, f"{subject} was not found.")
    if reply.faults:
        raise partial(reply.faults, reply.data)
    return reply.members[0]


def _warned(result: ToolResult, request: Request) -> ToolResult:
    """Add a warning where the schema's defaults of null may have emptied what was left out."""
    names = erasing(request)
    if not names:
        return result
    warning = (
        f"Check the member: this API declares null as the default of {', '.join(names)}, and may have "
        "emptied what was left out."
    )
    return ToolResult([*result.content, text(warning)], result.structured)


TOOLS = (list_members, get_member, create_member, update_member)
