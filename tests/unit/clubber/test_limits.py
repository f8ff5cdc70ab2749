"""What is slow, large, moved or no GraphQL at all, and how long answers are cut."""

import json
import time

import flask
import pytest
from clubber_apis import Client, answering, is_introspection, served

from dbplanet.clubber import clubber_server
from dbplanet.clubber.results import dumps, shortened
from dbplanet.mcp.errors import ToolError

JSON = "application/json"
OFF = (200, JSON, '{"errors": [{"message": "introspection is disabled"}]}')
MUTATION = "mutation { createMember { id } }"


def giving(data):
    return lambda body: OFF if is_introspection(body) else (200, JSON, json.dumps({"data": data}))


def test_a_slow_mutation_is_sent_once_and_may_have_been_carried_out():
    def answer(body):
        time.sleep(0.5)
        return 200, JSON, '{"data": {}}'

    with answering(answer) as (url, received):
        text = Client(url, read_timeout=0.1).error("execute_graphql_query", query=MUTATION)
        assert text.startswith(f"[TIMEOUT] The GraphQL API at {url} did not answer in time.")
        assert "may have been carried out" in text
    assert len(received) == 1


def test_the_deadline_bounds_all_requests_of_a_call_together():
    def answer(body):
        time.sleep(0.25)
        return giving({"members": []})(body)

    with answering(answer) as (url, received):
        assert Client(url, deadline=0.4).error("list_members").startswith("[TIMEOUT] ")
    assert len(received) == 2


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        ((404, "text/html", "<h1>Not Found</h1>"), "(HTTP 404, text/html): "),
        ((200, "text/html", "<html><body>Explorer</body></html>"), "(HTTP 200, text/html): Explorer"),
        ((502, "text/plain", "Bad gateway"), "(HTTP 502, text/plain): Bad gateway"),
        ((415, "", ""), "(HTTP 415"),
    ],
)
@pytest.mark.parametrize("tool", ["list_members", "get_graphql_schema"])
def test_what_is_no_graphql_is_told_with_its_beginning_and_never_retried(answer, said, tool):
    with answering(lambda body: answer) as (url, received):
        text = Client(url).error(tool)
    assert text.startswith(f"[502] {url} did not answer with GraphQL {said}")
    assert "CLUBBER_API_URL" in text
    assert len(received) == 1


@pytest.mark.parametrize("status", [301, 302, 307, 308])
def test_a_redirect_is_told_and_not_followed(status):
    app, seen = flask.Flask(__name__), []

    @app.post("/graphql")
    def moved():
        return flask.redirect("http://127.0.0.1:9/else?key=fake", status)

    @app.before_request
    def note():
        seen.append(flask.request.path)

    with served(app) as url:
        text = Client(url).error("execute_graphql_query", query="{x}")
    assert "a redirect to http://127.0.0.1:9/else)" in text
    assert "fake" not in text
    assert seen == ["/graphql"]


def test_an_answer_over_the_limit_of_bytes_is_refused():
    with answering(giving({"x": "y" * 5_000})) as (url, _):
        text = Client(url, max_response_bytes=2_000).error("execute_graphql_query", query="{x}")
    assert text.startswith(f"[502] The GraphQL API at {url} gave an answer of more than 2000 bytes.")


def test_a_secret_in_the_url_is_never_shown():
    with answering(lambda body: (500, "text/html", "<p>no</p>")) as (url, _):
        text = Client(f"{url}?token=fake-token").error("list_members")
    assert "fake-token" not in text


@pytest.mark.parametrize(
    "url", ["", "graphql", "ftp://h/", "http://u:p@h/", "http:///x", "file:///etc/passwd"]
)
def test_a_url_of_no_api_is_refused_at_the_start(url):
    with pytest.raises(ValueError, match="is not an http or https URL"):
        clubber_server(url)


def test_a_refusal_makes_the_schema_be_asked_for_again():
    def answer(body):
        return OFF if is_introspection(body) else (400, JSON, '{"errors": [{"message": "Unknown field"}]}')

    with answering(answer) as (url, received):
        client = Client(url)
        assert client.error("list_members").startswith("[400] The API refused this; nothing was executed: ")
        client.error("list_members")
    assert sum(map(is_introspection, received)) == 2


def test_a_long_list_is_cut_between_members_and_can_be_read_to_its_end():
    people = [{"id": n, "firstName": "ä" * (n % 90), "address": '"],[{'} for n in range(500)]
    with answering(giving({"members": people})) as (url, _):
        client, read, offset = Client(url, max_text_chars=1_000), [], 0
        while offset is not None:
            result = client.call("list_members", offset=offset)
            text = result["content"][0]["text"]
            assert len(text) <= 1_000
            assert json.loads(text) == result["structuredContent"]["result"]
            read += json.loads(text)
            offset = result["structuredContent"].get("nextOffset")
    assert read == people
    assert result["content"][1]["text"].endswith("of 500.")


@pytest.mark.parametrize(
    ("arguments", "ids", "told"),
    [
        ({"limit": 2}, [0, 1], "Members 1 to 2 of 4. Call again with offset=2 for the next."),
        (
            {"limit": "2", "offset": "1"},
            [1, 2],
            "Members 2 to 3 of 4. Call again with offset=3 for the next.",
        ),
        ({"offset": 3}, [3], "Members 4 to 4 of 4."),
        ({"offset": 9}, [], "There are 4 members; none at offset 9."),
        ({"limit": 9}, [0, 1, 2, 3], None),
    ],
)
def test_limit_and_offset_choose_members(arguments, ids, told):
    with answering(giving({"members": [{"id": n} for n in range(4)]})) as (url, _):
        result = Client(url).call("list_members", **arguments)
    assert [member["id"] for member in result["structuredContent"]["result"]] == ids
    assert [block["text"] for block in result["content"][1:]] == ([told] if told else [])


@pytest.mark.parametrize("arguments", [{"limit": 0}, {"limit": "many"}, {"offset": -1}, {"first": 3}])
def test_a_wrong_limit_is_refused_by_name(arguments):
    text = Client("http://127.0.0.1:9/graphql").error("list_members", **arguments)
    assert text.startswith(f"[400] Invalid arguments: {next(iter(arguments))}: ")


def test_a_long_result_stays_valid_json_and_says_that_it_was_cut():
    with answering(giving({"a": [{"b": "x" * 50}] * 1_000, "c": "y" * 9_000})) as (url, _):
        result = Client(url, max_text_chars=2_000).call("execute_graphql_query", query="{x}")
    text, note = (block["text"] for block in result["content"])
    assert len(text) <= 2_000
    assert json.loads(text) == result["structuredContent"]
    assert "lists and texts in it were cut" in note


@pytest.mark.parametrize("size", [50, 100, 500, 5_000])
def test_shortening_keeps_as_many_entries_as_fit(size):
    value = {"data": {"list": list(range(10_000))}}
    short = shortened(value, size)
    assert len(dumps(short)) <= size
    kept = len(short["data"]["list"])
    assert len(dumps({"data": {"list": list(range(kept + 1))}})) > size


def test_what_cannot_be_shortened_is_an_error():
    with pytest.raises(ToolError):
        shortened({str(n): n for n in range(1_000)}, 100)
