"""Failures of the tenant, and the one place that turns them into what a model reads.

Requirement 12 and the specification's error table, word for word; design.md §5 for what it leaves open.
No words of an exception and no markup of an error page ever reach the text: what the tenant says comes
in as a status, a category or a known code.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from http import HTTPStatus
from typing import Any, Final

from dbplanet.mcp.errors import ToolError

# The specification's table.
MESSAGES: Final = {
    401: "Authentication failed. Check DB Planet credentials.",
    403: "Insufficient permissions to access this resource.",
    404: "The requested resource was not found.",
}

# What the caller can do next.
ADVICE: Final = {
    400: "DB Planet refused the values; correct them and call again.",
    401: "The user name, the password, the client id or the client secret was refused, or has expired.",
    403: "The signed-in user may not do this; somebody with the right has to.",
    404: "Check the ids, best by a search or list tool, and that type, appId and senderId belong to it; "
    "DB Planet also answers so for what the user may not see.",
    409: "Something with this name or state exists already; choose another name or look at it first.",
    423: "Somebody is editing it; try again later.",
    429: "Too many requests; wait before the next call.",
    500: "DB Planet failed; try again later.",
    502: "DB Planet is not available behind its gateway; try again later.",
    503: "DB Planet is not available at the moment; try again later.",
    504: "DB Planet did not answer its gateway in time; try again later.",
}
_REDIRECT_ADVICE: Final = (
    "DB Planet sent the request elsewhere, mostly to a sign-in page; check the base URL and that this "
    "user may use the API."
)

# Haiilo's errorStatus (and Bean Validation codes of its fieldErrors) → a sentence.
CODES: Final = {
    "NAME_TAKEN": "The name is taken.",
    "SLUG_TAKEN": "The slug is taken.",
    "INVALID_ARGUMENTS": "An argument is invalid.",
    "EVENT_ALREADY_STARTED": "The event has already started.",
    "LAST_ADMIN_LEAVES": "The last admin cannot leave.",
    "LOCKED": "It is locked by somebody who edits it.",
    "DELETED": "It was deleted.",
    "GLOBAL_MAINTENANCE": "DB Planet is in maintenance.",
    "INACTIVE_TENANT": "This tenant is inactive.",
    "INVALID_TENANT": "This tenant does not exist.",
}
# Wide enough for the platform's own words, too narrow for a sentence.
_CODE: Final = re.compile(r"[A-Z][A-Z0-9_]{0,39}")
_FIELD: Final = re.compile(r"[A-Za-z][A-Za-z0-9_.\[\]]{0,39}")
_FIELD_CODE: Final = re.compile(r"[A-Za-z][A-Za-z0-9_]{0,39}")
_MAX_FIELD_ERRORS: Final = 10

# Why no answer came → how the error text begins.
NETWORK: Final = {
    "name": "its host name could not be resolved",
    "refused": "the connection was refused",
    "tls": "its TLS certificate could not be verified",
    "reset": "the connection was closed before the answer",
    "network": "there is no connection",
}


class HaiiloError(Exception):
    """An answer of the tenant that is no success, or none at all."""


class StatusError(HaiiloError):
    """The tenant answered with a status other than 2xx; ``body`` is its decoded JSON or None."""

    def __init__(self, status: int, body: Any = None, retry_after: str | None = None) -> None:
        super().__init__(f"status {status}")
        self.status = status
        self.body = body
        self.retry_after = retry_after


class UnauthorizedError(StatusError):
    """The tenant refused the access token or the credentials; ``token`` is the one refused, if any."""

    def __init__(self, token: str | None = None) -> None:
        super().__init__(401)
        self.token = token


class UpstreamTimeoutError(HaiiloError):
    """No answer in time."""


class NetworkError(HaiiloError):
    """No answer; ``category`` is a key of NETWORK."""

    def __init__(self, category: str) -> None:
        super().__init__(category)
        self.category = category


class AnswerError(HaiiloError):
    """An answer that cannot be used: ``fault`` says why, in words of ours."""

    def __init__(self, fault: str, advice: str) -> None:
        super().__init__(fault)
        self.fault = fault
        self.advice = advice


def handle_api_error(error: Exception) -> ToolError | None:
    """Return what the model reads for a failure of the tenant; None for any other exception."""
    if isinstance(error, StatusError):
        return _status_error(error)
    if isinstance(error, UpstreamTimeoutError):
        return ToolError(
            "TIMEOUT", "Request timed out.", "DB Planet did not answer in time; try again later."
        )
    if isinstance(error, NetworkError):
        reason = NETWORK.get(error.category, NETWORK["network"])
        return ToolError(
            "NETWORK", f"DB Planet could not be reached: {reason}.", "Check the base URL, or try again later."
        )
    if isinstance(error, AnswerError):
        return ToolError(502, error.fault, error.advice)
    return None


def _status_error(error: StatusError) -> ToolError:
    message = MESSAGES.get(error.status) or f"Error: {error.status} - {_reason(error.status)}"
    advice = _REDIRECT_ADVICE if 300 <= error.status < 400 else ADVICE.get(error.status, "")
    return ToolError(error.status, message, "\n".join(filter(None, (*_details(error.body), advice))))


def _reason(status: int) -> str:
    """Return the reason from our own table: the tenant's may hold anything."""
    try:
        return HTTPStatus(status).phrase
    except ValueError:
        return "Unknown Status"


def _details(body: Any) -> list[str]:
    if not isinstance(body, Mapping):
        return []
    return [*_code_lines(body.get("errorStatus")), *_field_lines(body.get("fieldErrors"))]


def _code_lines(code: Any) -> list[str]:
    # NOT_FOUND and the like repeat the status.
    if not isinstance(code, str) or not _CODE.fullmatch(code) or code in ("NOT_FOUND", "ERROR", "UNKNOWN"):
        return []
    return [f"DB Planet says: {CODES.get(code, '')} ({code})".replace("  ", " ")]


def _field_lines(faults: Any) -> list[str]:
    found = faults[:_MAX_FIELD_ERRORS] if isinstance(faults, list) else []
    pairs = [(fault.get("key"), fault.get("code")) for fault in found if isinstance(fault, Mapping)]
    return [
        f"Field {key}: {code}"
        for key, code in pairs
        if isinstance(key, str)
        and isinstance(code, str)
        and _FIELD.fullmatch(key)
        and _FIELD_CODE.fullmatch(code)
    ]
