"""One probe for each line of the protocol: what is sent, and the status and body that must come back."""

import itertools
import json
import sys

import pytest

from dbplanet.mcp.protocol import HANDSHAKE_VERSIONS
from support.engine import ALL_META, BOTH, JSON, VERSION, app_of, initialize, meta, modern, send

NOT_JSON = [b"{bad", b"\xff\xfe", b"", b"NaN", b'{"a": Infinity}', b"[" * 30_000, b"{}x"]


@pytest.fixture
def app():
    return app_of()


def request(method, params=None, message_id=1, **members):
    body = {"jsonrpc": "2.0", "id": message_id, "method": method, **members}
    return body if params is None else {**body, "params": params}


@pytest.mark.parametrize("version", HANDSHAKE_VERSIONS)
def test_initialize_agrees_to_each_handshake_version(app, version):
    status, answer = send(app, initialize(version))
    assert (status, answer["result"]["protocolVersion"]) == (200, version)
    assert answer["result"]["serverInfo"] == {"name": "Test", "version": "1"}


@pytest.mark.parametrize("version", ["2026-07-28", "1999-01-01", ""])
def test_initialize_offers_the_latest_for_an_unknown_version(app, version):
    assert send(app, initialize(version))[1]["result"]["protocolVersion"] == "2025-11-25"


@pytest.mark.parametrize("missing", ["protocolVersion", "capabilities", "clientInfo"])
def test_initialize_names_what_is_missing(app, missing):
    body = initialize()
    del body["params"][missing]
    status, answer = send(app, body)
    assert (status, answer["error"]["code"]) == (200, -32602)
    assert missing in answer["error"]["message"]


@pytest.mark.parametrize(
    "body",
    [
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}},
        {"jsonrpc": "2.0", "method": "initialize"},
        {"id": 7, "result": {}},
        {"jsonrpc": "2.0", "id": 7, "error": {"code": 1, "message": "x"}},
    ],
)
def test_notifications_and_responses_are_taken_without_an_answer(app, body):
    response = app.test_client().post("/mcp", json=body)
    assert (response.status_code, response.data) == (202, b"")
    assert "Content-Type" not in response.headers


@pytest.mark.parametrize("params", [{}, {"params": None}, {"params": {}}])
def test_ping_is_answered_by_an_empty_object(app, params):
    assert send(app, request("ping", **params)) == (200, {"jsonrpc": "2.0", "id": 1, "result": {}})


def test_parameters_of_the_content_type_do_not_matter(app):
    headers = {"Content-Type": "Application/JSON; charset=utf-8"}
    assert send(app, request("ping"), headers)[0] == 200


@pytest.mark.parametrize("message_id", [0, -1, "", "x", 2**53])
def test_the_id_comes_back_as_it_was(app, message_id):
    assert send(app, request("ping", message_id=message_id))[1]["id"] == message_id


def test_a_lone_surrogate_in_the_id_comes_back_as_its_escape(app):
    response = app.test_client().post(
        "/mcp", data=b'{"jsonrpc":"2.0","id":"\\ud800","method":"ping"}', headers=JSON
    )
    assert b'"id":"\\ud800"' in response.data


@pytest.mark.parametrize(
    "body",
    [
        request("ping", message_id=None),
        request("ping", message_id=True),
        request("ping", message_id=1.5),
        request("ping", jsonrpc="1.0"),
        request("ping", params=[1]),
        request(5),
        {"jsonrpc": "2.0", "id": 1},
        "x",
        7,
        None,
    ],
    ids=str,
)
def test_what_is_no_message_is_an_invalid_request(app, body):
    status, answer = send(app, body)
    assert (status, answer["error"]["code"]) == (400, -32600)


@pytest.mark.parametrize("raw", NOT_JSON, ids=range(len(NOT_JSON)))
def test_what_is_not_json_is_a_parse_error_with_a_null_id(app, raw):
    response = app.test_client().post("/mcp", data=raw, headers=JSON)
    assert response.status_code == 400
    assert response.get_json()["error"]["code"] == -32700
    assert response.get_json()["id"] is None


def test_a_byte_order_mark_is_no_fault(app):
    raw = b"\xef\xbb\xbf" + json.dumps(request("ping")).encode()
    assert app.test_client().post("/mcp", data=raw, headers=JSON).status_code == 200


