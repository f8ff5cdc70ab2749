"""One GraphQL endpoint over HTTP: the operator's own, called within the time of one tool call."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from typing import Any, Final

from graphql import GraphQLSchema

from dbplanet.clubber.answers import Outcome, classify
from dbplanet.clubber.introspection import UnreadableSchema, introspect
from dbplanet.egress import Egress, EgressError, Limits, Observe, Policy, check_url

SCHEMA_SECONDS: Final = 300.0
"""How long a schema is taken for the API's present one."""

_HEADERS: Final = {
    "Accept": "application/graphql-response+json, application/json;q=0.9",
    "Content-Type": "application/json",
}


class Endpoint:
    """The API at ``url``; safe with many threads, without I/O before the first call.

    Only this origin can be dialled, wherever it is: the operator named it. Raises ValueError for what is no
    http or https URL.
    """

    def __init__(self, url: str, *, limits: Limits, user_agent: str, observe: Observe | None = None) -> None:
        try:
            target, self.url, _ = check_url(url)
            policy = Policy.for_tenants([f"{target.scheme}://{target.authority}"], exclusive=True)
        except (EgressError, ValueError):
            raise ValueError("is not an http or https URL such as http://127.0.0.1:8000/graphql") from None
        self.shown_url = self.url.partition("?")[0]
        self.port = target.port
        self.limits = limits
        self.egress = Egress(policy, limits, user_agent=user_agent, observe=observe)
        # A schema and until when it counts; one assignment, so that threads see both or neither.
        self.known: tuple[GraphQLSchema | UnreadableSchema, float] | None = None


class ApiCall:
    """The requests of one tool call, which share its time limit."""

    def __init__(self, endpoint: Endpoint) -> None:
        self.endpoint = endpoint
        self._deadline = time.monotonic() + endpoint.limits.total

    def execute(
        self, document: str, variables: Mapping[str, Any] | None = None, operation_name: str | None = None
    ) -> Outcome:
        """Send one document, once, and return what the API answered.

        Raises EgressError where no answer came and NotGraphQLError where it is none of GraphQL.
        """
        # Servers refuse an empty operationName, some null variables too: what is not given is not sent.
        given = {"query": document, "variables": variables, "operationName": operation_name}
        body = json.dumps({key: value for key, value in given.items() if value is not None})
        endpoint = self.endpoint
        answer = endpoint.egress.send(
            "POST", endpoint.url, headers=_HEADERS, body=body.encode(), deadline=self._deadline
        )
        return classify(answer)

    def schema(self, *, fresh: bool = False) -> GraphQLSchema | UnreadableSchema:
        """Return the API's schema, which may be some minutes old unless it must be ``fresh``.

        Raises NoSchemaError where the API tells none, and what ``execute`` raises.
        """
        known = self.endpoint.known
        if known is not None and not fresh and time.monotonic() < known[1]:
            return known[0]
        found = introspect(self.execute)
        self.endpoint.known = (found, time.monotonic() + SCHEMA_SECONDS)
        return found

    def assume(self, schema: GraphQLSchema) -> None:
        """Take ``schema`` for the API's, which tells none, until it is time to ask again."""
        self.endpoint.known = (schema, time.monotonic() + SCHEMA_SECONDS)

    def forget_schema(self) -> None:
        """Ask anew next time: the API refused what was made from the schema."""
        self.endpoint.known = None
