"""What tests ask of the sandbox besides the API: the journal of requests, and faults on demand.

Both live in the process's memory; a sandbox is one process.
"""

from __future__ import annotations

import json
import re
import socket
import threading
import time
from collections import deque
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qsl, urlencode

from flask import Blueprint, Response, current_app, g, request
from flask.typing import ResponseReturnValue

from .auth import TOKEN_PATH
from .context import store
from .errors import invalid

_PREFIX = "/__sandbox__"
_SECRET = ("password", "client_secret", "access_token", "refresh_token")
_JOURNAL_LENGTH = 10_000
_FAULT_TYPES: dict[str, tuple[type, ...]] = {
    "match": (str,),
    "status": (int, type(None)),
    "headers": (dict,),
    "body": (str,),
    "content_type": (str,),
    "delay": (int, float),
    "times": (int, type(None)),
    "drop": (bool,),
}


@dataclass
class Fault:
    """One entry of ``POST /__sandbox__/faults``.

    ``match`` is searched in ``"METHOD /path"``; the first fault that matches and is not used up acts:
    it waits ``delay`` seconds, then closes the connection (``drop``), answers with ``status``, or, with
    neither, lets the request through. ``times`` is how often it acts, ``None`` for ever.
    """

    match: str
    status: int | None = None
    headers: dict[str, str] = field(default_factory=dict)
    body: str = ""
    content_type: str = "application/json"
    delay: float = 0
    times: int | None = None
    drop: bool = False

    def applies_to(self, target: str) -> bool:
        """Tell whether the fault acts on ``"METHOD /path"`` now."""
        return self.times != 0 and re.search(self.match, target) is not None


class Control:
    """The journal and the faults of one sandbox; safe to use from many threads."""

    def __init__(self) -> None:
        self.journal: deque[dict[str, Any]] = deque(maxlen=_JOURNAL_LENGTH)
        self.faults: list[Fault] = []
        self._lock = threading.Lock()

    def take(self, target: str) -> Fault | None:
        """Return the fault that acts on this request, counted as used once."""
        with self._lock:
            fault = next((fault for fault in self.faults if fault.applies_to(target)), None)
            if fault is not None and fault.times is not None:
                fault.times -= 1
            return fault


def control() -> Control:
    """Return the control state of the current application."""
    state: Control = current_app.extensions["sandbox"]
    return state


def record() -> None:
    """Write the request into the journal, without header fields and without secrets."""
    if request.path.startswith(_PREFIX):
        return
    query = parse_qsl(request.query_string.decode("utf-8", "replace"), keep_blank_values=True)
    g.entry = {
        "method": request.method,
        "path": request.path,
        "query": urlencode([(key, _shown(key, value)) for key, value in query]),
        "body": _shown_body(),
        "status": None,
    }
    control().journal.append(g.entry)


def _shown_body() -> Any:
    is_form = request.path == TOKEN_PATH
    body = request.form.to_dict() if is_form else request.get_json(force=True, silent=True)
    return {key: _shown(key, value) for key, value in body.items()} if isinstance(body, dict) else body


def _shown(key: str, value: Any) -> Any:
    return "***" if key in _SECRET else value


def record_status(response: Response) -> Response:
    """Add the answer's status to the journal's entry."""
    if "entry" in g:
        g.entry["status"] = response.status_code
    return response


def apply_fault() -> Response | None:
    """Answer with the fault that the request meets, if there is one."""
    if request.path.startswith(_PREFIX):
        return None
    fault = control().take(f"{request.method} {request.path}")
    if fault is None:
        return None
    time.sleep(fault.delay)
    if fault.drop:
        return _drop_connection()
    if fault.status is None:
        return None
    answer = Response(fault.body, fault.status, content_type=fault.content_type)
    answer.headers.update(fault.headers)
    return answer


def _drop_connection() -> Response:
    """Close the client's connection without an answer; without a connection raise what a client would see."""
    g.pop("entry", None)
    connection = request.environ.get("gunicorn.socket")
    if connection is None:
        raise ConnectionResetError("the sandbox dropped this connection as a fault asked")
    connection.shutdown(socket.SHUT_RDWR)
    return Response()


def _faults_from(entries: Any) -> list[Fault]:
    """Read a JSON list of faults; 400 for an unknown key, a value of another type, a pattern that is none."""
    if not isinstance(entries, list):
        raise invalid(faults="NotAList")
    for entry in entries:
        if not isinstance(entry, dict) or "match" not in entry:
            raise invalid(match="NotNull")
        wrong = {key for key, value in entry.items() if not isinstance(value, _FAULT_TYPES.get(key, ()))}
        if wrong:
            raise invalid(**dict.fromkeys(wrong, "typeMismatch"))
        try:
            re.compile(entry["match"])
        except re.error:
            raise invalid(match="Pattern") from None
    return [Fault(**entry) for entry in entries]


def _get_faults() -> ResponseReturnValue:
    return [vars(fault) for fault in control().faults]


def _set_faults() -> ResponseReturnValue:
    control().faults = _faults_from(request.get_json(force=True, silent=True))
    return _get_faults()


def _clear_faults() -> ResponseReturnValue:
    control().faults = []
    return "", 204


def _get_journal() -> ResponseReturnValue:
    # escaped, since a request may hold what UTF-8 cannot
    return Response(json.dumps(list(control().journal)), content_type="application/json")


def _clear_journal() -> ResponseReturnValue:
    control().journal.clear()
    return "", 204


def _expire_tokens() -> ResponseReturnValue:
    store().execute("DELETE FROM token")
    return "", 204


_ROUTES = (
    ("GET", "/requests", _get_journal),
    ("DELETE", "/requests", _clear_journal),
    ("GET", "/faults", _get_faults),
    ("POST", "/faults", _set_faults),
    ("DELETE", "/faults", _clear_faults),
    ("POST", "/expire-tokens", _expire_tokens),
)


def blueprint() -> Blueprint:
    """Return the routes below ``/__sandbox__``."""
    routes = Blueprint("sandbox", __name__, url_prefix=_PREFIX)
    for method, path, view in _ROUTES:
        endpoint = view.__name__.strip("_")
        routes.add_url_rule(path, endpoint, view, methods=[method], provide_automatic_options=False)
    return routes