def test_an_unknown_tool_is_a_protocol_error(app):
    status, answer = send(app, request("tools/call", {"name": "nope"}))
    assert (status, answer["error"]["code"]) == (200, -32602)
    assert answer["error"]["message"] == "Unknown tool: nope"


@pytest.mark.parametrize("params", [{}, {"name": 5}, {"name": "add", "arguments": [1]}])
def test_a_malformed_call_is_a_protocol_error(app, params):
    assert send(app, request("tools/call", params))[1]["error"]["code"] == -32602


def test_bad_arguments_are_a_tool_error_that_names_them(app):
    result = send(app, request("tools/call", {"name": "add", "arguments": {"a": "x"}}))[1]["result"]
    assert result["isError"] is True
    assert "a: 'x' is not a whole number" in result["content"][0]["text"]
    assert "b: is required" in result["content"][0]["text"]


def test_a_tool_that_raises_is_a_tool_error_without_the_words(app, caplog):
    result = send(app, request("tools/call", {"name": "boom"}))[1]["result"]
    assert result["isError"] is True
    assert "inner words" not in result["content"][0]["text"]
    assert "inner words" not in caplog.text
    assert "ZeroDivisionError" in caplog.text


@pytest.mark.parametrize("method", ["foo/bar", "server/discover", "tools/List"])
def test_an_unknown_method_is_answered_with_200_in_the_handshake_era(app, method):
    status, answer = send(app, request(method))
    assert (status, answer["error"]["code"]) == (200, -32601)


@pytest.mark.parametrize("headers", [{}, {"MCP-Protocol-Version": "2025-03-26"}])
def test_a_batch_is_answered_by_an_array(app, headers):
    batch = [
        request("ping"),
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        request("nope", message_id=2),
        5,
    ]
    status, answers = send(app, batch, headers)
    assert status == 200
    assert [(answer["id"], "result" in answer) for answer in answers] == [
        (1, True),
        (2, False),
        (None, False),
    ]


def test_a_batch_of_notifications_is_taken_without_an_answer(app):
    response = app.test_client().post(
        "/mcp", json=[{"jsonrpc": "2.0", "method": "notifications/initialized"}]
    )
    assert (response.status_code, response.data) == (202, b"")


@pytest.mark.parametrize(
    ("batch", "version"),
    [
        ([], None),
        ([initialize()], None),
        ([request("ping")] * 51, None),
        ([request("ping")], "2025-06-18"),
        ([request("ping")], "2025-11-25"),
        ([request("ping")], VERSION),
    ],
)
def test_other_batches_are_refused(app, batch, version):
    status, answer = send(app, batch, {"MCP-Protocol-Version": version} if version else {})
    assert (status, answer["error"]["code"]) == (400, -32600)


@pytest.mark.parametrize("method", ["GET", "HEAD", "PUT", "PATCH", "DELETE", "FOO"])
def test_other_methods_get_405_and_what_is_allowed(app, method):
    response = app.test_client().open("/mcp", method=method, multiprocess=True)
    assert response.status_code == 405
    assert response.headers["Allow"] == "POST, OPTIONS"
    assert response.headers["Content-Type"] == "application/json"


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Accept": "text/html"}, 406),
        ({"Content-Type": "text/plain"}, 415),
        ({"Content-Type": ""}, 415),
        ({"Host": "evil.example.com"}, 421),
        ({"Host": "127.0.0.1:evil.com"}, 421),
        ({"Host": "127.0.0.1.evil.com"}, 421),
        ({"Origin": "http://evil.example.com"}, 403),
        ({"Origin": "null"}, 403),
        ({"Origin": "http://127.0.0.1.evil.com"}, 403),
    ],
)
def test_refused_headers_get_their_status_as_json(app, headers, status):
    response = app.test_client().post("/mcp", data=json.dumps(request("ping")), headers={**JSON, **headers})
    assert response.status_code == status
    assert response.get_json()["error"]["code"] == -32600


