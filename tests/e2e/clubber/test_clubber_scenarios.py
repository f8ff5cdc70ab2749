"""Every scenario of the specification, over HTTP and stdio, against a strawberry and an ariadne API."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from dbplanet.clubber import DEFAULT_API_URL, api_url_in
from dbplanet.sandbox.clubber.store import Members
from e2e.clubber.agents import TRANSPORTS, Agent, stdio_agent
from e2e.clubber.registers import PEOPLE, REGISTERS
from e2e.processes import port_that_refuses
from unit.clubber.clubber_apis import served

PAIRS = [(transport, library) for transport in TRANSPORTS for library in REGISTERS]


@dataclass(frozen=True)
class Stage:
    """One agent before one API, whose members stand in ``members``."""

    agent: Agent
    members: Members


@contextmanager
def staged(folder: Path, transport: str, library: str, **options: Any) -> Iterator[Stage]:
    database = folder / f"{transport} {library}.sqlite"
    with (
        served(REGISTERS[library](database, **options)) as url,
        TRANSPORTS[transport](url) as agent,
    ):
        yield Stage(agent, Members(database))


@pytest.fixture(scope="module", params=PAIRS, ids="-".join)
def stage(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
    with staged(tmp_path_factory.mktemp("registers"), *request.param) as made:
        yield made


@pytest.fixture
def agent(stage: Stage) -> Agent:
    return stage.agent


def stored(stage: Stage) -> list[dict[str, Any]]:
    return [dict(row) for row in stage.members.all()]


def test_mcp_server_starts_successfully(agent: Agent):
    assert agent.tools() == [
        "list_members",
        "get_member",
        "create_member",
        "update_member",
        "get_graphql_schema",
        "execute_graphql_query",
    ]


def test_list_all_members_successfully(agent: Agent):
    answer = agent.call("list_members")
    assert [member["firstName"] for member in answer.json][:3] == ["Jürgen", "Ayşe", "Zoë"]
    assert set(answer.json[0]) == {"id", "firstName", "lastName", "address", "email", "phone"}
    assert answer.structured == {"result": answer.json}
    assert len(answer.texts) == 1


def test_list_members_when_database_is_empty(tmp_path: Path):
    with staged(tmp_path, "http", "strawberry", seed=()) as stage:
        answer = stage.agent.call("list_members")
    assert (answer.json, answer.structured) == ([], {"result": []})


@pytest.mark.parametrize("member_id", [1, "1"])
def test_get_member_by_valid_id(agent: Agent, member_id: Any):
    answer = agent.call("get_member", id=member_id)
    assert (answer.json["id"], answer.json["lastName"]) == (1, "Müller")
    assert answer.structured == answer.json


def test_get_member_with_nonexistent_id(agent: Agent):
    assert agent.fail("get_member", id=999) == "[404] Member 999 was not found."


def test_create_member_with_minimal_data(stage: Stage):
    created = stage.agent.call("create_member", firstName="Alice").json
    assert created == {
        **dict.fromkeys(("lastName", "address", "email", "phone")),
        "id": created["id"],
        "firstName": "Alice",
    }
    assert stored(stage)[-1]["id"] == created["id"]


def test_create_member_with_complete_data(stage: Stage):
    given = {
        "firstName": "Björn",
        "lastName": 'O\'Neill "x"',
        "address": "Straße 1\n{injected: true}",
        "email": "b@club.example",
        "phone": "007",
    }
    created = stage.agent.call("create_member", **given).json
    assert created == {**given, "id": created["id"]}
    assert stored(stage)[-1]["address"] == given["address"]


def test_create_member_with_invalid_email(stage: Stage):
    before = stored(stage)
    text = stage.agent.fail("create_member", firstName="A", email="not-an-email")
    assert text == "[GRAPHQL] The API reports an error: Invalid email format: not-an-email"
    assert stored(stage) == before


def test_update_member_successfully(stage: Stage):
    before = stage.agent.call("get_member", id=2).json
    updated = stage.agent.call("update_member", id=2, email="updated@example.com").json
    assert updated == {**before, "email": "updated@example.com"}
    assert stored(stage)[1]["email"] == "updated@example.com"


@pytest.mark.parametrize("changes", [{}, {"email": "a@club.example"}])
def test_update_member_with_invalid_id(agent: Agent, changes: dict[str, str]):
    assert agent.fail("update_member", id=999, **changes) == "[404] Member 999 was not found."


def test_an_update_without_changes_names_what_can_be_changed(agent: Agent):
    text = agent.fail("update_member", id=1)
    assert text.startswith("[400] Nothing to change was given; the API accepts: firstName, lastName")


def test_get_graphql_schema_successfully(agent: Agent):
    answer = agent.call("get_graphql_schema")
    for part in ("QUERIES", "members: [Member!]!", "MUTATIONS", "createMember(", "input CreateMemberInput {"):
        assert part in answer.text
    assert answer.structured["queries"] == ["members", "member"]


def test_execute_valid_graphql_query(agent: Agent):
    answer = agent.call("execute_graphql_query", query="{ one: member(id: 1) { id lastName } }")
    assert answer.json == {"data": {"one": {"id": 1, "lastName": "Müller"}}} == answer.structured


@pytest.mark.parametrize("variables", [{"id": 1}, '{"id": 1}'])
def test_execute_graphql_query_with_variables(agent: Agent, variables: Any):
    query = "query Q($id: Int!) { member(id: $id) { id } }"
    assert agent.call("execute_graphql_query", query=query, variables=variables).json["data"]["member"] == {
        "id": 1
    }


def test_execute_graphql_mutation(stage: Stage):
    query = "mutation M($input: CreateMemberInput!) { createMember(input: $input) { id firstName } }"
    created = stage.agent.call(
        "execute_graphql_query", query=query, variables={"input": {"firstName": "Mu"}}
    ).json
    assert stored(stage)[-1]["id"] == created["data"]["createMember"]["id"]


def test_execute_invalid_graphql_query(stage: Stage):
    before = stored(stage)
    answer = stage.agent.attempt(
        "execute_graphql_query", query='mutation {\n  createMember(input: {firstName: "x"}) {'
    )
    assert answer.is_error
    assert answer.text.startswith("[400] The API refused this; nothing was executed: Syntax Error")
    assert answer.structured["errors"][0]["line"] == 2
    assert stored(stage) == before


def test_execute_query_with_graphql_validation_errors(stage: Stage):
    before = stored(stage)
    query = 'mutation {\n  createMember(input: {firstName: "x"}) { id shoeSize } }'
    answer = stage.agent.attempt("execute_graphql_query", query=query)
    (error,) = answer.structured["errors"]
    assert (error["line"], error["column"], error["field"]) == (2, 46, "createMember.shoeSize")
    assert "shoeSize" in answer.text
    assert stored(stage) == before


def test_a_missing_variable_is_a_request_error(agent: Agent):
    text = agent.fail("execute_graphql_query", query="query($id: Int!) { member(id: $id) { id } }")
    assert text.startswith("[400] The API refused this; nothing was executed: Variable '$id'")


def test_a_null_result_of_a_query_is_a_result(agent: Agent):
    assert agent.call("execute_graphql_query", query="{ member(id: 999) { id } }").json == {
        "data": {"member": None}
    }


def test_a_partial_result_is_an_error_that_keeps_data_and_errors(stage: Stage):
    query = """mutation { good: updateMember(id: 3, input: {phone: "1"}) { phone }
      bad: updateMember(id: 3, input: {email: "no"}) { id } }"""
    answer = stage.agent.attempt("execute_graphql_query", query=query)
    assert answer.is_error
    assert answer.structured["data"] == {"good": {"phone": "1"}, "bad": None}
    assert answer.structured["errors"][0]["path"] == ["bad"]
    assert "Invalid email format: no" in answer.text
    assert '"phone": "1"' in answer.text
    assert stored(stage)[2]["phone"] == "1"


def test_several_operations_without_a_name_never_reach_the_api(stage: Stage):
    before = stored(stage)
    query = 'mutation M { createMember(input: {firstName: "x"}) { id } } query Q { members { id } }'
    assert "operation_name" in stage.agent.fail("execute_graphql_query", query=query)
    assert (
        "members" in stage.agent.call("execute_graphql_query", query=query, operation_name="Q").json["data"]
    )
    assert stored(stage) == before


@pytest.mark.parametrize("library", REGISTERS)
def test_members_work_on_where_introspection_is_off(tmp_path: Path, library: str):
    with staged(tmp_path, "http", library, introspection=False) as stage:
        text = stage.agent.fail("get_graphql_schema")
        assert text.startswith("[GRAPHQL] The API does not tell its schema:")
        assert "introspection" in text
        assert len(stage.agent.call("list_members").json) == len(PEOPLE)
        assert stage.agent.call("create_member", firstName="Neu").json["id"] == 4
        assert stage.agent.call("update_member", id=4, phone="1").json["phone"] == "1"


@pytest.mark.parametrize("transport", TRANSPORTS)
def test_graphql_api_unavailable(transport: str):
    calls: dict[str, dict[str, Any]] = {
        "list_members": {},
        "get_member": {"id": 1},
        "create_member": {"firstName": "A"},
        "update_member": {"id": 1, "phone": "1"},
        "get_graphql_schema": {},
        "execute_graphql_query": {"query": "{members{id}}"},
    }
    with port_that_refuses() as port, TRANSPORTS[transport](f"http://127.0.0.1:{port}/graphql") as agent:
        for tool, arguments in calls.items():
            text = agent.fail(tool, **arguments)
            assert text.startswith(
                f"[NETWORK] The GraphQL API at http://127.0.0.1:{port}/graphql is unreachable"
            )
            assert f"python -m dbplanet.sandbox.clubber --port {port}" in text


def test_read_only_over_stdio(tmp_path: Path):
    with (
        served(REGISTERS["strawberry"](tmp_path / "m.sqlite")) as url,
        stdio_agent(url, DBPLANET_READ_ONLY="true") as agent,
    ):
        assert "create_member" not in agent.tools()
        assert agent.fail("execute_graphql_query", query=",mutation { x }").startswith("[403] Read-only mode")
        assert len(agent.call("list_members").json) == len(PEOPLE)


def test_custom_api_url_configuration():
    assert api_url_in({"CLUBBER_API_URL": "http://localhost:3000/graphql"}) == "http://localhost:3000/graphql"


@pytest.mark.parametrize("environ", [{}, {"CLUBBER_API_URL": ""}])
def test_default_api_url(environ: dict[str, str]):
    assert api_url_in(environ) == DEFAULT_API_URL == "http://127.0.0.1:8000/graphql"
