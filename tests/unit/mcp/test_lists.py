"""Lists that are written once: they say what the methods say, for each era and each scope, and stay few."""

import json

from hypothesis import given
from hypothesis import strategies as st

from dbplanet.mcp import server as engine
from dbplanet.mcp.call import Call
from dbplanet.mcp.identity import Anyone
from dbplanet.mcp.protocol import Message, RpcError, encode, success
from dbplanet.mcp.scope import EVERYTHING, Scope
from dbplanet.prompts import PROMPTS
from dbplanet.resources import content_template
from dbplanet.tools import TOOLSETS
from support.engine import server_of

SERVER = server_of(toolsets=TOOLSETS, prompts=PROMPTS, templates=[content_template(str)])

lists = st.sampled_from(sorted(engine.LISTS))
scopes = st.builds(
    Scope, st.booleans(), st.none() | st.frozensets(st.sampled_from([*sorted(TOOLSETS), "nope"]))
)


def message(method, **params):
    return Message(method, params, 1, False)


def outcome(answer):
    try:
        return answer()
    except RpcError as error:
        return error.code, error.message, error.data


@given(lists, st.booleans(), scopes, st.sampled_from([{}, {"cursor": None}, {"cursor": "x"}]))
def test_a_list_in_json_is_what_its_method_says(method, modern, scope, params):
    asked, call = message(method, **params), Call(modern, Anyone(), scope=scope)
    expected = outcome(lambda: SERVER.handle(asked, call))
    for _ in range(2):
        answer = outcome(lambda: json.loads(SERVER.answer(asked, call)))
        assert answer == (sealed(method, expected) if modern and isinstance(expected, dict) else expected)


def sealed(method, result):
    info = {"io.modelcontextprotocol/serverInfo": {"name": "Test", "version": "1"}}
    return {"resultType": "complete", **result, **engine.CACHE_HINTS[method], "_meta": info}


def test_no_number_of_scopes_fills_the_memory():
    server = server_of()
    for number in range(engine.MAX_PAGES * 2):
        server.answer(
            message("tools/list"), Call(False, Anyone(), scope=Scope(False, frozenset([str(number)])))
        )
    assert server._page.cache_info().currsize == engine.MAX_PAGES


@given(st.none() | st.integers() | st.text(st.characters(exclude_categories=[])))
def test_an_answer_around_json_is_an_answer(message_id):
    result = SERVER.answer(message("tools/list"), Call(False, Anyone(), scope=EVERYTHING))
    whole = {"jsonrpc": "2.0", "id": message_id, "result": json.loads(result)}
    assert success(message_id, result) == encode(whole)