@pytest.mark.parametrize(
    "headers",
    [
        {"Accept": "*/*"},
        {"Accept": "application/*"},
        {"Accept": "text/event-stream, application/json;q=0.1"},
        {"Origin": "http://localhost:6274"},
        {"Origin": "https://127.0.0.1"},
        {"Host": "localhost:3000"},
        {"Host": "[::1]:3000"},
    ],
    ids=str,
)
def test_what_can_be_served_is_served(app, headers):
    assert send(app, request("ping"), headers)[0] == 200


def test_a_client_that_reads_event_streams_alone_gets_one_event(app):
    response = app.test_client().post("/mcp", json=request("ping"), headers={"Accept": "text/event-stream"})
    assert response.headers["Content-Type"] == "text/event-stream"
    assert response.data == b'event: message\ndata: {"jsonrpc":"2.0","id":1,"result":{}}\n\n'


@pytest.mark.parametrize(("method", "scope"), [("server/discover", "public"), ("tools/list", "private")])
def test_a_modern_list_says_how_long_it_may_be_kept(app, method, scope):
    status, answer = send(app, *modern(method))
    result = answer["result"]
    assert (status, result["resultType"]) == (200, "complete")
    assert result["_meta"]["io.modelcontextprotocol/serverInfo"]["name"] == "Test"
    assert (isinstance(result["ttlMs"], int), result["cacheScope"]) == (True, scope)


def test_a_modern_call_is_served(app):
    status, answer = send(app, *modern("tools/call", name="add", arguments={"a": 2, "b": "3"}))
    assert (status, answer["result"]["content"][0]["text"]) == (200, "5")
    assert "ttlMs" not in answer["result"]


@pytest.mark.parametrize("version", ["2026-07-28", None])
def test_discover_names_the_versions_that_are_served(app, version):
    assert send(app, *modern("server/discover"))[1]["result"]["supportedVersions"] == ["2026-07-28"]


@pytest.mark.parametrize(
    "change",
    [
        {"Mcp-Method": None},
        {"Mcp-Method": "TOOLS/CALL"},
        {"Mcp-Name": None},
        {"Mcp-Name": "other"},
        {"Mcp-Name": "=?base64?YWRk"},
        {"Mcp-Name": "=?base64?YWR?="},
        {"Mcp-Name": "=?base64?/w==?="},
        {"MCP-Protocol-Version": None},
        {"MCP-Protocol-Version": "2025-06-18"},
    ],
    ids=str,
)
def test_a_header_that_disagrees_with_the_body_is_a_mismatch(app, change):
    body, headers = modern("tools/call", name="add", arguments={"a": 1, "b": 1})
    changed = {name: value for name, value in {**headers, **change}.items() if value is not None}
    status, answer = send(app, body, changed)
    assert (status, answer["error"]["code"], answer["id"]) == (400, -32020, 1)


@pytest.mark.parametrize("name", ["   add  ", "=?base64?YWRk?="])
def test_padding_and_encoding_of_a_header_are_understood(app, name):
    body, headers = modern("tools/call", name="add", arguments={"a": 1, "b": 1})
    assert send(app, body, {**headers, "Mcp-Name": name})[0] == 200


@pytest.mark.parametrize("meta_value", [None, {}, *ALL_META], ids=str)
def test_an_incomplete_envelope_is_named(app, meta_value):
    body, headers = modern("tools/list")
    body["params"] = {} if meta_value is None else {"_meta": meta_value}
    status, answer = send(app, body, headers)
    assert (status, answer["error"]["code"], answer["id"]) == (400, -32602, 1)


def test_the_clients_own_name_is_not_needed(app):
    body, headers = modern("tools/list")
    body["params"]["_meta"].pop("io.modelcontextprotocol/clientInfo")
    assert send(app, body, headers)[0] == 200


def test_a_version_that_both_places_name_but_nobody_serves(app):
    body, headers = modern("tools/list", version="2099-01-01")
    status, answer = send(app, body, headers)
    assert (status, answer["error"]["code"]) == (400, -32022)
    assert answer["error"]["data"] == {"supported": ["2026-07-28"], "requested": "2099-01-01"}


def test_a_strange_version_header_without_an_envelope_is_refused(app):
    assert send(app, request("ping"), {"MCP-Protocol-Version": "1.0"})[0] == 400


