"""Failures in the form that the specification gives them: ``{error: {type, message, statusCode, details}}``.

Source: specification "MCP API Server", Error Response Format; reference "GraphQL and HTTP egress", 4.9.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from dbplanet.egress import EgressError
from dbplanet.mcp.errors import ToolError

_HEADER_FAULTS: Final = frozenset({"invalid_headers", "forbidden_header"})

#: label of an error of the engine's own → type, code
_OF_THE_ENGINE: Final[Mapping[int | str, tuple[str, str]]] = {
    400: ("validation", "invalid_arguments"),
    403: ("validation", "not_available"),
    "DECLINED": ("validation", "declined"),
}
_FAULT_OF_OURS: Final = ("network", "unexpected")


class ApiError(ToolError):
    """A call that was refused or failed.

    `kind` is validation, network, http or parsing, `code` says what exactly, `status` is what the target
    answered, where it did; `details` are further members for the caller. The message and the details hold
    nothing of another exception and no address.
    """

    def __init__(
        self,
        kind: str,
        code: str,
        message: str,
        *,
        status: int | None = None,
        details: Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__(kind, message)
        self.kind = kind
        self.code = code
        self.status = status
        self.details = dict(details or {})


def from_egress(error: EgressError) -> ApiError:
    """Return the guard's refusal or failure; with the head of the target's answer, where there was one."""
    details: dict[str, Any] = {}
    if error.reason is not None:
        details["header" if error.code in _HEADER_FAULTS else "reason"] = error.reason
    if error.headers is not None:
        details |= {"statusText": error.phrase, "headers": by_lower_name(error.headers)}
    return ApiError(error.kind, error.code, error.message, status=error.status, details=details)


def by_lower_name(headers: Mapping[str, str]) -> dict[str, str]:
    """Return headers under lower-case names, so that a reader need not try two spellings."""
    return {name.lower(): value for name, value in headers.items()}


def definition(error: ToolError) -> dict[str, Any]:
    """Return the structured content of a failure, wrong arguments and the engine's refusals included."""
    if not isinstance(error, ApiError):
        kind, code = _OF_THE_ENGINE.get(error.label, _FAULT_OF_OURS)
        error = ApiError(kind, code, f"{error.message} {error.advice}".strip())
    status = {} if error.status is None else {"statusCode": error.status}
    details = {"code": error.code, **error.details}
    return {"error": {"type": error.kind, "message": error.message, **status, "details": details}}
