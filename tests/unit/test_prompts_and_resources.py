"""What DB Planet offers besides tools, in both eras."""

import json

import pytest

from support.engine import modern
from support.mcp import make_app, post
from support.tenant import HEADERS, StubTenant


def ask(method, headers=HEADERS, answer=lambda method, path: (404, ""), **params):
    body = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
    with StubTenant(answer):
        return post(make_app(), body, headers).get_json()


def test_the_prompts_are_listed_with_their_arguments():
    prompts = ask("prompts/list")["result"]["prompts"]
    assert [prompt["name"] for prompt in prompts] == ["catch_up", "find_expert", "summarise_page"]
    assert prompts[1]["arguments"] == [
        {"name": "topic", "description": "The topic, in the words of the company", "required": True}
    ]


@pytest.mark.parametrize(
    ("name", "arguments", "words"),
    [
        ("catch_up", {}, "the last 7 days"),
        ("catch_up", {"days": "3"}, "the last 3 days"),
        ("find_expert", {"topic": "Brücken"}, "“Brücken”"),
        ("summarise_page", {"page": "Startseite"}, "“Startseite”"),
    ],
)
def test_a_prompt_names_the_tools_for_its_job(name, arguments, words):
    (message,) = ask("prompts/get", name=name, arguments=arguments)["result"]["messages"]
    assert message["role"] == "user"
    assert words in message["content"]["text"]
    tools = {tool for tool in message["content"]["text"].replace(",", " ").split() if "_" in tool}
    assert tools


@pytest.mark.parametrize(
    ("params", "words"),
    [
        ({"name": "nope"}, "Unknown prompt: nope"),
        ({"name": "find_expert"}, "topic is required"),
        ({"name": "find_expert", "arguments": {"topic": 5}}, "topic is not a text argument"),
        ({"name": "catch_up", "arguments": {"weeks": "1"}}, "weeks is not a text argument"),
        ({"name": "catch_up", "arguments": [1]}, "arguments must be an object"),
        ({}, "name must be a string"),
    ],
)
def test_a_wrong_prompt_or_argument_is_named(params, words):
    error = ask("prompts/get", **params)["error"]
    assert error["code"] == -32602
    assert words in error["message"]


def test_content_is_a_resource_template():
    (template,) = ask("resources/templates/list")["result"]["resourceTemplates"]
    assert template["uriTemplate"] == "dbplanet://{contentType}/{id}"
    assert ask("resources/list")["result"] == {"resources": []}


@pytest.mark.parametrize(
    ("typed", "values"),
    [("", 6), ("w", ["wiki-article", "workspace"]), ("page", ["page"]), ("x", [])],
)
def test_the_content_type_is_completed(typed, values):
    ref = {"type": "ref/resource", "uri": "dbplanet://{contentType}/{id}"}
    completion = ask("completion/complete", ref=ref, argument={"name": "contentType", "value": typed})[
        "result"
    ]
    found = completion["completion"]["values"]
    assert (len(found) if isinstance(values, int) else found) == values
    assert completion["completion"]["hasMore"] is False


def test_what_cannot_be_completed_has_no_values():
    ref = {"type": "ref/resource", "uri": "dbplanet://{contentType}/{id}"}
    completion = ask("completion/complete", ref=ref, argument={"name": "id", "value": "x"})["result"][
        "completion"
    ]
    assert completion == {"values": [], "total": 0, "hasMore": False}


@pytest.mark.parametrize("ref", [{"type": "ref/prompt", "name": "nope"}, {"type": "ref/x"}, "x"])
def test_an_unknown_reference_is_refused(ref):
    assert ask("completion/complete", ref=ref, argument={"name": "a", "value": ""})["error"]["code"] == -32602


ITEM = {"id": "t1", "data": {"message": "Hallo"}}


def test_a_resource_is_what_content_get_full_reads():
    contents = ask(
        "resources/read",
        answer=lambda method, path: (200, json.dumps(ITEM)),
        uri="dbplanet://timeline-item/t1",
    )["result"]["contents"]
    assert contents[0]["uri"] == "dbplanet://timeline-item/t1"
    assert contents[0]["mimeType"] == "text/markdown"
    assert "Hallo" in contents[0]["text"]


def test_ids_of_an_article_stand_behind_the_question_mark():
    asked = []

    def answer(method, path):
        asked.append(path)
        return 200, '{"rows": []}'

    ask("resources/read", answer=answer, uri="dbplanet://blog-article/a1?appId=b1&other=x")
    assert asked[0] == "/api/blog-article/a1/widgets/app-blog-b1-a1"


@pytest.mark.parametrize("uri", ["dbplanet://page", "http://x/y", "dbplanet://a/b/c", "x", ""])
def test_a_uri_of_another_form_is_not_found(uri):
    assert ask("resources/read", uri=uri)["error"] == {
        "code": -32002,
        "message": "Resource not found",
        "data": {"uri": uri},
    }
    body, headers = modern("resources/read", uri=uri)
    error = post(make_app(), body, {**HEADERS, **headers, "Mcp-Name": uri}).get_json()["error"]
    assert (error["code"], error["data"]) == (-32602, {"uri": uri})


@pytest.mark.parametrize(
    ("uri", "headers", "words"),
    [
        ("dbplanet://page/p1", HEADERS, "[404] The requested resource was not found."),
        ("dbplanet://page/p1", {}, "[401] Missing DB Planet credentials"),
        ("dbplanet://file/f1", HEADERS, "[400] Unsupported content type"),
        ("dbplanet://page/%2e%2e", HEADERS, "[400] Invalid arguments: contentId"),
    ],
)
def test_a_resource_that_cannot_be_read_says_why(uri, headers, words):
    assert words in ask("resources/read", headers=headers, uri=uri)["error"]["message"]
