"""The engine on pipes: what one client sends, line by line, and what it gets."""

import io
import json
import os
import threading

import pytest

from dbplanet.mcp.context import Cancelled, Context
from dbplanet.mcp.identity import Anyone
from dbplanet.mcp.stdio import MAX_LINE, StdioServer
from dbplanet.mcp.tools import READ, tool
from support.engine import initialize, modern, server_of


def talk(*lines, server=None):
    """Send lines, then the end; return the answers by id, and all messages in order."""
    raw = b"".join((line if isinstance(line, bytes) else json.dumps(line).encode()) + b"\n" for line in lines)
    sink = io.BytesIO()
    StdioServer(server or server_of(), Anyone(), io.BytesIO(raw), sink).serve()
    messages = [json.loads(line) for line in sink.getvalue().splitlines()]
    return {message.get("id"): message for message in messages}, messages


def request(method, message_id=1, **params):
    return {"jsonrpc": "2.0", "id": message_id, "method": method, "params": params}


def test_a_handshake_client_is_served():
    answers, _ = talk(
        initialize(),
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        request("tools/list", 2),
        request("tools/call", 3, name="add", arguments={"a": 1, "b": 2}),
    )
    assert answers[1]["result"]["protocolVersion"] == "2025-06-18"
    assert [tool["name"] for tool in answers[2]["result"]["tools"]] == ["add", "boom"]
    assert answers[3]["result"]["content"][0]["text"] == "3"


def test_a_modern_client_is_served_without_headers():
    answers, _ = talk(modern("server/discover")[0], {**modern("tools/list")[0], "id": 2})
    assert answers[1]["result"]["supportedVersions"] == ["2026-07-28"]
    assert answers[2]["result"]["resultType"] == "complete"


@pytest.mark.parametrize(("version", "code"), [("2099-01-01", -32022), (5, -32602)])
def test_a_modern_envelope_is_checked(version, code):
    body, _ = modern("tools/list")
    body["params"]["_meta"]["io.modelcontextprotocol/protocolVersion"] = version
    assert talk(body)[0][1]["error"]["code"] == code


@pytest.mark.parametrize("line", [b"{bad", b"\xff\xfe", b"[" * 30_000, b"x" * (MAX_LINE + 10)], ids=range(4))
def test_a_bad_line_is_answered_and_the_next_one_served(line):
    answers, _ = talk(line, request("ping"))
    assert answers[None]["error"]["code"] in (-32700, -32600)
    assert answers[1]["result"] == {}


@pytest.mark.parametrize(
    "line", [{"jsonrpc": "1.0", "id": 7, "method": "ping"}, {"jsonrpc": "2.0", "id": 7}, [1], 5]
)
def test_what_is_no_message_is_refused(line):
    answers, _ = talk(line)
    (answer,) = answers.values()
    assert answer["error"]["code"] == -32600


def test_responses_notifications_and_empty_lines_get_no_answer():
    lines = [
        {"jsonrpc": "2.0", "id": 5, "result": {}},
        {"jsonrpc": "2.0", "method": "notifications/x"},
        b"",
        b"  ",
    ]
    assert talk(*lines)[1] == []


@tool("work", title="Work", annotations=READ, description="Reports progress.")
def work(connection, context: Context):
    context.progress(1, 2)
    return "done"


def test_progress_comes_before_the_answer():
    call = request("tools/call", 3, name="work", _meta={"progressToken": "t"})
    _, messages = talk(call, server=server_of(toolsets={"test": [work]}))
    assert [message.get("method") for message in messages if "level" not in str(message)] == [
        "notifications/progress",
        None,
    ]


def test_a_cancelled_call_ends_without_an_answer_and_pings_are_heard_meanwhile():
    started, seen = threading.Event(), []

    @tool("wait", title="Wait", annotations=READ, description="Waits to be cancelled.")
    def wait(connection, context: Context):
        started.set()
        try:
            while True:
                context.cancelled.wait(5)
                context.check()
        except Cancelled:
            seen.append("cancelled")
            raise

    read_end, write_end = os.pipe()
    sink = io.BytesIO()
    with os.fdopen(read_end, "rb") as source, os.fdopen(write_end, "wb", buffering=0) as sender:
        server = StdioServer(server_of(toolsets={"test": [wait]}), Anyone(), source, sink)
        serving = threading.Thread(target=server.serve)
        serving.start()
        sender.write(json.dumps(request("tools/call", 1, name="wait")).encode() + b"\n")
        assert started.wait(5)
        sender.write(json.dumps(request("ping", 2)).encode() + b"\n")
        cancel = {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}}
        sender.write(json.dumps(cancel).encode() + b"\n")
        sender.close()
        serving.join(10)
    assert seen == ["cancelled"]
    assert [json.loads(line)["id"] for line in sink.getvalue().splitlines()] == [2]


@pytest.mark.parametrize("request_id", [{}, [], None, 1.5, True, "unknown"])
def test_a_cancellation_of_what_is_no_request_is_no_fault(request_id):
    cancel = {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": request_id}}
    answers, _ = talk(cancel, request("ping", 0))
    assert answers[0]["result"] == {}
