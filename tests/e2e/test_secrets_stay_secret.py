"""Everything at DEBUG, every request failing: no piece of a secret in the log or in an answer."""

from __future__ import annotations

import base64
import json
import secrets
from typing import Any
from urllib.parse import quote

import pytest

from dbplanet.sandbox import entity_id
from e2e.conftest import StartServer
from e2e.tenants import HEADERS, TOKEN, Tenant
from e2e.wire import SESSION, Server, message

PIECE = 8
ECHO = "<html>{0}</html>"


class Secrets:
    """Random credentials and tokens, each also in the forms in which it travels."""

    def __init__(self) -> None:
        fields = ("username", "password", "client_id", "client_secret")
        self.fields = {field: f"{secrets.token_hex(12)}ß{secrets.token_urlsafe(12)}" for field in fields}
        self.token = secrets.token_urlsafe(32)
        self.others: list[str] = []

    @property
    def all(self) -> list[str]:
        """Every form of every secret."""
        plain = [*self.fields.values(), self.token, *self.others]
        pair = f"{self.fields['client_id']}:{self.fields['client_secret']}".encode()
        return [*plain, *map(quote, plain), base64.b64encode(pair).decode()]

    def found_in(self, text: str) -> set[str]:
        """Return every eight-character piece of a secret in ``text``."""
        pieces = {form[at : at + PIECE] for form in self.all for at in range(len(form) - PIECE + 1)}
        seen = {text[at : at + PIECE] for at in range(len(text) - PIECE + 1)}
        return pieces & seen


@pytest.fixture(scope="module")
def secret() -> Secrets:
    return Secrets()


def faults(secret: Secrets) -> list[dict[str, Any]]:
    """Return failures of every kind, most of which repeat the secrets."""
    echo = " ".join(secret.all)
    field_error = {"key": "a b", "code": echo}
    return [
        {"status": 401, "body": echo},
        {"status": 403, "body": json.dumps({"message": echo, "errorStatus": "ERROR"})},
        {"status": 500, "body": ECHO.format(echo), "content_type": "text/html"},
        {"status": 400, "body": json.dumps({"errorStatus": echo, "fieldErrors": [field_error]})},
        {"status": 302, "headers": {"Location": f"/login?token={secret.token}"}},
        {"status": 200, "body": ECHO.format(echo), "content_type": f"text/html; x={secret.token}"},
        {"status": 200, "body": "[" * 3000},
        {"status": 200, "body": " " * 60_000},
        {"drop": True},
        {"delay": 1.0, "times": 1},
    ]  # fmt: skip


def test_no_piece_of_a_secret_is_in_any_answer(impatient: Server, tenant: Tenant, secret: Secrets):
    headers = tenant.headers(**secret.fields)
    calls = [
        ("People_GetMe", {}),
        ("Notification_MarkSeen", {}),
        ("Content_GetFull", {"contentId": entity_id("page/infrastruktur"), "contentType": "page"}),
        ("Social_PostComment", {"targetId": "x", "body": "x"}),
    ]
    # First with credentials that are wrong, then with a token that lets each request come to its failure.
    for fault in [None, *faults(secret)]:
        if fault is not None:
            tenant.fault(TOKEN, **fault)
        assert_silent(impatient, headers, calls[:1], secret)
    for fault in faults(secret):
        signed_in = {"match": TOKEN, "status": 200, "body": f'{{"access_token": "{secret.token}"}}'}
        tenant.faults(signed_in, {"match": ".", **fault})
        assert_silent(impatient, headers, calls, secret)


def assert_silent(
    impatient: Server, headers: dict[str, bytes], calls: list[tuple[str, dict[str, str]]], secret: Secrets
) -> None:
    """Make calls that must fail, with and without a session, and look into each answer."""
    opened = impatient.initialize(headers)
    secret.others.append(opened.headers[SESSION])
    assert secret.found_in(opened.text) == set()
    for tool, arguments in calls:
        for given in (headers, {SESSION: opened.headers[SESSION]}):
            answer = impatient.post(message("tools/call", {"name": tool, "arguments": arguments}), given)
            assert answer.json()["result"]["isError"] or tool == "Notification_MarkSeen", answer.text
            assert secret.found_in(answer.text + str(answer.headers)) == set()


def test_no_piece_of_a_secret_is_in_the_answer_to_a_broken_request(
    impatient: Server, tenant: Tenant, secret: Secrets
):
    headers = tenant.headers(**secret.fields)
    password = headers[HEADERS["password"]]
    call = message("tools/call", {"name": "People_GetMe"})
    userinfo = f"http://{secret.fields['password']}@127.0.0.1:1".encode()
    broken: list[tuple[Any, dict[str, Any]]] = [
        (message("tools/call", {"name": 5}), headers),
        (message("nope"), headers),
        ([], headers),
        (call, {**headers, HEADERS["password"]: password + b"\t\xc2\x85"}),
        (call, {**headers, "x-dbplanet-user-name": "other"}),
        (call, {**headers, HEADERS["base_url"]: userinfo}),
        (call, {**headers, HEADERS["base_url"]: password}),
        (call, {**headers, HEADERS["username"]: "", SESSION: secret.token}),
        (call, {**headers, "Host": "evil.example"}),
    ]
    for body, given in broken:
        answer = impatient.post(body, given)
        assert secret.found_in(answer.text + str(answer.headers)) == set()
    for method in ("GET", "DELETE", "OPTIONS"):
        answer = impatient.request(method, headers)
        assert secret.found_in(answer.text + str(answer.headers)) == set()


def test_no_piece_of_a_secret_is_in_the_log(impatient: Server, secret: Secrets):
    log = impatient.process.output()
    assert "[DEBUG]" in log or "[INFO]" in log
    assert len(secret.others) > 10, "the calls above come first"
    assert secret.found_in(log) == set()


def test_the_operators_secrets_are_in_no_answer_and_no_log(start_server: StartServer, tenant: Tenant):
    own = Secrets()
    settings = {field.upper(): value for field, value in own.fields.items()}
    operated = start_server(
        "of an operator",
        BASE_URL=tenant.url,
        ALLOW_DEFAULT_CREDENTIALS="true",
        LOG_LEVEL="DEBUG",
        **settings,
    )
    refused = operated.call("People_GetMe")
    assert refused.first_line == "[401] Authentication failed. Check DB Planet credentials."
    partial = operated.call("People_GetMe", {}, tenant.headers(password=None))
    assert partial.first_line.startswith("[401] Missing DB Planet credentials: password "), "never mixed"
    assert own.found_in(refused.text + partial.text + operated.process.output()) == set()
