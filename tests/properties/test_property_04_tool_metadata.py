"""Feature: dbplanet-mcp-tools, Property 4: Tool metadata completeness."""

import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dbplanet.tools import ALL_TOOLS, TOOLSETS
from support.inventory import INVENTORY
from support.mcp import make_app, post

WRITES = {
    *("Workspace_Join", "Workspace_Create", "Event_UpdateStatus", "Event_Create", "Social_PostComment"),
    *("Social_ToggleLike", "Notification_MarkSeen", "Page_Create"),
}


def listed():
    answer = post(make_app(), {"jsonrpc": "2.0", "id": 1, "method": "tools/list"})
    return answer.data, answer.get_json()["result"]["tools"]


@given(st.sampled_from(ALL_TOOLS))
def test_every_tool_has_a_name_a_description_and_a_flat_schema(tool):
    # Feature: dbplanet-mcp-tools, Property 4: Tool metadata completeness
    definition = tool.definition()
    assert re.fullmatch(r"[A-Z][a-z]+_[A-Z][A-Za-z]+", definition["name"])
    assert len(definition["name"]) <= 40
    assert len(definition["description"]) > 20
    schema = definition["inputSchema"]
    assert (schema["type"], schema["additionalProperties"]) == ("object", False)
    assert set(schema.get("required", [])) <= set(schema["properties"])
    for name, spec in schema["properties"].items():
        assert re.fullmatch(r"[a-z][A-Za-z]*", name)
        assert spec["type"] in ("string", "integer"), "one plain type each"
        assert spec["description"]
        assert not {"anyOf", "oneOf", "allOf", "$ref", "title"} & spec.keys()


def test_the_list_is_the_specifications_inventory():
    assert [tool["name"] for tool in listed()[1]] == INVENTORY


def test_the_list_stays_within_its_budget():
    assert len(listed()[0]) < 20_000


def test_the_list_is_the_same_each_time():
    assert listed()[0] == listed()[0]


@pytest.mark.parametrize("tool", ALL_TOOLS, ids=lambda tool: tool.name)
def test_annotations_tell_reads_from_writes(tool):
    hints = tool.annotations.definition()
    assert hints["readOnlyHint"] is (tool.name not in WRITES)


def test_each_area_has_its_module():
    for area, tools in TOOLSETS.items():
        assert {tool.handler.__module__ for tool in tools} == {f"dbplanet.tools.{area}"}


def test_the_whole_list_has_no_unions_and_no_references():
    words = json.dumps(listed()[1])
    assert not re.search(r'"(anyOf|oneOf|allOf|\$ref|\$defs)"', words)
