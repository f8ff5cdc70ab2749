from __future__ import annotations

import json

import pytest

from dbplanet.sandbox import CREDENTIALS

JOURNAL, FAULTS = "/__sandbox__/requests", "/__sandbox__/faults"


def test_the_journal_tells_what_came_and_never_a_secret(client, anna):
    anna.call("GET", "/api/search?term=Br%C3%BCcke&_page=0&access_token=geheim")
    anna.call("POST", "/api/workspaces", json={"name": ""})
    query = {"grant_type": "password", "username": "anna.schmidt", "password": CREDENTIALS.password}
    client.post("/api/oauth/token", query_string=query)
    entries = client.get(JOURNAL).json
    assert [(entry["method"], entry["path"], entry["status"]) for entry in entries] == [
        ("POST", "/api/oauth/token", 200),
        ("GET", "/api/search", 200),
        ("POST", "/api/workspaces", 400),
        ("POST", "/api/oauth/token", 401),
    ]
    assert entries[1]["query"] == "term=Br%C3%BCcke&_page=0&access_token=%2A%2A%2A"
    assert entries[2]["body"] == {"name": ""}
    text = json.dumps(entries)
    assert CREDENTIALS.password not in text
    assert entries[0]["body"] == {"grant_type": "password", "username": "anna.schmidt", "password": "***"}
    assert anna.headers["Authorization"].split()[1] not in text
    assert client.delete(JOURNAL).status_code == 204
    assert client.get(JOURNAL).json == []


def test_a_fault_answers_as_told_and_as_often_as_told(client, anna):
    fault = {
        "match": "^GET /api/users/me$",
        "status": 429,
        "headers": {"Retry-After": "3"},
        "body": "<h1>zu viel</h1>",
        "content_type": "text/html",
        "times": 2,
    }
    assert client.post(FAULTS, json=[fault]).status_code == 200
    for _ in range(2):
        answer = anna.call("GET", "/api/users/me")
        assert (answer.status_code, answer.data) == (429, b"<h1>zu viel</h1>")
        assert (answer.headers["Retry-After"], answer.content_type) == ("3", "text/html")
        assert anna.call("GET", "/api/users").status_code == 200
    assert anna.call("GET", "/api/users/me").status_code == 200


def test_faults_work_on_the_token_endpoint_until_cleared(client):
    client.post(FAULTS, json=[{"match": "POST /api/oauth/token", "status": 503}])
    assert [client.post("/api/oauth/token").status_code for _ in range(3)] == [503] * 3
    assert client.get(FAULTS).json[0]["status"] == 503
    assert client.delete(FAULTS).status_code == 204
    assert client.post("/api/oauth/token").status_code == 401


def test_a_new_list_of_faults_replaces_the_old_one(client):
    client.post(FAULTS, json=[{"match": ".", "status": 500}])
    client.post(FAULTS, json=[])
    assert client.post("/api/oauth/token").status_code == 401


def test_a_delay_alone_lets_the_request_through(client, anna):
    client.post(FAULTS, json=[{"match": "/api/users/me", "delay": 0.001}])
    assert anna.get("/api/users/me")["displayName"] == "Anna Schmidt"


def test_a_dropped_connection_has_no_answer(client, anna):
    client.post(FAULTS, json=[{"match": "/api/users/me", "drop": True, "times": 1}])
    with pytest.raises(ConnectionResetError):
        anna.call("GET", "/api/users/me")
    assert client.get(JOURNAL).json[-1]["status"] is None
    assert anna.call("GET", "/api/users/me").status_code == 200


@pytest.mark.parametrize(
    "faults",
    [
        None,
        {},
        ["x"],
        [{}],
        [{"match": "("}],
        [{"match": 1}],
        [{"match": ".", "colour": "red"}],
        [{"match": ".", "delay": "1"}],
    ],
    ids=str,
)
def test_a_fault_that_cannot_be_meant_is_400(client, faults):
    assert client.post(FAULTS, json=faults).status_code == 400
    assert client.get(FAULTS).json == []


def test_two_sandboxes_in_one_process_share_nothing(make_sandbox):
    first, second = (make_sandbox(name).test_client() for name in ("one", "two"))
    first.post(FAULTS, json=[{"match": ".", "status": 500}])
    assert first.post("/api/oauth/token").status_code == 500
    assert second.post("/api/oauth/token").status_code == 401
    assert len(second.get(JOURNAL).json) == 1
