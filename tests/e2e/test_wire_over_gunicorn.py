"""What depends on the WSGI server: lengths, chunks, methods, Host and Origin."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

from e2e.tenants import Tenant
from e2e.wire import Headers, Server, message

JSON = {"Content-Type": "application/json"}
LIMIT = 4 * 1024 * 1024
CALL = json.dumps(message("tools/call", {"name": "People_GetMe"})).encode()


def chunks(body: bytes) -> Iterator[bytes]:
    """Yield a body in pieces, so that it is sent chunked and without a length."""
    for start in range(0, len(body), 65_536):
        yield body[start : start + 65_536]


def padded(size: int) -> bytes:
    """Return a request of exactly ``size`` bytes, JSON white space at its end."""
    return CALL + b" " * (size - len(CALL))


@pytest.mark.parametrize("send", [bytes, chunks], ids=["with a length", "chunked"])
def test_a_body_up_to_the_limit_is_served_and_above_it_413(server: Server, tenant: Tenant, send: type):
    headers = {**tenant.headers(), **JSON}
    for size in (len(CALL), LIMIT):
        answer = server.request("POST", headers, data=send(padded(size)))
        assert answer.json()["result"]["isError"] is False
    refused = server.request("POST", headers, data=send(padded(LIMIT + 1)))
    assert refused.status_code == 413
    assert refused.json()["error"]["code"] == -32600


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        (b"", 400, -32700),
        (b"{bad", 400, -32700),
        (b"\xff\xfe", 400, -32700),
        (b"[" * 200_000, 400, -32700),
        (b'{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":NaN}}', 400, -32700),
        (b'"x"', 400, -32600),
        (b"[]", 400, -32600),
        (b'{"jsonrpc":"1.0","id":1,"method":"ping"}', 400, -32600),
        (b'{"jsonrpc":"2.0","id":true,"method":"ping"}', 400, -32600),
        (b'{"jsonrpc":"2.0","id":1,"method":"nope"}', 200, -32601),
        (b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"Nope"}}', 200, -32602),
    ],
)
def test_a_broken_body_has_its_code(server: Server, body: bytes, status: int, code: int):
    answer = server.request("POST", JSON, data=body)
    assert (answer.status_code, answer.json()["error"]["code"]) == (status, code)


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Host": "evil.example.com"}, 421),
        ({"Host": "127.0.0.1:evil.com"}, 421),
        ({"Host": "127.0.0.1.evil.example"}, 421),
        ({"Host": "localhost:3000"}, 200),
        ({"Origin": "http://evil.example"}, 403),
        ({"Origin": "http://127.0.0.1.evil.example"}, 403),
        ({"Origin": "null"}, 403),
        ({"Origin": "http://localhost:6274"}, 200),
        ({"Accept": "text/html"}, 406),
        ({"Content-Type": "text/plain"}, 415),
    ],
    ids=str,
)
def test_a_request_that_may_not_be_made_has_its_status(server: Server, headers: Headers, status: int):
    answer = server.request("POST", {**JSON, **headers}, data=json.dumps(message("ping")))
    assert answer.status_code == status
    assert answer.headers["Content-Type"] == "application/json"


def test_a_browsers_preflight_is_answered_before_anything_else(server: Server):
    asked = "content-type, mcp-protocol-version, x-dbplanet-password"
    headers = {"Origin": "http://localhost:6274", "Access-Control-Request-Headers": asked}
    answer = server.request("OPTIONS", headers)
    assert (answer.status_code, answer.content) == (204, b"")
    assert answer.headers["Access-Control-Allow-Origin"] == "http://localhost:6274"
    assert answer.headers["Access-Control-Allow-Headers"] == asked
    assert "Mcp-Session-Id" in answer.headers["Access-Control-Expose-Headers"]


def test_the_tool_list_is_small_and_flat(server: Server):
    answer = server.post(message("tools/list"))
    assert len(answer.content) < 20_000
    for tool in answer.json()["result"]["tools"]:
        schema = tool["inputSchema"]
        assert (schema["type"], schema["additionalProperties"]) == ("object", False)
        for spec in schema["properties"].values():
            assert isinstance(spec["type"], str)
            assert spec["description"]
            assert spec.keys().isdisjoint({"anyOf", "oneOf", "allOf", "$ref", "title"})
