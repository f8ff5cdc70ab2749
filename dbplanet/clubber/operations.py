"""A GraphQL document as far as the tools must understand it before it is sent.

The API judges a document; here it is only read for what the API cannot be trusted with: strawberry runs
the first of several operations, also when that is a mutation, and READ_ONLY is ours to keep.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

from graphql import (
    DocumentNode,
    FieldNode,
    GraphQLSyntaxError,
    OperationDefinitionNode,
    OperationType,
    SelectionSetNode,
    parse,
)

from dbplanet.clubber.answers import Fault
from dbplanet.mcp.errors import ToolError

_MAX_TOKENS: Final = 50_000


@dataclass(frozen=True)
class Operation:
    """One operation of a document; ``kind`` is query, mutation or subscription."""

    name: str
    kind: str


def read_document(text: str) -> DocumentNode | ToolError:
    """Return the document, or the reason why it cannot be read here."""
    try:
        return parse(text, max_tokens=_MAX_TOKENS)
    except GraphQLSyntaxError as error:
        place = error.locations[0] if error.locations else None
        fault = Fault(error.message, *((place.line, place.column) if place else ()))
        return ToolError(400, f"The query cannot be read: {fault.text}", "Nothing was sent.")
    except RecursionError:
        return ToolError(400, "The query cannot be read: it is nested too deep.", "Nothing was sent.")


def operations_of(document: DocumentNode) -> list[Operation]:
    """Return the operations in the order they stand in."""
    found = [node for node in document.definitions if isinstance(node, OperationDefinitionNode)]
    return [Operation(node.name.value if node.name else "", node.operation.value) for node in found]


def check_readable(operations: list[Operation]) -> None:
    """Raise ToolError unless every operation reads: which one runs is in the end the API's choice."""
    others = [each for each in operations if each.kind != OperationType.QUERY.value]
    if others:
        raise ToolError(
            403,
            f"Read-only mode: the query holds a {others[0].kind}"
            f"{f' ({others[0].name})' if others[0].name else ''}; only queries are allowed.",
            "Nothing was sent.",
        )


def check_choice(operations: list[Operation], name: str | None) -> None:
    """Raise ToolError unless it is clear which operation is meant and it can be answered once."""
    named = ", ".join(each.name or "(without a name)" for each in operations)
    if name is None and len(operations) > 1:
        raise ToolError(
            400,
            f"Invalid arguments: operation_name: is required, because the query holds {len(operations)} "
            f"operations: {named}",
            "Nothing was sent.",
        )
    chosen = [each for each in operations if name is None or each.name == name]
    if operations and len(chosen) != 1:
        fault = "is the name of several operations" if chosen else "is no operation of the query"
        raise ToolError(
            400,
            f"Invalid arguments: operation_name: {name!r} {fault}; it holds: {named}",
            "Nothing was sent.",
        )
    if chosen and chosen[0].kind == OperationType.SUBSCRIPTION.value:
        raise ToolError(400, "Subscriptions have no single answer; send a query.", "Nothing was sent.")


def with_fields(faults: tuple[Fault, ...], document: DocumentNode) -> tuple[Fault, ...]:
    """Return the faults with the field that stands at their place in the document."""
    places = {
        (node.loc.start_token.line, node.loc.start_token.column): path
        for node, path in _fields(document)
        if node.loc
    }
    return tuple(
        replace(fault, field=fault.field or places.get((fault.line or 0, fault.column or 0), ""))
        for fault in faults
    )


def _fields(document: DocumentNode) -> Iterator[tuple[FieldNode, str]]:
    """Yield every field with its path, outer ones first; without recursion, whatever the depth."""
    waiting: list[tuple[SelectionSetNode | None, str]] = [
        (getattr(node, "selection_set", None), "") for node in document.definitions
    ]
    while waiting:
        selections, path = waiting.pop()
        for node in selections.selections if selections else ():
            inner = path
            if isinstance(node, FieldNode):
                inner = f"{path}.{node.name.value}" if path else node.name.value
                yield node, inner
            waiting.append((getattr(node, "selection_set", None), inner))
