"""The server around the tools: its inventory, its bounds, its errors, its log."""

from __future__ import annotations

import logging
import socket
from typing import Any

import pytest

from dbplanet.httpapi import api_server
from dbplanet.httpapi.client import without_query
from dbplanet.httpapi.results import Presenter
from dbplanet.mcp.call import Call
from dbplanet.mcp.errors import ToolError
from dbplanet.mcp.identity import Anyone
from dbplanet.mcp.protocol import Message, RpcError
from dbplanet.mcp.scope import Scope
from dbplanet.mcp.server import McpServer
from e2e.httpapi.api_calls import Api

NAMES = ["api_get", "api_post", "api_put", "api_delete"]
READ_ONLY = Scope(read_only=True)


def handle(server: McpServer, method: str, **params: Any) -> dict[str, Any]:
    message = Message(method, params, 1, is_notification=False)
    return server.handle(message, Call(modern=False, identity=Anyone(), scope=server.scope_of({})))


def tools(**options: Any) -> list[dict[str, Any]]:
    listed: list[dict[str, Any]] = handle(api_server(version="1", **options), "tools/list")["tools"]
    return listed


def test_the_four_tools_have_the_parameters_of_the_specification() -> None:
    properties = {each["name"]: list(each["inputSchema"]["properties"]) for each in tools()}
    assert properties == {
        "api_get": ["url", "headers"],
        "api_post": ["url", "body", "headers"],
        "api_put": ["url", "body", "headers"],
        "api_delete": ["url", "headers"],
    }
    for each in tools():
        schema = each["inputSchema"]
        assert (schema["type"], schema["required"], schema["additionalProperties"]) == (
            "object",
            ["url"],
            False,
        )
        assert schema["properties"]["headers"]["type"] == "object"
        assert schema["properties"]["headers"]["additionalProperties"] == {"type": "string"}
        assert {"type": "string"}.items() <= schema["properties"].get("body", {"type": "string"}).items()
        assert all(given["description"] and "title" not in given for given in schema["properties"].values())


def test_a_client_can_tell_what_reads_from_what_destroys() -> None:
    hints = {each["name"]: each["annotations"] for each in tools()}
    assert all(hint["openWorldHint"] for hint in hints.values())
    assert [name for name in NAMES if hints[name]["readOnlyHint"]] == ["api_get"]
    assert [name for name in NAMES if hints[name].get("destructiveHint")] == [
        "api_post",
        "api_put",
        "api_delete",
    ]
    assert [name for name in NAMES if hints[name].get("idempotentHint")] == ["api_put", "api_delete"]


def test_read_only_leaves_api_get_alone() -> None:
    assert [each["name"] for each in tools(scope=READ_ONLY)] == ["api_get"]
    api = Api(api_server(version="1", scope=READ_ONLY))
    for name in NAMES[1:]:
        assert api.attempt(name, url="http://127.0.0.1/").kind == ("validation", "not_available")
    assert api.attempt("api_get", url="http://127.0.0.1/").kind == ("validation", "blocked")


def test_a_request_may_narrow_its_own_scope() -> None:
    server = api_server(version="1", restrict=lambda headers: Scope(read_only="quiet" in headers))
    assert server.scope_of({"quiet": "1"}).read_only
    assert not server.scope_of({}).read_only


def test_a_write_asks_first_where_that_is_wanted_and_any_process_takes_the_answer() -> None:
    def ask(**more: Any) -> dict[str, Any]:
        server = api_server(version="1", confirm_writes=True, state_key="the same fake key in each")
        capabilities = {"io.modelcontextprotocol/clientCapabilities": {"elicitation": {}}}
        arguments = {"url": "http://127.0.0.1/"}
        params = {"_meta": capabilities, "name": "api_delete", "arguments": arguments, **more}
        message = Message("tools/call", params, 1, is_notification=False)
        return server.handle(message, Call(modern=True, identity=Anyone()))

    asked = ask()
    assert asked["resultType"] == "input_required"
    answers = {name: {"action": "accept", "content": {"confirm": True}} for name in asked["inputRequests"]}
    done = ask(requestState=asked["requestState"], inputResponses=answers)
    assert done["structuredContent"]["error"]["details"]["code"] == "blocked"


