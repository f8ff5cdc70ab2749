from typing import Annotated, Literal

import pytest
from pydantic import Field

from dbplanet.mcp.arguments import Arguments, Integer, Text
from dbplanet.mcp.errors import ToolError

Number = Annotated[Integer, Field(ge=0, le=100, description="A number")]


def handler(
    connection,
    some_name: Annotated[Text, Field(description="A name", max_length=5)],
    number: Number | None = None,
    kind: Annotated[Literal["a", "b"], Field(description="A kind")] = "a",
):
    pass


ARGUMENTS = Arguments(handler)


def read(**raw):
    return ARGUMENTS.read({"someName": "x", **raw})


def fault(**raw):
    with pytest.raises(ToolError) as caught:
        ARGUMENTS.read(raw)
    assert caught.value.text.startswith("[400] Invalid arguments: ")
    return caught.value.text.removeprefix("[400] Invalid arguments: ")


def test_the_schema_is_flat_and_described():
    assert ARGUMENTS.schema == {
        "type": "object",
        "properties": {
            "someName": {"type": "string", "description": "A name", "maxLength": 5},
            "number": {"type": "integer", "description": "A number", "minimum": 0, "maximum": 100},
            "kind": {"type": "string", "enum": ["a", "b"], "description": "A kind", "default": "a"},
        },
        "required": ["someName"],
        "additionalProperties": False,
    }


def test_a_tool_without_arguments_still_has_properties():
    assert Arguments(lambda connection: None).schema == {
        "type": "object",
        "properties": {},
        "additionalProperties": False,
    }


@pytest.mark.parametrize(
    ("sent", "number"), [(41, 41), ("41", 41), (" 41 ", 41), ("+4", 4), ("0", 0), (41.0, 41), (None, None)]
)
def test_a_whole_number_may_come_in_quotes(sent, number):
    assert read(number=sent)["number"] == number


@pytest.mark.parametrize(
    "sent",
    [
        "1,000",
        "0x10",
        "1e3",
        "1.5",
        "1_0",
        "",
        "x",
        "null",
        "٣",
        "9" * 30,
        1.5,
        True,
        False,
        [1],
        {},
        float("nan"),
    ],
    ids=repr,
)
def test_what_is_no_whole_number_is_refused_by_name(sent):
    assert "number: " in fault(someName="x", number=sent)
    assert "is not a whole number" in fault(someName="x", number=sent)


@pytest.mark.parametrize(
    ("sent", "words"), [(-1, "is too small; the least is 0"), (101, "is too large; the most is 100")]
)
def test_a_number_out_of_bounds_is_told_the_bound(sent, words):
    assert fault(someName="x", number=sent) == f"number: {sent} {words}"


@pytest.mark.parametrize(
    ("sent", "kept"), [("123", "123"), ("[1]", "[1]"), ("null", "null"), (5, "5"), (1.5, "1.5")]
)
def test_a_string_stays_what_it_is_and_a_number_becomes_its_digits(sent, kept):
    assert ARGUMENTS.read({"someName": sent})["some_name"] == kept


@pytest.mark.parametrize("sent", [True, ["x"], {"a": 1}, "\ud800"], ids=ascii)
def test_what_is_no_string_is_refused_by_name(sent):
    assert fault(someName=sent).startswith("someName: ")


def test_what_is_missing_unknown_and_wrong_is_all_named():
    words = fault(number="x", colour="red")
    assert "someName: is required" in words
    assert "number: 'x' is not a whole number" in words
    assert (
        "colour: is not an argument of this tool; the arguments of this tool: someName, number, kind" in words
    )


def test_of_many_faults_the_first_are_told_and_the_rest_counted():
    words = fault(someName="x", **{f"k{number}": 1 for number in range(1000)})
    assert words.endswith("and 990 more faults")
    assert len(words) < 1000


def test_a_value_too_deep_to_show_is_refused_all_the_same():
    value = []
    for _ in range(100_000):
        value = [value]
    assert "(a value nested too deep)" in fault(someName=value)


def test_null_for_a_required_argument_is_missing():
    assert fault(someName=None) == "someName: is required"


def test_a_choice_names_every_allowed_value():
    assert fault(someName="x", kind="c") == "kind: 'c' is not one of 'a' or 'b'"


def test_a_long_wrong_value_is_shortened():
    assert len(fault(someName="x" * 10_000)) < 200


def test_the_python_name_of_an_argument_is_not_its_name():
    assert "some_name: is not an argument" in fault(some_name="x")
