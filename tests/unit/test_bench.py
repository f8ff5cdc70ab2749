"""The parts of the bench that decide what counts: framing, right answers, numbers."""

import json

import pytest

from bench import job, measures, tables, tally, where
from bench.__main__ import PAGE, SECTIONS, arguments, with_results
from bench.answers import FaultyAnswerError
from bench.http1 import HttpMessage, answer, take
from bench.peers import DEFAULT, PEERS
from bench.stand import Outcome, Setting
from bench.wire import FIRST_ID, MODERN, Caller

CALLER = Caller(0, 3000, "/mcp", "caller-001", "http://127.0.0.1:1")
CHUNKED = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n"


@pytest.mark.parametrize("whole", [answer(b"abcde"), CHUNKED])
def test_an_answer_is_taken_once_it_is_whole(whole):
    for end in range(len(whole)):
        assert take(whole[:end]) == (None, whole[:end])
    message, rest = take(whole + b"HTTP")
    assert (message.status, message.body, rest) == (200, b"abcde", b"HTTP")


def rightly(number, **changes):
    result = {"content": [{"type": "text", "text": CALLER.expected}], **changes}
    return HttpMessage(b"HTTP/1.1 200 OK", json.dumps({"id": number, "result": result}).encode())


@pytest.mark.parametrize("first", [[], [FIRST_ID]])
@pytest.mark.parametrize(
    "wrong",
    [
        rightly(FIRST_ID + 2),
        rightly(FIRST_ID + 1, isError=True),
        rightly(FIRST_ID + 1, content=[{"type": "text", "text": job.text(job.profile("caller-002"))}]),
        HttpMessage(b"HTTP/1.1 503 Service Unavailable", rightly(FIRST_ID + 1).body),
        HttpMessage(b"HTTP/1.1 200 OK", b""),
    ],
    ids=["id", "error", "somebody else's", "status", "empty"],
)
def test_a_wrong_answer_is_a_fault_whether_a_right_one_came_before(first, wrong):
    request = CALLER.request("tools/call", session="s")
    for number in first:
        request.verify(rightly(number), number)
    with pytest.raises(FaultyAnswerError):
        request.verify(wrong, FIRST_ID + 1)
    request.verify(rightly(FIRST_ID + 1), FIRST_ID + 1)


def test_a_request_is_whole_whatever_its_id():
    request = CALLER.request("tools/call", dialect=MODERN)
    message, rest = take(request.bytes(FIRST_ID + 7))
    assert json.loads(message.body)["id"] == FIRST_ID + 7
    assert rest == b""
    assert message.header(b"mcp-name") == job.TOOL.encode()


def test_only_what_the_window_saw_is_counted():
    count = tally.Tally()
    count.done("one", 0.0)
    count.open()
    for _ in range(3):
        count.done("one", 0.0)
    count.fault("502")
    count.close()
    count.done("two", -1000.0)
    sample = count.sample(server_seconds=0.6)
    assert sample.longest > 1e6
    assert (sample.units, sample.errors, sample.server_us, sample.faults) == (3, 1, 200_000, ("502",))
    assert not count.running


def outcome(rate, server_us):
    return Outcome(tally.Sample(1.0, rate, 0, 1.0, 2.0, 3.0, server_us, 10.0), asked=rate, peak=1)


def test_calls_that_never_reach_the_tenant_and_errors_are_told():
    sample = tally.Sample(1.0, 10, 2, 1.0, 2.0, 3.0, 4.0, 5.0, ("502 b''",))
    seen = {(Setting("16"), PEERS["ours"]): [Outcome(sample, asked=7, peak=1)]}
    assert tables.faults(measures.MEASURES["calls"], seen) == [
        "DB Planet MCP server, 16 callers: 502 b''",
        "DB Planet MCP server, 16 callers: 3 calls were answered without asking the tenant",
    ]
    right = {(Setting("16"), PEERS["ours"]): [outcome(10, 1)]}
    assert tables.faults(measures.MEASURES["calls"], right) == []


def test_ratios_are_of_the_same_round_and_say_how_many_times_as_fast_ours_is():
    setting = Setting("16")
    seen = {
        (setting, PEERS["ours"]): [outcome(100, 300), outcome(400, 300), outcome(200, 300)],
        (setting, PEERS["ts2"]): [outcome(50, 450), outcome(100, 450), outcome(200, 450)],
    }
    _, _, ours, peer = tables.windows(measures.MEASURES["calls"], seen).splitlines()
    assert ours.startswith("| 16 | DB Planet MCP server | 200 (100–400) |  | 300 |  |")
    assert peer.startswith("| 16 | TypeScript SDK 2.x | 100 (50.0–200) | 2.00 | 450 | 1.50 |")


def test_the_command_line_knows_every_measure_and_server():
    options = arguments(["--only", ",".join(SECTIONS), "--peers", f"{','.join(PEERS)},ours@/elsewhere"])
    assert options.only == list(SECTIONS)
    assert options.peers == [*PEERS, "ours@/elsewhere"]
    assert set(DEFAULT) <= set(PEERS)
    with pytest.raises(SystemExit):
        arguments(["--peers", "theirs"])


def test_results_replace_those_between_the_marks_of_the_page():
    page = PAGE.read_text("utf-8")
    once = with_results(page, "### Table one")
    assert with_results(once, "### Table two") == once.replace("### Table one", "### Table two")
    assert with_results(with_results(page, ""), "### Table one") == once
    with pytest.raises(ValueError, match="no place"):
        with_results("nothing here", "")


def test_time_counts_for_the_lowest_code_with_a_name_and_the_library_for_its_caller():
    view = "view (/p/dbplanet/mcp/blueprint.py:2)"
    pool = "_worker (/p/concurrent/futures/thread.py:58)"
    stacks = [
        f"{pool};handle (/p/gunicorn/workers/gthread.py:1);{view};loads (/p/json/__init__.py:3) 6",
        f"{pool};wait (/p/threading.py:1) 1",
        f"{pool};send (/p/site-packages/requests/sessions.py:2);recv (/p/socket.py:1) 2",
        " 1",
    ]
    found = where.shares(stacks)
    assert list(found.values()) == [0.6, 0.2, 0.1, 0.1]
    assert list(found)[:2] == [
        "Flask, werkzeug, what stands in front of them",
        "requests, urllib3, http.client",
    ]
    assert found[where.OTHER] == 0.1
