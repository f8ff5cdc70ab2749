"""The register as a Flask application: ``/graphql`` and nothing else."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Final

from flask import Flask, Request, Response
from strawberry.flask.views import GraphQLView

from .schema import build_schema
from .store import Members

PATH: Final = "/graphql"

SEED: Final[tuple[Mapping[str, str], ...]] = (
    {
        "first_name": "Jürgen",
        "last_name": "Müller",
        "address": "Gleisstraße 4, 10557 Berlin",
        "email": "juergen.mueller@club.example",
        "phone": "+49 30 5550101",
    },
    {
        "first_name": "Ayşe",
        "last_name": "Yıldız",
        "address": "Am Bahnhof 12, 60329 Frankfurt",
        "email": "ayse.yildiz@club.example",
    },
    {"first_name": "Zoë"},
)
"""The members of a new register."""


class _View(GraphQLView[dict[str, Members], None]):
    members: Members

    def __init__(self, *, members: Members, **options: Any) -> None:
        super().__init__(**options)
        self.members = members

    def get_context(self, request: Request, response: Response) -> dict[str, Members]:
        return {"members": self.members}


def create_clubber(
    database: str | Path,
    *,
    seed: Iterable[Mapping[str, str]] = SEED,
    introspection: bool = True,
) -> Flask:
    """Return a GraphQL API whose members are in the SQLite file ``database``.

    A new file begins with the members of ``seed`` (column names of the store → values).
    """
    members = Members(database)
    members.fill(seed)
    app = Flask("dbplanet.sandbox.clubber", static_folder=None)
    schema = build_schema(introspection=introspection)
    view = _View.as_view("graphql", members=members, schema=schema, graphql_ide=None)
    app.add_url_rule(PATH, view_func=view)
    return app
