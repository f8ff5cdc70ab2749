"""Tool arguments: a JSON schema and a validator, both made from a handler's signature.

Models send integers as strings, null for "not given", and arguments that do not exist; what can only
mean one thing is accepted, everything else is refused by name with the fault and the fix, so that a
model can correct itself. Schemas are flat (one ``type`` per property, no ``anyOf``, no ``$ref``)
because several clients drop a whole tool list over one union.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Mapping
from types import NoneType, UnionType
from typing import Annotated, Any, Final, Union, get_args, get_origin, get_type_hints

from pydantic import BaseModel, BeforeValidator, ConfigDict, ValidationError, WithJsonSchema, create_model
from pydantic.alias_generators import to_camel
from pydantic_core import PydanticCustomError

from dbplanet.mcp.context import Context
from dbplanet.mcp.errors import ToolError
from dbplanet.mcp.protocol import RpcError, decode

_DIGITS: Final = re.compile(r"[+-]?[0-9]{1,18}")
_MOST_FAULTS: Final = 10  # told at once
_SHOWN: Final = 60  # characters of a wrong value that an error repeats


def _whole_number(value: Any) -> Any:
    if isinstance(value, str) and _DIGITS.fullmatch(value.strip()):
        return int(value)
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    raise PydanticCustomError("whole_number", "is not a whole number; send digits only, such as 41")


def _text(value: Any) -> Any:
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return str(value)
    if not isinstance(value, str):
        raise PydanticCustomError("text", "is not a string; send it in quotes")
    if any("\ud800" <= character <= "\udfff" for character in value):
        raise PydanticCustomError("text", "holds half of a surrogate pair; send whole characters")
    return value


Integer = Annotated[int, BeforeValidator(_whole_number)]
"""A whole number; digits in a string are accepted, ``true``, ``1.5`` and ``"1,000"`` are not."""

Text = Annotated[str, BeforeValidator(_text)]
"""A string, kept as it is; a number becomes its digits."""

_NESTING: Final = 3  # how often an object may be packed into a string
_DEPTH: Final = 100  # how deep an object may be


def _object(value: Any) -> Any:
    for _ in range(_NESTING):
        if not isinstance(value, str):
            break
        try:
            value = decode(value.encode("utf-8", "backslashreplace"))
        except RpcError:
            raise PydanticCustomError("object", "is not a JSON object") from None
    if not isinstance(value, dict):
        raise PydanticCustomError("object", "is not a JSON object")
    if _is_deeper(value, _DEPTH):
        raise PydanticCustomError("object", "is nested too deep; the most is 100 levels")
    return value


def _is_deeper(value: Any, limit: int) -> bool:
    level = [value]
    for _ in range(limit):
        level = [inner for outer in level for inner in _members(outer)]
        if not level:
            return False
    return True


def _members(value: Any) -> list[Any]:
    held = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return [member for member in held if isinstance(member, (dict, list))]


Object = Annotated[
    dict[str, Any], BeforeValidator(_object), WithJsonSchema({"type": "object", "additionalProperties": True})
]
"""A JSON object with free members; one that came packed in a string is unpacked."""

# pydantic's error type → what the caller reads after the argument's name and value.
_FAULTS: Final[dict[str, str]] = {
    "greater_than_equal": "is too small; the least is {ge}",
    "less_than_equal": "is too large; the most is {le}",
    "string_too_short": "is empty",
    "string_too_long": "is too long; the most is {max_length} characters",
    "literal_error": "is not one of {expected}",
    "value_error": "{error}",
    "bool_type": "is not true or false",
    "bool_parsing": "is not true or false",
}


# Bounds behind a validator come out of pydantic under its own names.
_JSON_SCHEMA: Final = {"ge": "minimum", "le": "maximum"}


class Arguments:
    """The arguments of one tool.

    ``handler``'s first parameter is the connection; each further one is an argument, snake_case in
    Python and camelCase on the wire, with a default where it is optional. A parameter of type ``Context``
    is none: ``context_name`` is what it is called.
    """

    def __init__(self, handler: Callable[..., Any]) -> None:
        hints = get_type_hints(handler, include_extras=True)
        declared = list(inspect.signature(handler).parameters.values())[1:]
        self.context_name = next((each.name for each in declared if hints.get(each.name) is Context), None)
        parameters = [each for each in declared if each.name != self.context_name]
        fields: dict[str, Any] = {
            parameter.name: (
                _without_none(hints[parameter.name]),
                ... if parameter.default is parameter.empty else parameter.default,
            )
            for parameter in parameters
        }
        config = ConfigDict(alias_generator=to_camel, extra="forbid")
        self._model: type[BaseModel] = create_model("Arguments", __config__=config, **fields)
        self._validate = self._model.__pydantic_validator__.validate_python
        self.schema: dict[str, Any] = _flat_schema(self._model)

    def read(self, raw: Mapping[str, Any]) -> dict[str, Any]:
        """Return the handler's keyword arguments for ``raw``; null counts as not given.

        Raises ToolError ``[400] Invalid arguments: …`` naming every argument at fault.
        """
        given = {name: value for name, value in raw.items() if value is not None}
        try:
            values: dict[str, Any] = self._validate(given).__dict__
            return values
        except ValidationError as error:
            raise ToolError(400, f"Invalid arguments: {self._faults(error)}") from None

    def _faults(self, error: ValidationError) -> str:
        items = error.errors(include_url=False)
        shown = [self._fault(dict(item)) for item in items[:_MOST_FAULTS]]
        if any(item["type"] == "extra_forbidden" for item in items):
            shown.append(f"the arguments of this tool: {', '.join(self.schema['properties']) or 'none'}")
        if len(items) > _MOST_FAULTS:
            shown.append(f"and {len(items) - _MOST_FAULTS} more faults")
        return "; ".join(shown)

    def _fault(self, item: dict[str, Any]) -> str:
        name = show(item["loc"][0]).strip("'")
        if item["type"] == "missing":
            return f"{name}: is required"
        if item["type"] == "extra_forbidden":
            return f"{name}: is not an argument of this tool"
        template = _FAULTS.get(item["type"])
        fault = template.format(**item.get("ctx", {})) if template else item["msg"]
        return f"{name}: {show(item['input'])} {fault}"


def show(value: Any) -> str:
    """Return a short, printable form of a value that a caller sent."""
    try:
        text = repr(value)
    except RecursionError:
        return "(a value nested too deep)"
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"


def _without_none(hint: Any) -> Any:
    """Return the type of an optional argument that was given; null never reaches the validator."""
    if get_origin(hint) not in (Union, UnionType):
        return hint
    (given,) = (branch for branch in get_args(hint) if branch is not NoneType)
    return given


def _flat_schema(model: type[BaseModel]) -> dict[str, Any]:
    schema = model.model_json_schema(by_alias=True)
    properties = {name: _flat_property(spec) for name, spec in schema["properties"].items()}
    flat: dict[str, Any] = {"type": "object", "properties": properties, "additionalProperties": False}
    return flat | ({"required": schema["required"]} if "required" in schema else {})


def _flat_property(spec: Mapping[str, Any]) -> dict[str, Any]:
    noise = {"title"} | ({"default"} if spec.get("default") is None else set())
    return {_JSON_SCHEMA.get(key, key): value for key, value in spec.items() if key not in noise}
