"""What a model reads when the API refuses, fails, or cannot be reached."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from dbplanet.clubber.answers import Fault, NotGraphQLError, Outcome
from dbplanet.clubber.endpoint import Endpoint
from dbplanet.egress import EgressError
from dbplanet.mcp.errors import ToolError
from dbplanet.mcp.results import ToolResult, text

_SHOWN: Final = 20  # faults that are listed

NOTHING_EXECUTED: Final = "The API refused this; nothing was executed"
_MAYBE_DONE: Final = "A change may have been carried out all the same: read before you repeat it."

# The guard's codes for an API that is not there, and for one that is too slow.
_NOT_REACHED: Final = frozenset({"dns", "refused", "unreachable", "connect_timeout"})
_TOO_LATE: Final = frozenset({"read_timeout", "deadline"})


class FaultsError(Exception):
    """The API's own errors, and the data that came with them. ``label`` is as in ToolError."""

    def __init__(
        self,
        label: int | str,
        headline: str,
        faults: Sequence[Fault],
        *,
        data: Any = None,
        advice: str = "",
    ) -> None:
        super().__init__(headline)
        self.label = label
        self.headline = headline
        self.faults = faults
        self.data = data
        self.advice = advice

    def result(self, shorten: Callable[[Any], Any]) -> ToolResult:
        """Return the error result: text, and the faults (and data) as structured content."""
        structured: dict[str, Any] = {"errors": [fault.definition() for fault in self.faults[:_SHOWN]]}
        lines = [ToolError(self.label, _listed(self.headline, self.faults), self.advice).text]
        if self.data is not None:
            structured = {"data": shorten(self.data), **structured}
            lines.append(json.dumps(structured, ensure_ascii=False, indent=2))
        return ToolResult([text("\n".join(lines))], structured, is_error=True)


def _listed(headline: str, faults: Sequence[Fault]) -> str:
    if len(faults) == 1:
        return f"{headline}: {faults[0].text}"
    more = [f"- and {len(faults) - _SHOWN} more"] if len(faults) > _SHOWN else []
    return "\n".join([f"{headline}:", *(f"- {fault.text}" for fault in faults[:_SHOWN]), *more])


def refused(outcome: Outcome, advice: str = "") -> FaultsError:
    """Return the error for a request that the API did not execute."""
    return FaultsError(400, NOTHING_EXECUTED, outcome.faults, advice=advice)


def partial(faults: Sequence[Fault], data: Mapping[str, Any] | None) -> FaultsError:
    """Return the error for an operation that was executed with errors, its data kept."""
    return FaultsError("GRAPHQL", "The operation was executed, with errors", faults, data=data or {})


def failed(faults: Sequence[Fault], *, subject: str) -> FaultsError:
    """Return the error for a member that could not be read or changed, by the API's own words."""
    if any(fault.says_not_found for fault in faults):
        return FaultsError(404, f"{subject} was not found", faults)
    return FaultsError("GRAPHQL", "The API reports an error", faults)


def explainer(endpoint: Endpoint) -> Callable[[Exception], ToolError | None]:
    """Return what turns the failure of a request into what the model reads; None for a fault of ours."""

    def explain(error: Exception) -> ToolError | None:
        if isinstance(error, EgressError):
            return _unanswered(error, endpoint)
        if isinstance(error, NotGraphQLError):
            return _not_graphql(error, endpoint)
        return None

    return explain


def _unanswered(error: EgressError, endpoint: Endpoint) -> ToolError:
    api = f"The GraphQL API at {endpoint.shown_url}"
    maybe = _MAYBE_DONE if error.sent else ""
    if error.code in _NOT_REACHED:
        start = (
            "Start the API, or set CLUBBER_API_URL to where it is; one to try with is started by: "
            f"python -m dbplanet.sandbox.clubber --port {endpoint.port}"
        )
        return ToolError("NETWORK", f"{api} is unreachable: {error.message}", start)
    if error.code in _TOO_LATE:
        return ToolError("TIMEOUT", f"{api} did not answer in time.", maybe)
    if error.code == "response_too_large":
        most = f"{endpoint.limits.response_bytes} bytes"
        return ToolError(
            502,
            f"{api} gave an answer of more than {most}.",
            f"Ask for fewer fields or entries. {maybe}".rstrip(),
        )
    if error.code == "request_too_large":
        return ToolError(413, f"The request is larger than {endpoint.limits.request_bytes} bytes.")
    return ToolError("NETWORK", f"{api} could not be asked: {error.message}", maybe)


def _not_graphql(error: NotGraphQLError, endpoint: Endpoint) -> ToolError:
    kind = f"HTTP {error.status}{f', {error.content_type}' if error.content_type else ''}"
    if error.location:
        kind += f", a redirect to {error.location}"
    # A redirect's page only repeats where to, with a query that may hold a secret.
    excerpt = f": {error.excerpt}" if error.excerpt and not error.location else ""
    return ToolError(
        502,
        f"{endpoint.shown_url} did not answer with GraphQL ({kind}){excerpt}",
        "CLUBBER_API_URL must be the API's own endpoint; its path is often /graphql.",
    )
