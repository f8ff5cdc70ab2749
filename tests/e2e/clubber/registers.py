"""The same member register made with two libraries: strawberry (the sandbox's own) and ariadne."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from ariadne import MutationType, QueryType, make_executable_schema
from ariadne.wsgi import GraphQL
from graphql import GraphQLError

from dbplanet.clubber.members import DEFAULT_SCHEMA
from dbplanet.sandbox.clubber import create_clubber
from dbplanet.sandbox.clubber.store import Members

PEOPLE = (
    {"first_name": "Jürgen", "last_name": "Müller", "email": "juergen@club.example"},
    {"first_name": "Ayşe", "phone": "+49 30 5550102"},
    {"first_name": "Zoë"},
)
NAMES = {"firstName": "first_name", "lastName": "last_name"}


def strawberry_register(database: Path, *, seed: Any = PEOPLE, introspection: bool = True) -> Any:
    return create_clubber(database, seed=seed, introspection=introspection)


def ariadne_register(database: Path, *, seed: Any = PEOPLE, introspection: bool = True) -> Any:
    members = Members(database)
    members.fill(seed)
    query, mutation = QueryType(), MutationType()
    query.set_field("members", lambda _, info: list(map(shown, members.all())))
    query.set_field("member", lambda _, info, id: shown(members.get(id)))  # noqa: A006 the API's name
    mutation.set_field("createMember", lambda _, info, **given: shown(members.add(checked(given["input"]))))
    mutation.set_field(
        "updateMember", lambda _, info, **given: shown(members.change(given["id"], checked(given["input"])))
    )
    schema = make_executable_schema(DEFAULT_SCHEMA, query, mutation)
    return GraphQL(schema, introspection=introspection)


def shown(row: Any) -> Any:
    columns = {column: name for name, column in NAMES.items()}
    return {columns.get(key, key): row[key] for key in row.keys()} if row else None  # noqa: SIM118 a sqlite3.Row


def checked(given: dict[str, Any]) -> dict[str, Any]:
    email = given.get("email")
    if email is not None and not re.fullmatch(r"[^@\s]+@[^@\s]+", email):
        raise GraphQLError(f"Invalid email format: {email}")
    return {NAMES.get(name, name): value for name, value in given.items()}


REGISTERS = {"strawberry": strawberry_register, "ariadne": ariadne_register}