@pytest.mark.parametrize(
    "method", ["initialize", "ping", "logging/setLevel", "resources/subscribe", "foo/bar"]
)
def test_methods_of_the_other_era_are_not_found(app, method):
    status, answer = send(app, *modern(method))
    assert (status, answer["error"]["code"]) == (404, -32601)


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({"jsonrpc": "2.0", "method": "notifications/x"}, 202),
        ({"jsonrpc": "2.0", "id": 1, "result": {}}, 400),
        ([request("ping")], 400),
    ],
)
def test_modern_notifications_responses_and_batches(app, body, status):
    response = app.test_client().post("/mcp", json=body, headers={"MCP-Protocol-Version": VERSION})
    assert response.status_code == status


@pytest.mark.parametrize(("level", "status"), [("info", 200), ("loud", 400)])
def test_the_log_level_of_an_envelope_is_checked(app, level, status):
    body, headers = modern("tools/list")
    body["params"]["_meta"] = meta(VERSION) | {"io.modelcontextprotocol/logLevel": level}
    assert send(app, body, headers)[0] == status


def test_a_preflight_is_answered_with_what_it_asks_for(app):
    asked = {
        "Origin": "http://localhost:6274",
        "Access-Control-Request-Headers": "x-dbplanet-username, mcp-name",
    }
    response = app.test_client().options("/mcp", headers=asked)
    assert response.status_code == 204
    assert response.headers["Access-Control-Allow-Headers"] == "x-dbplanet-username, mcp-name"
    assert response.headers["Access-Control-Allow-Origin"] == "http://localhost:6274"
    assert "Mcp-Session-Id" in response.headers["Access-Control-Expose-Headers"]
    assert response.headers["Vary"] == "Origin"


@pytest.mark.parametrize("cursor", ["x", "", 5])
def test_a_cursor_that_was_never_given_out_is_refused(app, cursor):
    assert send(app, request("tools/list", {"cursor": cursor}))[1]["error"]["code"] == -32602


@pytest.mark.parametrize(
    ("level", "ok"), [("debug", True), ("emergency", True), ("loud", False), (None, False)]
)
def test_the_log_level_is_one_of_the_eight(app, level, ok):
    answer = send(app, request("logging/setLevel", {"level": level}))[1]
    assert answer.get("result") == ({} if ok else None)


def test_a_body_over_the_limit_is_refused(app):
    raw = json.dumps(request("ping", {"x": "y" * 70_000})).encode()
    client = app.test_client()
    assert client.post("/mcp", data=raw, headers=JSON).status_code == 413


def test_both_spellings_of_the_path_are_served(app):
    assert app.test_client().post("/mcp/", json=request("ping"), headers=BOTH).status_code == 200


def test_a_name_that_is_there_twice_among_many_is_found_in_one_pass(app):
    raw = "{" + ",".join(f'"{number:x}":0' for number in range(5_000)) + ',"0":0}'
    calls = itertools.count()
    sys.setprofile(lambda frame, event, argument: next(calls) if event.endswith("call") else None)
    try:
        response = app.test_client().post("/mcp", data=raw, headers=JSON)
    finally:
        sys.setprofile(None)
    assert "'0' is there twice" in response.get_json()["error"]["message"]
    assert next(calls) < 30_000, "not each name counted among all"


def test_in_a_batch_one_fault_of_ours_is_one_error(monkeypatch, app):
    batch = [request("completion/complete", {"ref": {}, "argument": {}}), request("ping", message_id=2)]
    status, answers = send(app, batch)
    assert status == 200
    assert [answer["id"] for answer in answers] == [1, 2]


def test_a_batch_that_takes_too_long_is_told_to_send_the_rest_again(monkeypatch, app):
    monkeypatch.setattr("dbplanet.mcp.exchange.BATCH_SECONDS", -1.0)
    _, answers = send(app, [request("ping"), request("ping", message_id=2)])
    assert {answer["error"]["code"] for answer in answers} == {-32603}


def test_a_body_that_ends_too_soon_is_refused(app):
    raw = json.dumps(request("ping")).encode()
    longer = {"CONTENT_LENGTH": str(len(raw) + 5)}
    response = app.test_client().post("/mcp", data=raw, headers=JSON, environ_overrides=longer)
    assert (response.status_code, response.get_json()["error"]["code"]) == (400, -32600)
