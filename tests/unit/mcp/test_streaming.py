"""Progress and log messages: streams only where something is emitted that the caller asked for."""

import json
import threading

import pytest

from dbplanet.mcp.context import Cancelled, Context
from dbplanet.mcp.message import Reply
from dbplanet.mcp.streaming import Streams
from dbplanet.mcp.tools import READ, tool
from support.engine import BOTH, JSON, NoConnection, app_of, initialize, modern, server_of


@tool("work", title="Work", annotations=READ, description="Reports progress and logs.", logs=True)
def work(connection, context: Context):
    for done in (1, 2):
        context.progress(done, 2, f"step {done}")
    context.log("debug", "fine detail")
    context.log("warning", {"odd": True}, "worker")
    return "done"


@tool("silent", title="Silent", annotations=READ, description="Could report, but does not.")
def silent(connection, context: Context):
    return "done"


@pytest.fixture
def app():
    return app_of(server_of(toolsets={"test": [work, silent]}))


def call(name, token=None, **extra):
    meta = {} if token is None else {"progressToken": token}
    params = {"name": name, "arguments": {}, "_meta": meta}
    return {"jsonrpc": "2.0", "id": 9, "method": "tools/call", "params": params, **extra}


def events(response):
    """The messages of an event stream."""
    assert response.headers["Content-Type"] == "text/event-stream"
    assert response.headers["X-Accel-Buffering"] == "no"
    return [
        json.loads(part.removeprefix("event: message\ndata: "))
        for part in response.text.split("\n\n")
        if part
    ]


def post(app, body, headers=None):
    return app.test_client().post("/mcp", json=body, headers={**JSON, **BOTH, **(headers or {})})


@pytest.mark.parametrize("token", ["abc", 7, 0])
def test_progress_comes_before_the_answer_under_the_callers_token(app, token):
    *notes, answer = events(post(app, call("work", token)))
    progress = [note["params"] for note in notes if note["method"] == "notifications/progress"]
    assert [(note["progressToken"], note["progress"], note["total"]) for note in progress] == [
        (token, 1, 2),
        (token, 2, 2),
    ]
    assert answer["id"] == 9
    assert answer["result"]["content"][0]["text"] == "done"


def test_a_tool_that_emits_nothing_answers_in_json(app):
    assert post(app, call("silent", "abc")).get_json()["result"]["content"][0]["text"] == "done"


def test_a_client_that_reads_json_alone_gets_the_answer_alone(app):
    response = post(app, call("work", "abc"), {"Accept": "application/json"})
    assert response.get_json()["result"]["content"][0]["text"] == "done"


def test_a_modern_call_without_token_and_level_answers_in_json(app):
    assert post(app, *modern("tools/call", name="work", arguments={})).is_json


@pytest.mark.parametrize(("level", "count"), [("debug", 2), ("info", 1), ("warning", 1), ("error", 0)])
def test_log_messages_come_from_the_level_that_a_modern_call_names(app, level, count):
    body, headers = modern("tools/call", name="work", arguments={})
    body["params"]["_meta"]["io.modelcontextprotocol/logLevel"] = level
    response = post(app, body, headers)
    notes = events(response)[:-1] if count else []
    assert [note["method"] for note in notes] == ["notifications/message"] * count
    assert response.is_json is (count == 0)


def test_the_log_level_of_a_session_is_kept(app):
    session = {"Mcp-Session-Id": post(app, initialize()).headers["Mcp-Session-Id"]}
    set_level = {"jsonrpc": "2.0", "id": 1, "method": "logging/setLevel", "params": {"level": "error"}}
    assert [note["method"] for note in events(post(app, call("work"), session))[:-1]] == [
        "notifications/message"
    ]
    post(app, set_level, session)
    assert post(app, call("work"), session).is_json


def test_over_the_cap_a_call_is_answered_as_plain_json():
    release, running = threading.Event(), threading.Event()

    @tool("hold", title="Hold", annotations=READ, description="Emits, then waits.")
    def hold(connection, context: Context):
        context.progress(1)
        running.set()
        release.wait(10)
        return "held"

    app = app_of(server_of(toolsets={"test": [hold, work]}), streams=1)
    first = threading.Thread(target=lambda: events(post(app, call("hold", "a"))))
    first.start()
    assert running.wait(10)
    assert post(app, call("work", "b")).get_json()["result"]["content"][0]["text"] == "done"
    release.set()
    first.join()
    assert len(events(post(app, call("work", "c")))) == 4


def eventually(ended):
    """Return ``ended`` once something is in it."""
    for _ in range(1000):
        if ended:
            break
        threading.Event().wait(0.01)
    return ended


def held_call(streams, cancels, gone):
    """Start a call that emits once and then looks out for its end; return what it saw."""
    cancelled, ended = threading.Event(), []

    def run(emit):
        context = Context(progress_token="t", emit=emit, cancelled=cancelled)
        context.progress(1)
        try:
            for _ in range(100):
                cancelled.wait(0.02)
                context.check()
        except Cancelled:
            ended.append("cancelled")
        else:
            ended.append("done")
        return Reply(200, b"{}")

    reply = streams.serve(run, gone=gone, cancelled=cancelled, cancels=cancels)
    return reply.stream, ended


@pytest.mark.parametrize(("cancels", "outcome"), [(True, ["cancelled"]), (False, ["done"])])
def test_a_client_that_goes_away_cancels_a_modern_call_only(cancels, outcome):
    stream, ended = held_call(Streams(1), cancels, gone=lambda: True)
    assert b"notifications/progress" in next(iter(stream))
    stream.wait(0.6)
    assert eventually(ended) == outcome


def test_a_silent_stream_is_kept_alive_by_pings():
    stream, _ = held_call(Streams(1, ping_seconds=0.05), True, gone=lambda: False)
    parts = iter(stream)
    next(parts)
    assert next(parts) == b": ping\n\n"
    stream.close()


def test_a_stream_that_is_closed_before_it_is_read_is_cancelled():
    stream, ended = held_call(Streams(1), True, gone=lambda: False)
    stream.close()
    assert eventually(ended) == ["cancelled"]


def test_the_connection_of_a_streamed_call_is_the_callers():
    made = []

    def connect(identity):
        made.append(identity)
        return NoConnection()

    app = app_of(server_of(toolsets={"test": [work]}, connect=connect))
    events(post(app, call("work", "a")))
    assert len(made) == 1
