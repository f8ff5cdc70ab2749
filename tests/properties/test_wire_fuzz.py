"""Whatever arrives: JSON with a status of the protocol, never a page of HTML, never a fault of ours."""

import json

from hypothesis import given
from hypothesis import strategies as st

from dbplanet.operations import operations
from support.engine import BOTH, JSON, app_of, meta, modern

PATH = "/servers/test/mcp"
APP = app_of(path=PATH)
# What Werkzeug refuses before any rule is found (a Host that is none) comes as JSON by this.
APP.register_blueprint(operations())
METHODS = ["initialize", "ping", "tools/list", "tools/call", "logging/setLevel", "server/discover", "x", ""]
VERSIONS = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28", "1999-01-01", "", "é"]
scalars = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=20)
values = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=9), inner, max_size=4),
)
params = st.fixed_dictionaries(
    {},
    optional={
        "name": st.sampled_from(["add", "boom", "nope"]) | values,
        "arguments": st.fixed_dictionaries({}, optional={"a": values, "b": values, "c": values}) | values,
        "_meta": st.builds(meta, st.sampled_from(VERSIONS)) | values,
        "cursor": values,
        "level": values,
        "requestState": values,
        "inputResponses": values,
        "protocolVersion": values,
    },
)
messages = st.fixed_dictionaries(
    {},
    optional={
        "jsonrpc": st.just("2.0") | values,
        "id": st.integers() | values,
        "method": st.sampled_from(METHODS) | values,
        "params": params | values,
        "result": values,
        "error": values,
    },
)
bodies = st.one_of(
    messages.map(json.dumps),
    st.lists(messages | values, max_size=4).map(json.dumps),
    values.map(json.dumps),
    st.text(),
).map(lambda text: text.encode("utf-8", "surrogatepass")) | st.binary(max_size=200)
header_values = st.text(
    st.characters(min_codepoint=32, max_codepoint=255, exclude_characters="\x7f"), max_size=30
)
headers = st.fixed_dictionaries(
    {},
    optional={
        "Content-Type": st.sampled_from([*JSON.values(), "application/json; x=y", "text/plain", ""])
        | header_values,
        "Accept": st.sampled_from([*BOTH.values(), "*/*", "text/html", ""]) | header_values,
        "MCP-Protocol-Version": st.sampled_from(VERSIONS) | header_values,
        "Mcp-Method": st.sampled_from(METHODS) | header_values,
        "Mcp-Name": st.sampled_from(["add", "=?base64?YWRk?="]) | header_values,
        "Mcp-Session-Id": header_values,
        "Origin": st.sampled_from(["http://localhost:1", "null", "http://evil.example"]) | header_values,
        "Host": st.sampled_from(["localhost", "127.0.0.1:3000", "evil.example"]) | header_values,
    },
)
STATUSES = {200, 202, 204, 400, 403, 404, 405, 406, 413, 415, 421}


def check(response):
    assert response.status_code in STATUSES
    if response.status_code in (202, 204):
        assert response.data == b""
        return
    if response.headers.get("Content-Type") == "text/event-stream":
        assert response.data.startswith((b"event: message\ndata: ", b": ping"))
        return
    assert response.headers["Content-Type"] == "application/json"
    answer = json.loads(response.data)
    for one in answer if isinstance(answer, list) else [answer]:
        assert one["jsonrpc"] == "2.0"
        assert "id" in one
        assert ("result" in one) != ("error" in one)
    assert b"Traceback" not in response.data
    assert b"inner words" not in response.data


@given(st.sampled_from(["POST"] * 8 + ["GET", "DELETE", "OPTIONS", "PUT"]), bodies, headers)
def test_any_request_gets_an_answer_of_the_protocol(method, body, given_headers):
    sent = {**JSON, **BOTH, **given_headers}
    check(APP.test_client().open(PATH, method=method, data=body, headers=sent))


@given(messages, st.sampled_from(METHODS), params)
def test_any_modern_request_gets_an_answer_of_the_protocol(message, method, given_params):
    body, sent = modern(method)
    merged = {**body, **message, "params": {**body["params"], **given_params}}
    check(APP.test_client().post(PATH, data=json.dumps(merged), headers={**JSON, **BOTH, **sent}))
