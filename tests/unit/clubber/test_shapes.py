"""The member tools over the shapes of members that APIs have."""

import json

import pytest
from clubber_apis import Client, answering, executing, is_introspection
from graphql import build_schema, parse, validate
from shapes import MEMBER, READS, SHAPES, WRITABLE

from dbplanet.clubber.members import generate
from dbplanet.clubber.naming import CREATE, GET, LIST, UPDATE
from dbplanet.clubber.selecting import select
from dbplanet.mcp.errors import ToolError


def errors_in(schema, request):
    return [error.message for error in validate(schema, parse(request.document))]


@pytest.mark.parametrize("name", SHAPES)
def test_generated_reads_are_valid(name):
    schema = build_schema(SHAPES[name].sdl)
    for request in (generate(schema, LIST), generate(schema, GET, {}, "7")):
        assert errors_in(schema, request) == []
    assert list((generate(schema, GET, {}, "7").variables or {}).values()) == [SHAPES[name].member_id]


@pytest.mark.parametrize("name", WRITABLE)
def test_generated_writes_are_valid_and_send_only_what_was_given(name):
    schema, shape = build_schema(SHAPES[name].sdl), SHAPES[name]
    created = generate(schema, CREATE, {"firstName": "Ada"})
    updated = generate(schema, UPDATE, {"email": "a@b.de"}, "7")
    assert errors_in(schema, created) == errors_in(schema, updated) == []
    assert (created.variables, updated.variables) == (shape.created, shape.updated)
    assert "Ada" not in created.document


@pytest.mark.parametrize("action", [CREATE, UPDATE])
def test_an_api_without_mutations_says_so(action):
    with pytest.raises(ToolError, match=r"The API has no field to .* members; it has no mutations"):
        generate(build_schema(SHAPES["no mutations"].sdl), action, {"firstName": "Ada"})


@pytest.mark.parametrize("name", WRITABLE)
def test_an_unknown_value_names_the_accepted_ones(name):
    with pytest.raises(ToolError) as caught:
        generate(build_schema(SHAPES[name].sdl), CREATE, {"firstName": "Ada", "shoeSize": 43})
    message = caught.value.message.replace("_", "").lower()
    assert message.startswith("the api does not accept: shoesize; it accepts: ")
    assert "firstname" in message
    assert "email" in message


def test_a_required_value_that_misses_is_named():
    schema = build_schema(SHAPES["input object"].sdl)
    with pytest.raises(ToolError, match="The API requires also: firstName"):
        generate(schema, CREATE, {"email": "a@b.de"})


@pytest.mark.parametrize("member_id", ["x", "1.5", "1e3", "", "٣"])
def test_an_id_that_is_no_number_is_refused_where_the_api_wants_one(member_id):
    with pytest.raises(ToolError, match="is not a whole number"):
        generate(build_schema(SHAPES["input object"].sdl), GET, {}, member_id)


def test_the_selection_is_complete_one_level_deep_and_free_of_the_deprecated():
    schema = build_schema(
        """type Team { id: ID! name: String lead: Member }
        type Member { id: ID! firstName: String friends: [Member!]! team: Team tags: [String]
          old: String @deprecated(reason: "gone") photo(size: Int!): String secret(x: Int): String }
        type Query { member(id: ID!): Member members: [Member] }"""
    )
    request = generate(schema, GET, {}, "7")
    assert request.selection.text == (
        "{ id firstName friends { id firstName tags secret } team { id name } tags secret }"
    )
    assert errors_in(schema, request) == []


def test_types_of_a_union_that_disagree_make_a_valid_selection():
    schema = build_schema(SHAPES["union results"].sdl)
    selection = select(schema, schema.query_type.fields["member"])
    assert selection.kinds == {"Member"}
    assert "... on ValidationError { message field }" in selection.text


