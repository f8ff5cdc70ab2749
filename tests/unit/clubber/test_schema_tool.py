"""get_graphql_schema: old servers, closed ones, broken ones and very large ones."""

import json

import pytest
from clubber_apis import Client, answering, executing, is_introspection
from graphql import build_schema

from dbplanet.clubber.introspection import LADDER, introspection_query
from dbplanet.clubber.schema_text import PART_CHARS, Piece, parts

SDL = '''
"""A member."""
type Member { "The number." id: ID! friend: Member state: State @deprecated(reason: "gone") }
enum State { ACTIVE GONE }
input Filter { and: [Filter!] id: ID }
type Query { "All of them. Really." members(filter: Filter): [Member!]! }
type Mutation { addStar(id: ID!): Member }
'''
OFF = "GraphQL introspection has been disabled, but the requested query contained the field '__schema'."


def failing(message, times=1):
    return 200, "application/json", json.dumps({"data": None, "errors": [{"message": message}] * times})


def test_the_whole_of_a_small_schema_is_told_with_its_descriptions():
    with answering(executing(SDL)) as (url, _):
        result = Client(url).call("get_graphql_schema")
    text = result["content"][0]["text"]
    assert text.startswith(f"GraphQL schema of {url}: 1 queries, 1 mutations, 0 subscriptions, 5 types.")
    assert "  members(filter: Filter): [Member!]! — All of them." in text
    assert '"""The number."""' in text
    assert '@deprecated(reason: "gone")' in text
    assert result["structuredContent"]["mutations"] == ["addStar"]
    assert build_schema(result["structuredContent"]["sdl"])


QUERIES = list(dict.fromkeys(map(introspection_query, LADDER)))


@pytest.mark.parametrize("rung", range(len(QUERIES)))
def test_an_old_server_gets_a_query_that_it_understands(rung):
    known = QUERIES[rung:]
    execute = executing(SDL)

    def answer(body):
        return execute(body) if body["query"] in known else failing("Cannot query field 'isOneOf'")

    with answering(answer) as (url, received):
        assert "type Member" in Client(url).text("get_graphql_schema")
    assert len(received) == rung + 1


@pytest.mark.parametrize(
    "message",
    [
        OFF,
        "Cannot query '__schema': introspection is disabled.",
        "GraphQL introspection is not allowed by Apollo",
    ],
)
def test_introspection_that_is_off_is_told_once_with_what_still_works(message):
    with answering(lambda body: failing(message, 40)) as (url, received):
        text = Client(url).error("get_graphql_schema")
    assert text.startswith(f"[GRAPHQL] The API does not tell its schema: {message}")
    assert "list_members" in text
    assert len(received) == 1


def test_members_are_still_read_without_a_schema():
    def answer(body):
        people = {"data": {"members": [{"id": 1, "firstName": "Ada"}]}}
        return failing(OFF) if is_introspection(body) else (200, "application/json", json.dumps(people))

    with answering(answer) as (url, received):
        client = Client(url)
        assert json.loads(client.text("list_members")) == [{"id": 1, "firstName": "Ada"}]
        client.text("list_members")
    assert sum(map(is_introspection, received)) == 1


@pytest.mark.parametrize(
    "types",
    [
        None,
        [],
        [{"kind": "OBJECT", "name": "Query", "fields": None}],
        [{"kind": "OBJECT", "name": "A", "fields": 5}],
    ],
)
def test_a_schema_that_is_not_whole_is_told_by_names_or_not_at_all(types):
    body = json.dumps(
        {"data": {"__schema": {"queryType": {"name": "Query"}, "types": types, "directives": []}}}
    )
    with answering(lambda _: (200, "application/json", body)) as (url, _):
        assert "not a whole schema" in Client(url).text("get_graphql_schema")


def test_cyclic_types_end():
    with answering(executing(SDL)) as (url, _):
        text = Client(url).text("get_graphql_schema", types=["Member"], depth=5)
    assert text.startswith("2 types: Member and what is used by it")
    assert text.count("type Member") == 1


@pytest.mark.parametrize(
    ("wanted", "said"), [("Membre", "similar ones: Member"), ("Zzz", "search finds types")]
)
def test_an_unknown_type_is_named_with_similar_ones(wanted, said):
    with answering(executing(SDL)) as (url, _):
        text = Client(url).error("get_graphql_schema", types=wanted)
    assert text.startswith(f"[400] Invalid arguments: types: '{wanted}' is no type of the API")
    assert said in text


def test_search_finds_root_fields_types_and_fields():
    with answering(executing(SDL)) as (url, _):
        client = Client(url)
        assert "mutation addStar(id: ID!): Member" in client.text("get_graphql_schema", search="star")
        found = client.text("get_graphql_schema", search="STATE")
    assert "type State (enum)" in found
    assert "Member.state: State [deprecated: gone]" in found


def test_a_schema_of_5000_types_can_be_read_to_its_end():
    kinds = [f'"Type number {n}." type T{n} {{ id: ID! next: T{(n + 1) % 5000} }}' for n in range(5000)]
    with answering(executing("\n".join([*kinds, "type Query { t(id: ID): T0 }"]))) as (url, received):
        client = Client(url)
        first = client.call("get_graphql_schema")
        count = first["structuredContent"]["parts"]
        texts = [first["content"][0]["text"]]
        texts += [client.text("get_graphql_schema", part=part) for part in range(2, count + 1)]
        assert "type T4999 {" in client.text("get_graphql_schema", types=["T4999"], part=1)
        assert f"part: {count + 1} does not exist" in client.error("get_graphql_schema", part=count + 1)
    assert 'types=["Name"]' in texts[0]
    assert "part=2 goes on" in texts[0]
    assert max(map(len, texts)) <= PART_CHARS + 60
    whole = "\n".join(texts)
    assert all(f"type T{n} {{" in whole for n in range(5000))
    assert len(received) == 2


def test_a_schema_whose_full_introspection_is_too_large_is_asked_for_without_descriptions():
    words = "x" * 3_000
    sdl = "\n".join(f'"{words}" type T{n} {{ id: ID }}' for n in range(20)) + "\ntype Query { t: T1 }"
    with answering(executing(sdl)) as (url, _):
        text = Client(url, max_response_bytes=50_000).text("get_graphql_schema")
    assert "type T19" in text
    assert words not in text


def test_parts_lose_nothing_and_keep_the_limit():
    pieces = [Piece("a" * n) for n in (5, 99, 250, 1, 0, 100)] + [Piece("line\n" * 50)]
    packed = parts(pieces, 100)
    assert all(sum(len(piece.text) + 1 for piece in part) <= 101 for part in packed)
    joined = "".join(piece.text for part in packed for piece in part).replace("\n", "")
    assert joined == "".join(piece.text for piece in pieces).replace("\n", "")
