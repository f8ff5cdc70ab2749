import json
from typing import Annotated

import pytest
from pydantic import Field

from dbplanet.mcp.arguments import Arguments, Object
from dbplanet.mcp.errors import ToolError
from support.engine import app_of


def handler(connection, variables: Annotated[Object, Field(description="Values")] | None = None):
    pass


ARGUMENTS = Arguments(handler)


def nested(levels):
    value = {}
    for _ in range(levels):
        value = {"a": value}
    return value


def test_a_free_object_is_one_plain_type_in_the_schema():
    assert ARGUMENTS.schema["properties"]["variables"] == {
        "type": "object",
        "additionalProperties": True,
        "description": "Values",
    }


@pytest.mark.parametrize(
    "sent",
    [
        {"a": 1},
        '{"a": 1}',
        json.dumps(json.dumps({"a": 1})),
        json.dumps(json.dumps(json.dumps({"a": 1}))),
    ],
)
def test_an_object_packed_in_a_string_is_unpacked(sent):
    assert ARGUMENTS.read({"variables": sent}) == {"variables": {"a": 1}}


@pytest.mark.parametrize(
    "sent", ["not json", "[1]", [1], 5, True, '"x"', "[" * 20_000, nested(200)], ids=range(8)
)
def test_what_is_no_object_is_refused_by_name(sent):
    with pytest.raises(ToolError, match=r"variables: .* is (not a JSON object|nested too deep)"):
        ARGUMENTS.read({"variables": sent})


@pytest.mark.parametrize(
    "body",
    [
        '{"jsonrpc":"2.0","id":1,"method":"ping","method":"tools/list"}',
        '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"add","arguments":{"a":1,"a":2}}}',
    ],
)
def test_a_member_that_is_there_twice_is_refused_by_name(body):
    response = app_of().test_client().post("/mcp", data=body, content_type="application/json")
    assert response.status_code == 400
    assert response.get_json()["error"]["code"] == -32600
    assert "is there twice" in response.get_json()["error"]["message"]