# What an API answers to create_member or get_member → the error that the tool gives.
TOLD = {
    "null": ("input object", "get_member", {"member": None}, "[404] Member 7 was not found."),
    "payload": (
        "payload type",
        "create_member",
        {"createMember": {"member": None, "errors": [{"field": "email", "message": "no e-mail"}]}},
        "[GRAPHQL] The API reports an error: no e-mail (field email)",
    ),
    "union": (
        "union results",
        "create_member",
        {"createMember": {"__typename": "ValidationError", "message": "no e-mail", "field": None}},
        "[GRAPHQL] The API reports an error: no e-mail",
    ),
    "union not found": (
        "union results",
        "get_member",
        {"member": {"__typename": "NotFound", "message": "nobody"}},
        "[404] Member 7 was not found: nobody",
    ),
    "null payload": ("relay", "create_member", {"createMember": None}, "[404] The new member was not found."),
}


@pytest.mark.parametrize("case", TOLD)
def test_each_way_of_saying_no_is_an_error(case):
    shape, tool, data, said = TOLD[case]
    schema = executing(SHAPES[shape].sdl)

    def answer(body):
        return (
            schema(body) if is_introspection(body) else (200, "application/json", json.dumps({"data": data}))
        )

    with answering(answer) as (url, _):
        arguments = {"id": 7} if tool == "get_member" else {"firstName": "Ada", "email": "x"}
        assert Client(url).error(tool, **arguments) == said


PAGED = {
    "offset": "members(limit: Int = 2, offset: Int = 0): [Member!]!",
    "page": "members(page: Int = 1, perPage: Int = 2): [Member!]!",
    "cursor": "members(first: Int!, after: String): MemberConnection!",
    "whole": "members: [Member!]!",
    "deaf": "members(limit: Int, offset: Int, sort: String): [Member!]!",
}
PEOPLE = [{"id": n, "firstName": f"M{n}"} for n in range(1, 8)]


class Pages:
    """An API that never gives more than three members at once, or does not heed paging at all."""

    def __init__(self, way):
        self.way = way

    def members(self, info, limit=2, offset=0, page=1, first=2, after=None, **others):
        if self.way in ("whole", "deaf"):
            return PEOPLE
        if self.way == "offset":
            return PEOPLE[offset : offset + min(limit, 3)]
        if self.way == "page":
            return PEOPLE[(page - 1) * 3 : page * 3]
        start = int(after or 0)
        end = start + min(first, 3)
        edges = [{"cursor": str(n), "node": person} for n, person in enumerate(PEOPLE[start:end])]
        return {"edges": edges, "pageInfo": {"hasNextPage": end < len(PEOPLE), "endCursor": str(end)}}


@pytest.mark.parametrize("way", PAGED)
def test_list_members_is_complete_however_the_api_pages(way):
    sdl = f"""{MEMBER} type Query {{ {PAGED[way]} }} type MemberEdge {{ cursor: String node: Member }}
    type PageInfo {{ hasNextPage: Boolean! endCursor: String }}
    type MemberConnection {{ edges: [MemberEdge] pageInfo: PageInfo! }}"""
    with answering(executing(sdl, Pages(way))) as (url, _):
        result = Client(url).call("list_members")
    assert [member["id"] for member in result["structuredContent"]["result"]] == list(range(1, 8))
    assert list(result["structuredContent"]) == ["result"]


def test_an_update_that_may_erase_what_is_left_out_warns():
    sdl = f"""{MEMBER} {READS} input UpdateMemberInput {{ firstName: String = null email: String = null }}
    type Mutation {{ updateMember(id: Int!, input: UpdateMemberInput!): Member }}"""
    root = {"updateMember": lambda info, **given: {"id": given["id"], "firstName": "Ada"}}
    with answering(executing(sdl, root)) as (url, received):
        result = Client(url).call("update_member", id="7", email="a@b.de")
    assert received[-1]["variables"] == {"id": 7, "input": {"email": "a@b.de"}}
    assert "default of firstName, and may have emptied" in result["content"][1]["text"]


def test_null_in_fields_empties_a_field():
    sdl, root = (
        SHAPES["input object"].sdl,
        {"updateMember": lambda info, **given: {"id": given["id"], "firstName": "A"}},
    )
    with answering(executing(sdl, root)) as (url, received):
        Client(url).text("update_member", id="7", fields={"last_name": None})
    assert received[-1]["variables"] == {"id": 7, "input": {"lastName": None}}
