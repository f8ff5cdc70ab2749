"""The GraphQL schema of the member register (strawberry, camelCase on the wire)."""

# No `from __future__ import annotations`: strawberry reads the annotations of resolvers at import.

import re
from dataclasses import fields
from typing import Any

import strawberry
from graphql import GraphQLError
from strawberry.extensions import DisableIntrospection, MaskErrors
from strawberry.types import ExecutionContext, Info
from strawberry.types.unset import UNSET

from .store import Members, Row

_EMAIL = re.compile(r"[^@\s]+@[^@\s]+\.[^@\s]+")


@strawberry.type(description="A member of the club.")
class Member:
    """A member as the API shows it."""

    id: int = strawberry.field(description="Given by the register; never used again.")
    first_name: str
    last_name: str | None
    address: str | None = strawberry.field(description="Postal address on one line.")
    email: str | None
    phone: str | None


@strawberry.input(description="A new member; only the first name is needed.")
class CreateMemberInput:
    """What a member is made of."""

    first_name: str
    # UNSET and not None: None would print as a default of null and erase what an update leaves out.
    last_name: str | None = UNSET
    address: str | None = UNSET
    email: str | None = UNSET
    phone: str | None = UNSET


@strawberry.input(description="What to change; fields that are left out stay as they are, null empties one.")
class UpdateMemberInput:
    """What of a member is changed."""

    first_name: str | None = UNSET
    last_name: str | None = UNSET
    address: str | None = UNSET
    email: str | None = UNSET
    phone: str | None = UNSET


Register = Info[dict[str, Members], None]


def _members(info: Register) -> list[Member]:
    return [_member(row) for row in info.context["members"].all()]


def _by_id(info: Register, id: int) -> Member | None:  # noqa: A002 the API's name
    row = info.context["members"].get(id)
    return _member(row) if row else None


def _create(info: Register, input: CreateMemberInput) -> Member:  # noqa: A002 the API's name
    return _member(info.context["members"].add(_checked(input)))


def _update(info: Register, id: int, input: UpdateMemberInput) -> Member | None:  # noqa: A002 the API's names
    row = info.context["members"].change(id, _checked(input))
    return _member(row) if row else None


@strawberry.type
class Query:
    """What can be read."""

    members: list[Member] = strawberry.field(
        resolver=_members, description="All members, in the order of their ids."
    )
    member: Member | None = strawberry.field(
        resolver=_by_id, description="One member, or null where there is none with this id."
    )


@strawberry.type
class Mutation:
    """What can be changed."""

    create_member: Member = strawberry.mutation(
        resolver=_create, description="Add a member and return it with its new id."
    )
    update_member: Member | None = strawberry.mutation(
        resolver=_update, description="Change a member; null where there is none with this id."
    )


def _member(row: Row) -> Member:
    return Member(**{field.name: row[field.name] for field in fields(Member)})


def _checked(given: Any) -> dict[str, Any]:
    """Return the values that were given; raises GraphQLError for one that cannot be."""
    values = {
        field.name: value for field in fields(given) if (value := getattr(given, field.name)) is not UNSET
    }
    if "first_name" in values and not (values["first_name"] or "").strip():
        raise GraphQLError("First name must not be empty")
    email = values.get("email")
    if email is not None and not _EMAIL.fullmatch(email):
        raise GraphQLError(f"Invalid email format: {email}")
    return values


def _is_ours_to_hide(error: GraphQLError) -> bool:
    return error.original_error is not None and not isinstance(error.original_error, GraphQLError)


class _Schema(strawberry.Schema):
    def process_errors(
        self, errors: list[GraphQLError], execution_context: ExecutionContext | None = None
    ) -> None:
        """Log the API's own faults only: a wrong query is the caller's business."""
        super().process_errors([error for error in errors if _is_ours_to_hide(error)], execution_context)


def build_schema(*, introspection: bool) -> strawberry.Schema:
    """Return the executable schema, with introspection switched on or off."""
    mask = MaskErrors(should_mask_error=_is_ours_to_hide)
    extensions = [lambda: mask] if introspection else [lambda: mask, DisableIntrospection]
    return _Schema(query=Query, mutation=Mutation, extensions=extensions)
