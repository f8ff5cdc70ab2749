"""execute_graphql_query: any query and mutation, in read-only mode queries alone."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from graphql import DocumentNode

from dbplanet.clubber.answers import Outcome
from dbplanet.clubber.arguments import OperationName, Query, Variables
from dbplanet.clubber.connection import Connection, with_faults
from dbplanet.clubber.faults import partial, refused
from dbplanet.clubber.operations import (
    check_choice,
    check_readable,
    operations_of,
    read_document,
    with_fields,
)
from dbplanet.clubber.results import value_result
from dbplanet.mcp.errors import ToolError
from dbplanet.mcp.results import ToolResult
from dbplanet.mcp.tools import READ, Annotations, tool

NAME: Final = "execute_graphql_query"
TITLE: Final = "Run a GraphQL document"
_HOW: Final = (
    " Values go into variables, by name. The API's errors come with line, column and field; "
    "get_graphql_schema shows what can be asked."
)


@with_faults
def execute_graphql_query(
    connection: Connection,
    query: Query,
    variables: Variables | None = None,
    operation_name: OperationName | None = None,
) -> ToolResult:
    """Send a document once and return ``{"data": …}``; faults come as an error that keeps the data."""
    name = operation_name.strip() or None if operation_name else None
    document = read_document(query)
    if isinstance(document, DocumentNode):
        operations = operations_of(document)
        if connection.read_only:
            check_readable(operations)
        check_choice(operations, name)
    elif connection.read_only:
        # What cannot be read here may be a mutation to the API.
        raise document
    outcome = connection.call().execute(query, variables, name)
    return _result(outcome, document, connection.max_text_chars)


def _result(outcome: Outcome, document: DocumentNode | ToolError, limit: int) -> ToolResult:
    if isinstance(document, DocumentNode):
        outcome = replace(outcome, faults=with_fields(outcome.faults, document))
    if outcome.is_refused:
        raise refused(outcome)
    if outcome.faults:
        raise partial(outcome.faults, outcome.data)
    return value_result({"data": outcome.data}, limit)


EXECUTE: Final = tool(
    NAME,
    title=TITLE,
    annotations=Annotations(read_only=False, destructive=True, idempotent=False),
    description=f"Run a GraphQL query or mutation on the API and return its result as JSON.{_HOW} "
    "Ask the user before a mutation.",
)(execute_graphql_query)

EXECUTE_READ_ONLY: Final = tool(
    NAME,
    title=TITLE,
    annotations=READ,
    description=f"Run a GraphQL query on the API and return its result as JSON; mutations are refused.{_HOW}",
)(execute_graphql_query)
