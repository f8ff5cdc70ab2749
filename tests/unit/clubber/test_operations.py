"""What is decided about a document before it is sent."""

import pytest
from clubber_apis import READ_ONLY, Client, answering

OK = (200, "application/json", '{"data": {}}')
TWO = "query A { x } mutation B { y }"


@pytest.fixture(scope="module")
def api():
    with answering(lambda body: OK) as (url, received):
        yield url, received


@pytest.fixture
def received(api):
    api[1].clear()
    return api[1]


@pytest.mark.parametrize(
    ("query", "name"),
    [
        (TWO, "B"),
        (TWO, "A"),
        (TWO, None),
        ("query A{x};mutation B{y}", "A"),
        (",mutation B{y}", None),
        ("#c\nmutation B{y}", None),
        ("\ufeff,,, # query\n\r\n,mutation{y}", None),
        ('"""query"""mutation B{y}', None),
        ("subscription { y }", None),
        ("fragment F on M { a } mutation { y { ...F } }", None),
        ("mutation{y", None),
        ("mutation " + "{a" * 5_000, None),
        ("{" + "a{" * 40_000, None),
        ("MUTATION { y }", None),
        ("\u00a0mutation { y }", None),
    ],
)
def test_read_only_lets_nothing_through_that_is_not_certainly_a_query(api, received, query, name):
    arguments = {"query": query} | ({"operation_name": name} if name else {})
    text = Client(api[0], scope=READ_ONLY).error("execute_graphql_query", **arguments)
    assert text.startswith(("[403] Read-only mode: the query holds a ", "[400] "))
    assert received == []


@pytest.mark.parametrize(
    "query", ['{a(s:"mutation")}', "{mutation}", "query mutation { subscription }", "{x} # mutation {y}"]
)
def test_read_only_lets_queries_pass_that_only_look_like_mutations(api, received, query):
    Client(api[0], scope=READ_ONLY).text("execute_graphql_query", query=query)
    assert received == [{"query": query}]


def test_read_only_has_neither_create_nor_update(api, received):
    client = Client(api[0], scope=READ_ONLY)
    tools = {tool["name"]: tool for tool in client.request("tools/list")["tools"]}
    assert list(tools) == ["list_members", "get_member", "get_graphql_schema", "execute_graphql_query"]
    assert tools["execute_graphql_query"]["annotations"]["readOnlyHint"] is True
    for name in ("create_member", "update_member"):
        assert client.error(name, id="1", firstName="x").startswith(f"[403] {name} is not available")
    assert received == []


@pytest.mark.parametrize(
    ("query", "name", "said"),
    [
        (TWO, None, "operation_name: is required, because the query holds 2 operations: A, B"),
        (TWO, "Z", "operation_name: 'Z' is no operation of the query; it holds: A, B"),
        ("query A{x} query A{y}", "A", "operation_name: 'A' is the name of several operations"),
        ("subscription { y }", None, "Subscriptions have no single answer"),
    ],
)
def test_an_unclear_choice_is_refused_before_anything_is_sent(api, received, query, name, said):
    arguments = {"query": query} | ({"operation_name": name} if name else {})
    assert said in Client(api[0]).error("execute_graphql_query", **arguments)
    assert received == []


@pytest.mark.parametrize("spelling", ["operation_name", "operationName"])
def test_a_named_operation_is_sent_with_its_name(api, received, spelling):
    Client(api[0]).text("execute_graphql_query", query=TWO, **{spelling: "B"})
    assert received == [{"query": TWO, "operationName": "B"}]


@pytest.mark.parametrize(
    "arguments", [{}, {"variables": None}, {"operation_name": ""}, {"operation_name": " "}]
)
def test_what_is_not_given_is_not_sent(api, received, arguments):
    Client(api[0]).text("execute_graphql_query", query="{x}", **arguments)
    assert received == [{"query": "{x}"}]


@pytest.mark.parametrize(
    ("given", "sent"),
    [
        ({"a": 1}, {"a": 1}),
        ('{"a": 1}', {"a": 1}),
        ({}, {}),
        ('"{\\"a\\": \\"ü\\"}"', {"a": "ü"}),
        ({"a": None}, {"a": None}),
    ],
)
def test_variables_are_an_object_also_when_packed_in_a_string(api, received, given, sent):
    Client(api[0]).text("execute_graphql_query", query="{x}", variables=given)
    assert received == [{"query": "{x}", "variables": sent}]


@pytest.mark.parametrize("given", ["x", "[1]", [1], 5, True, "null", '{"a":'])
def test_variables_that_are_no_object_are_refused(api, received, given):
    text = Client(api[0]).error("execute_graphql_query", query="{x}", variables=given)
    assert text.startswith("[400] Invalid arguments: variables: ")
    assert received == []


@pytest.mark.parametrize("query", ["", None, 5 * [1], "x" * 100_001])
def test_a_query_must_be_text_of_a_bounded_length(api, received, query):
    assert "query" in Client(api[0]).error("execute_graphql_query", query=query)
    assert received == []


def test_what_cannot_be_read_here_is_judged_by_the_api(api, received):
    Client(api[0]).text("execute_graphql_query", query="{ a ( }")
    assert len(received) == 1