def test_another_method_is_no_tool() -> None:
    with pytest.raises(RpcError, match="api_patch"):
        Api(api_server(version="1")).attempt("api_patch", url="http://good.test/")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({}, "url: is required"),
        ({"url": None}, "url: is required"),
        ({"url": "http://a.test/", "method": "PATCH"}, "method: is not an argument"),
        ({"url": "http://a.test/", "Headers": {}}, "Headers: is not an argument"),
    ],
)
def test_wrong_arguments_take_the_shape_of_every_error(arguments: dict[str, Any], words: str) -> None:
    outcome = Api(api_server(version="1")).attempt("api_get", **arguments)
    assert outcome.kind == ("validation", "invalid_arguments")
    assert words in outcome.error["message"]
    assert outcome.error.keys() == {"type", "message", "details"}


@pytest.mark.parametrize(
    ("error", "kind", "code", "message"),
    [
        (ToolError(500, "Error.", "Look at the log."), "network", "unexpected", "Error. Look at the log."),
        (ToolError("DECLINED", "No."), "validation", "declined", "No."),
    ],
)
def test_the_engines_own_errors_take_that_shape_too(
    error: ToolError, kind: str, code: str, message: str
) -> None:
    expected = {"type": kind, "message": message, "details": {"code": code}}
    assert Presenter().failure(error).structured == {"error": expected}


def test_a_failure_that_nobody_foresaw_is_told_without_its_words(caplog: pytest.LogCaptureFixture) -> None:
    def broken(host: str) -> list[str]:
        return [5]  # type: ignore[list-item]

    outcome = Api(api_server(version="1", resolver=broken)).attempt("api_get", url="http://a.test/?q=hidden")
    assert outcome.kind == ("network", "unexpected")
    assert "hidden" not in outcome.text + caplog.text


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("hosts", ["http://a.test"]),
        ("nets", ["10.0.0.0/99"]),
        ("nets", ["127.0.0.1/32:99999"]),
        ("proxy", "a:1"),
    ],
)
def test_a_wrong_setting_stops_the_start(option: str, value: Any) -> None:
    with pytest.raises(ValueError, match=r"a\.test|10\.0|99999|proxy"):
        api_server(version="1", **{option: value})


def test_only_the_hosts_that_are_listed_may_be_called(dialled: list[tuple[str, int]]) -> None:
    api = Api(api_server(version="1", hosts=["a.test", ".b.test"], resolver=lambda host: ["93.184.216.34"]))
    for host, allowed in {
        "a.test": True,
        "x.b.test": True,
        "A.TEST.": True,
        "b.test": False,
        "x.a.test": False,
        "a.test.evil.test": False,
        "93.184.216.34": False,
    }.items():
        code = "refused" if allowed else "blocked"
        assert api.attempt("api_get", url=f"http://{host}/").error["details"]["code"] == code
    assert len(dialled) == 3


def test_a_net_with_a_port_opens_that_port_alone(dialled: list[tuple[str, int]]) -> None:
    api = Api(api_server(version="1", nets=["127.0.0.1/32:3001"]))
    codes = {}
    for place in (
        "127.0.0.1:3001",
        "127.0.0.1:3000",
        "127.0.0.1",
        "127.0.0.2:3001",
        "[::1]:3001",
        "localhost:3001",
    ):
        codes[place] = api.attempt("api_get", url=f"http://{place}/").error["details"]["code"]
    assert {place for place, code in codes.items() if code == "refused"} == {"127.0.0.1:3001"}
    assert dialled == [("127.0.0.1", 3001)]


def test_nothing_is_opened_before_the_first_call(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(socket, "socket", None)
    monkeypatch.setattr("builtins.open", None)
    handle(api_server(version="1", ca_bundle="gone.pem", proxy="http://127.0.0.1:1"), "tools/list")


def test_requests_are_logged_without_their_query_when_that_is_wanted(
    dialled: list[tuple[str, int]], caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "dbplanet.httpapi")
    url = "http://93.184.216.34/path?token=hidden#hidden"
    headers = {"Authorization": "hidden"}
    Api(api_server(version="1", log_requests=True)).attempt(
        "api_post", url=url, headers=headers, body="hidden"
    )
    (record,) = caplog.records
    assert record.getMessage().startswith("POST http://93.184.216.34/path refused ")
    assert record.getMessage().endswith(" ms")
    caplog.clear()
    Api(api_server(version="1")).attempt("api_get", url=url)
    assert not caplog.records


@pytest.mark.parametrize(
    ("url", "logged"),
    [
        ("https://bücher.test/a?b", "https://xn--bcher-kva.test/a"),
        ("http://a.test#x?y", "http://a.test"),
        ("http://user:hidden@a.test/", "(a URL that is not valid)"),
        ("http://a.test/\nINFO forged", "(a URL that is not valid)"),
    ],
)
def test_a_logged_url_holds_no_secret_and_no_second_line(url: str, logged: str) -> None:
    assert without_query(url) == logged
