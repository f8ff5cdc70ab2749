"""Error bodies in Haiilo's form: ``errorStatus``, ``context``, ``fieldErrors``."""

from __future__ import annotations

from typing import Any

from flask import Flask
from flask.typing import ResponseReturnValue
from werkzeug.exceptions import HTTPException


class ApiError(Exception):
    """An answer other than success; ``code`` is Haiilo's ``errorStatus``."""

    def __init__(
        self,
        status: int,
        code: str,
        message: str,
        *,
        context: dict[str, Any] | None = None,
        field_errors: list[dict[str, str]] | None = None,
    ) -> None:
        super().__init__(message)
        self.status = status
        self.body = {
            "errorStatus": code,
            "context": context or {},
            "fieldErrors": field_errors or [],
            "message": message,
            "statusCode": status,
        }


def not_found(entity_type: str) -> ApiError:
    """Return 404; Haiilo says so of what does not exist and of what one may not see alike."""
    message = "The requested entity could not be found."
    return ApiError(404, "NOT_FOUND", message, context={"entityType": entity_type})


def invalid(**fields: str) -> ApiError:
    """Return 400 with one entry per field and the name of the Bean Validation rule it breaks."""
    field_errors = [{"key": key, "code": code} for key, code in fields.items()]
    return ApiError(400, "INVALID_ARGUMENTS", "The provided data is invalid.", field_errors=field_errors)


def forbidden(message: str = "Access is denied.") -> ApiError:
    """Return 403: the user is known and lacks a right."""
    return ApiError(403, "ERROR", message)


def name_taken(name: str) -> ApiError:
    """Return 409 for a page or workspace whose name is in use."""
    return ApiError(409, "NAME_TAKEN", "The name is already taken.", context={"name": name})


# Routing errors have no entity: Haiilo's codes where one fits, ERROR elsewhere.
_HTTP_CODES = {400: "INVALID_ARGUMENTS", 404: "NOT_FOUND"}


def _answer(error: ApiError) -> ResponseReturnValue:
    return error.body, error.status


def _answer_http(error: HTTPException) -> ResponseReturnValue:
    status = error.code or 500
    code = _HTTP_CODES.get(status, "ERROR")
    headers = {key: value for key, value in error.get_headers() if key == "Allow"}
    return ApiError(status, code, error.name).body, status, headers


def register_errors(app: Flask) -> None:
    """Answer every error of ``app`` as JSON."""
    app.register_error_handler(ApiError, _answer)
    app.register_error_handler(HTTPException, _answer_http)
