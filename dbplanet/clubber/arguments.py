"""The arguments of the clubber tools."""

from __future__ import annotations

from typing import Annotated, Any, Final

from pydantic import AliasChoices, BeforeValidator, Field, WithJsonSchema
from pydantic_core import PydanticCustomError

from dbplanet.mcp.arguments import Integer, Object, Text

_NAMES: Final = {"type": "array", "items": {"type": "string"}}


def _names(value: Any) -> list[str]:
    names = value.split(",") if isinstance(value, str) else value
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise PydanticCustomError("names", "is not a list of names")
    return [name.strip() for name in names if name.strip()]


Names = Annotated[list[str], BeforeValidator(_names), WithJsonSchema(_NAMES)]
"""A list of names; one text with commas is taken for one."""

MemberId = Annotated[
    Text,
    Field(validation_alias=AliasChoices("id", "memberId"), min_length=1, description="Member ID, such as 1"),
]
FirstName = Annotated[
    Text, Field(validation_alias=AliasChoices("firstName", "first_name"), description="First name")
]
LastName = Annotated[
    Text, Field(validation_alias=AliasChoices("lastName", "last_name"), description="Last name")
]
Address = Annotated[Text, Field(description="Postal address")]
Email = Annotated[Text, Field(description="E-mail address; the API checks it")]
Phone = Annotated[Text, Field(description="Phone number")]
Fields = Annotated[
    Object,
    Field(
        description="Further fields that this API's members have, by the API's own names; "
        "a field set to null here is emptied"
    ),
]
Limit = Annotated[Integer, Field(ge=1, description="The most members to return (default: all that fit)")]
Offset = Annotated[Integer, Field(ge=0, description="Members to leave out at the beginning (default 0)")]
Query = Annotated[
    Text,
    Field(
        min_length=1, max_length=100_000, description="GraphQL document: a query or mutation, with $variables"
    ),
]
Variables = Annotated[Object, Field(description="Values of the document's variables, by name")]
OperationName = Annotated[
    Text,
    Field(
        validation_alias=AliasChoices("operation_name", "operationName"),
        description="Which operation to run, where the document holds several",
    ),
]
Types = Annotated[Names, Field(description="Show the definitions of these types only")]
Depth = Annotated[
    Integer,
    Field(ge=0, le=5, description="With types: how many steps of the types they use to add (default 0)"),
]
Search = Annotated[
    Text, Field(min_length=1, max_length=200, description="Find fields and types by a part of their name")
]
Part = Annotated[Integer, Field(ge=1, description="Which part of a long answer (default 1)")]
