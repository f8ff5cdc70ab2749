"""What the engine tells its observer, and that an observer cannot break a call."""

import logging

import pytest

from dbplanet.mcp.access import AccessTokens
from dbplanet.mcp.errors import ToolError
from dbplanet.mcp.results import ToolResult, text
from dbplanet.mcp.tools import ADD, READ, tool
from support.engine import add, app_of, boom, modern, send, server_of


@tool("refuse", title="Refuse", annotations=ADD, description="Refuses.")
def refuse(connection):
    raise ToolError("DECLINED", "no")


@tool("says", title="Says", annotations=READ, description="Says that it failed.")
def says(connection):
    return ToolResult([text("failed")], is_error=True)


class Recording:
    def __init__(self):
        self.seen = []

    def started(self, call):
        self.seen.append(("started", call.tool))

    def finished(self, call, outcome, seconds):
        assert seconds >= 0
        self.seen.append((call, outcome))


class Broken:
    def started(self, call):
        raise OSError("a secret word")

    finished = started


def watched(observer):
    return app_of(server_of(toolsets={"test": [add, boom, refuse, says]}, observer=observer))


def call(app, name, arguments=None, **params):
    body = {"jsonrpc": "2.0", "id": 1, "method": "tools/call"}
    return send(app, {**body, "params": {"name": name, "arguments": arguments or {}, **params}})


@pytest.mark.parametrize(
    ("name", "arguments", "outcome", "writes"),
    [
        ("add", {"a": 1, "b": 2}, "ok", False),
        ("add", {"a": 1}, "400", False),
        ("boom", {}, "fault", False),
        ("refuse", {}, "DECLINED", True),
        ("says", {}, "error", False),
    ],
)
def test_each_call_of_a_known_tool_is_told_with_its_outcome(name, arguments, outcome, writes):
    observer = Recording()
    call(watched(observer), name, arguments, _meta={"traceparent": "t"})
    (started, (seen, ended)) = observer.seen
    assert (started, ended) == (("started", name), outcome)
    assert (seen.writes, seen.arguments, seen.meta) == (writes, arguments, {"traceparent": "t"})
    assert len(seen.request_id) == 16


def test_a_call_of_the_modern_revision_is_told_too():
    observer = Recording()
    send(watched(observer), *modern("tools/call", name="add", arguments={"a": 1, "b": 2}))
    assert observer.seen[-1][1] == "ok"


def test_an_unknown_tool_is_not_told():
    observer = Recording()
    call(watched(observer), "nope")
    assert observer.seen == []


def test_a_failing_observer_changes_no_answer_and_its_words_are_not_logged(caplog):
    caplog.set_level(logging.ERROR)
    status, answer = call(watched(Broken()), "add", {"a": 1, "b": 2})
    assert (status, answer["result"]["isError"]) == (200, False)
    assert "the observer failed: OSError" in caplog.text
    assert "secret" not in caplog.text


def test_the_access_token_is_named_by_its_place_in_the_list():
    tokens = AccessTokens(["a" * 16, "b" * 16])
    assert [tokens.check(f"Bearer {letter * 16}") for letter in "ab"] == ["1", "2"]
    assert AccessTokens().check(None) == ""
