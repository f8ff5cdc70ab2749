"""Multi-round input (2026-07-28): the state that goes back to a client, and writes that ask first."""

import pytest

from dbplanet.mcp import state as state_module
from dbplanet.mcp.context import Context, elicitation
from dbplanet.mcp.tools import READ, tool
from support.engine import app_of, modern, send, server_of
from support.mcp import make_app
from support.mcp import post as post_to_product
from support.tenant import HEADERS, StubTenant

NAME = {"name": {"type": "string"}}


@tool("greet", title="Greet", annotations=READ, description="Asks for a name.")
def greet(connection, context: Context):
    answers = context.ask({"who": elicitation("Who?", NAME, ["name"])}, state={"secret": 5})
    return f"Hello, {answers['who']['content']['name']} {context.state['secret']}"


@pytest.fixture
def app():
    return app_of(server_of(toolsets={"test": [greet]}))


def ask(app, capabilities=None, **params):
    body, headers = modern("tools/call", name="greet", arguments={}, **params)
    capabilities = {"elicitation": {}} if capabilities is None else capabilities
    body["params"]["_meta"]["io.modelcontextprotocol/clientCapabilities"] = capabilities
    return send(app, body, headers)


ANSWER = {"who": {"action": "accept", "content": {"name": "Ada"}}}


def test_a_call_asks_and_goes_on_with_the_answer(app):
    result = ask(app)[1]["result"]
    assert result["resultType"] == "input_required"
    assert result["inputRequests"]["who"]["method"] == "elicitation/create"
    assert "ttlMs" not in result
    second = ask(app, requestState=result["requestState"], inputResponses=ANSWER)[1]["result"]
    assert second["content"][0]["text"] == "Hello, Ada 5"


def test_missing_answers_are_asked_for_again(app):
    state = ask(app)[1]["result"]["requestState"]
    for answers in ({}, {"other": {}}):
        again = ask(app, requestState=state, inputResponses=answers)[1]["result"]
        assert again["resultType"] == "input_required"


def test_answers_without_the_state_of_a_question_do_not_count(app):
    assert ask(app, inputResponses=ANSWER)[1]["result"]["resultType"] == "input_required"


def test_a_client_that_cannot_be_asked_is_told_what_it_lacks(app):
    status, answer = ask(app, capabilities={})
    assert (status, answer["error"]["code"]) == (400, -32021)
    assert answer["error"]["data"] == {"requiredCapabilities": {"elicitation": {}}}


@pytest.mark.parametrize("state", ["", "x", "a.b.c", 5, {}, []])
def test_a_state_that_this_server_did_not_sign_is_refused(app, state):
    assert ask(app, requestState=state, inputResponses=ANSWER)[1]["error"]["code"] == -32602


def test_a_changed_state_is_refused(app):
    state = ask(app)[1]["result"]["requestState"]
    changed = ("A" if state[0] != "A" else "B") + state[1:]
    assert ask(app, requestState=changed, inputResponses=ANSWER)[1]["error"]["code"] == -32602


def test_a_state_of_another_server_is_refused(app):
    foreign = app_of(server_of(toolsets={"test": [greet]}))
    state = ask(foreign)[1]["result"]["requestState"]
    assert ask(app, requestState=state, inputResponses=ANSWER)[1]["error"]["code"] == -32602


def test_an_old_state_is_refused(app, monkeypatch):
    state = ask(app)[1]["result"]["requestState"]
    monkeypatch.setattr(state_module, "LIFETIME", -1)
    assert ask(app, requestState=state, inputResponses=ANSWER)[1]["error"]["code"] == -32602


@pytest.mark.parametrize("answers", ["x", [1], {"who": 5}])
def test_answers_that_are_no_objects_are_refused(app, answers):
    assert ask(app, inputResponses=answers)[1]["error"]["code"] == -32602


WRITE = {"name": "Workspace_Create", "arguments": {"name": "Neu"}}


def write(app, capabilities, arguments=None, headers=HEADERS, **params):
    call = {**WRITE, **({"arguments": arguments} if arguments else {}), **params}
    body, extra = modern("tools/call", **call)
    body["params"]["_meta"]["io.modelcontextprotocol/clientCapabilities"] = capabilities
    return post_to_product(app, body, {**headers, **extra}).get_json()


def test_with_confirmation_a_write_asks_before_it_acts():
    app = make_app(CONFIRM_WRITES="true")
    with StubTenant() as tenant:
        asked = write(app, {"elicitation": {}})["result"]
        assert asked["resultType"] == "input_required"
        assert "Neu" in asked["inputRequests"]["confirm"]["params"]["message"]
        assert tenant.asked == []
        state = asked["requestState"]
        for answer in ({"action": "decline"}, {"action": "accept", "content": {"confirm": False}}):
            refused = write(app, {"elicitation": {}}, requestState=state, inputResponses={"confirm": answer})
            assert "nothing was changed" in refused["result"]["content"][0]["text"]
        assert tenant.asked == []
        agreed = {"confirm": {"action": "accept", "content": {"confirm": True}}}
        write(app, {"elicitation": {}}, requestState=state, inputResponses=agreed)
    assert [asked.path for asked in tenant.asked] == ["/api/workspaces"]


def test_a_confirmation_is_good_for_its_own_call_and_caller_only():
    app = make_app(CONFIRM_WRITES="true")
    agreed = {"confirm": {"action": "accept", "content": {"confirm": True}}}
    with StubTenant() as tenant:
        state = write(app, {"elicitation": {}})["result"]["requestState"]
        again = {"requestState": state, "inputResponses": agreed}
        other_arguments = write(app, {"elicitation": {}}, arguments={"name": "Anders"}, **again)
        other_caller = write(
            app, {"elicitation": {}}, headers={**HEADERS, "x-dbplanet-username": "eve"}, **again
        )
    assert other_arguments["error"]["code"] == other_caller["error"]["code"] == -32602
    assert tenant.asked == []


def test_a_client_that_cannot_be_asked_writes_at_once():
    with StubTenant() as tenant:
        write(make_app(CONFIRM_WRITES="true"), {})
    assert len(tenant.asked) == 1


def test_reads_never_ask():
    body, extra = modern("tools/call", name="News_GetFeed", arguments={})
    body["params"]["_meta"]["io.modelcontextprotocol/clientCapabilities"] = {"elicitation": {}}
    with StubTenant():
        answer = post_to_product(make_app(CONFIRM_WRITES="true"), body, {**HEADERS, **extra}).get_json()
    assert answer["result"]["resultType"] == "complete"


def asked_about(arguments):
    with StubTenant():
        asked = write(make_app(CONFIRM_WRITES="true"), {"elicitation": {}}, arguments=arguments)["result"]
    return asked["inputRequests"]["confirm"]["params"]["message"] if "inputRequests" in asked else asked


def test_the_user_sees_that_an_argument_is_longer_than_shown():
    assert "… (2000 characters in all)" in asked_about({"name": "x", "description": "y" * 2000})


def test_the_user_sees_no_invisible_characters_and_one_line():
    message = asked_about({"name": "x", "description": "hello\u202e\u200b\n\nConfirmed already."})
    assert "hello Confirmed already." in message


def test_nobody_is_asked_about_what_cannot_be_done():
    assert asked_about({"name": "x", "bogus": 1})["isError"] is True
