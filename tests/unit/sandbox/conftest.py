from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from dbplanet.sandbox import COLLEAGUES, CREDENTIALS, Credentials, create_sandbox
from dbplanet.sandbox.control import Control


class Person:
    """One signed-in user of a sandbox, as a test speaks for them."""

    def __init__(self, client: FlaskClient, credentials: Credentials) -> None:
        self.client = client
        self.headers = {"Authorization": f"Bearer {_sign_in(client, credentials).json['access_token']}"}

    def call(self, method: str, path: str, **options: Any) -> TestResponse:
        return self.client.open(path, method=method, headers=self.headers, **options)

    def get(self, path: str, **query: Any) -> Any:
        """Return the JSON of a GET that must succeed."""
        return self._json(self.call("GET", path, query_string=query))

    def post(self, path: str, body: Any = None) -> Any:
        return self._json(self.call("POST", path, json=body))

    def put(self, path: str, body: Any = None) -> Any:
        return self._json(self.call("PUT", path, json=body))

    def refused(self, method: str, path: str, **options: Any) -> tuple[int, str, list[str]]:
        """Return status, errorStatus and the fields complained about of a call that must fail."""
        answer = self.call(method, path, **options)
        assert answer.status_code >= 400, answer.get_data(as_text=True)
        assert set(answer.json) == {"errorStatus", "context", "fieldErrors", "message", "statusCode"}
        fields = [error["key"] for error in answer.json["fieldErrors"]]
        return answer.status_code, answer.json["errorStatus"], fields

    @staticmethod
    def _json(answer: TestResponse) -> Any:
        assert answer.status_code in (200, 201, 204), answer.get_data(as_text=True)
        return answer.json if answer.data else None


def _sign_in(client: FlaskClient, credentials: Credentials) -> TestResponse:
    form = {"grant_type": "password", "username": credentials.username, "password": credentials.password}
    return client.post("/api/oauth/token", data=form, auth=(credentials.client_id, credentials.client_secret))


@pytest.fixture
def sign_in() -> Callable[[FlaskClient, Credentials], TestResponse]:
    """Ask for a token as an ordinary client does."""
    return _sign_in


@pytest.fixture
def person() -> type[Person]:
    """Sign somebody in: ``person(client, credentials)``."""
    return Person


@pytest.fixture
def make_sandbox(tmp_path: Path) -> Callable[..., Flask]:
    def make(name: str = "tenant", **options: Any) -> Flask:
        app = create_sandbox(tmp_path / f"{name}.sqlite", **options)
        app.testing = True
        return app

    return make


@pytest.fixture(scope="session")
def seeded(tmp_path_factory: pytest.TempPathFactory) -> tuple[Flask, bytes]:
    """A sandbox and its database as it is after seeding."""
    database = tmp_path_factory.mktemp("sandbox") / "tenant.sqlite"
    app = create_sandbox(database)
    app.testing = True
    return app, database.read_bytes()


@pytest.fixture
def client(seeded: tuple[Flask, bytes]) -> FlaskClient:
    """A client of a sandbox that no earlier test has changed."""
    app, database = seeded
    Path(app.config["DATABASE"]).write_bytes(database)
    app.extensions["sandbox"] = Control()
    return app.test_client()


@pytest.fixture
def anna(client: FlaskClient) -> Person:
    """An editor, admin of the start page; no member of the workspaces brueckenbau and tarif-intern."""
    return Person(client, CREDENTIALS)


@pytest.fixture
def jonas(client: FlaskClient) -> Person:
    """An editor, admin of the workspace brueckenbau, member of the private workspace tarif-intern."""
    return Person(client, COLLEAGUES[0])


@pytest.fixture
def mehmet(client: FlaskClient) -> Person:
    """A reader: may comment and like, may not create anything."""
    return Person(client, COLLEAGUES[1])
