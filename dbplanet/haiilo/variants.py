"""One route, several forms: which of them a tenant knows is tried once and remembered.

The specification's form is always the first. Another is tried only after an answer that says "there is no
such path here", never after a refusal (401, 403) or a failure (5xx), and never for a POST.
"""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Protocol

from dbplanet.haiilo.errors import StatusError, UnauthorizedError, handle_api_error
from dbplanet.haiilo.paths import segment
from dbplanet.mcp.errors import ToolError

_MOST: Final = 2_000  # remembered forms: some twenty routes of a hundred tenants
_SECONDS: Final = 3_600.0  # a tenant may be upgraded under a running server
_NO_SUCH_PATH: Final = frozenset({404, 405})


class Request(Protocol):
    """Sends one API request, as ``HaiiloClient.request`` does."""

    def __call__(
        self, method: str, path: str, params: Mapping[str, Any] | None = None, data: Any = None
    ) -> Any:
        """Return the decoded JSON; raises a HaiiloError for everything that is no success."""


@dataclass(frozen=True)
class Asked:
    """What a tool asks for: the ids of the path, the query and the body of the first form."""

    method: str
    ids: tuple[str, ...] = ()
    params: Mapping[str, Any] = field(default_factory=dict)
    data: Any = None

    def fill(self, path: str) -> str:
        """Return ``path`` with each id in its place, as one segment; raises ToolError 400 as ``segment``."""
        return path.format(*map(segment, self.ids))


Form = Callable[[Request, Asked], Any]
"""Asks the tenant one way, and returns the answer in the shape of the specification's route."""


@dataclass(frozen=True)
class Route:
    """The specification's path (``{}`` for each id) and the other known forms, in order of preference.

    ``entity`` is the path of what a PUT changes: it must be readable before another form is tried, since
    404 also means "not for you". ``instead`` tells what to use where a tenant knows no form at all.
    """

    method: str
    path: str
    others: tuple[Form, ...] = ()
    entity: str | None = None
    instead: str | None = None

    def forms(self) -> tuple[Form, ...]:
        """Return every form, the specification's first."""
        return (at(self.path), *self.others)


def at(
    path: str,
    query: Callable[[Mapping[str, Any]], Mapping[str, Any]] = dict,
    answer: Callable[[Any], Any] = lambda data: data,
) -> Form:
    """Return the form that asks at ``path``, with the query and the answer mapped."""

    def form(request: Request, asked: Asked) -> Any:
        data = request(asked.method, asked.fill(path), query(asked.params), asked.data)
        return answer(data)

    return form


class KnownForms:
    """Which form of each route a tenant answers to: bounded, forgotten after a while, safe with threads.

    One application has one, shared by all its clients; tenants are told apart by their origin.
    """

    def __init__(
        self, *, most: int = _MOST, seconds: float = _SECONDS, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._most = most
        self._seconds = seconds
        self._clock = clock
        self._lock = threading.Lock()
        self._known: OrderedDict[tuple[str, Route], tuple[int, float]] = OrderedDict()

    def get(self, origin: str, route: Route) -> int | None:
        """Return the number of the form that the tenant knows, None where none is remembered."""
        with self._lock:
            number, until = self._known.get((origin, route), (None, 0.0))
        return number if self._clock() < until else None

    def keep(self, origin: str, route: Route, number: int) -> None:
        """Remember a form that succeeded; the oldest entry makes room."""
        with self._lock:
            self._known[origin, route] = (number, self._clock() + self._seconds)
            self._known.move_to_end((origin, route))
            if len(self._known) > self._most:
                self._known.popitem(last=False)


def ask(request: Request, known: KnownForms, origin: str, route: Route, asked: Asked) -> Any:
    """Return the answer of the form that the tenant knows.

    Raises what the remembered form raises; where none is remembered and none succeeds, what the
    specification's form raised; a ToolError with the same message where the route says what to use instead.
    """
    try:
        return _ask(request, known, origin, route, asked)
    except StatusError as error:
        explained = handle_api_error(error)
        if explained is None or route.instead is None or error.status not in _NO_SUCH_PATH:
            raise
        raise ToolError(explained.label, explained.message, route.instead) from None


def _ask(request: Request, known: KnownForms, origin: str, route: Route, asked: Asked) -> Any:
    forms = route.forms()
    number = known.get(origin, route)
    if number is not None:
        return forms[number](request, asked)
    try:
        answer = forms[0](request, asked)
    except StatusError as refusal:
        if not (allows_another(asked.method, refusal) and _entity_is_there(request, route, asked)):
            raise
        number, answer = _first_success(request, forms, asked, refusal)
    known.keep(origin, route, number or 0)
    return answer


def allows_another(method: str, error: StatusError) -> bool:
    """Tell whether an answer may mean that the tenant knows another form."""
    if error.status in _NO_SUCH_PATH:
        return method in ("GET", "PUT")
    code = error.body.get("errorStatus") if isinstance(error.body, Mapping) else None
    return method == "GET" and error.status == 400 and code == "INVALID_ARGUMENTS"


def _first_success(
    request: Request, forms: tuple[Form, ...], asked: Asked, refusal: StatusError
) -> tuple[int, Any]:
    for number, form in enumerate(forms[1:], 1):
        try:
            return number, form(request, asked)
        except StatusError as error:
            if not allows_another(asked.method, error):
                raise
    raise refusal


def _entity_is_there(request: Request, route: Route, asked: Asked) -> bool:
    if route.entity is None:
        return True
    try:
        request("GET", asked.fill(route.entity))
    except UnauthorizedError:
        raise
    except StatusError:
        return False
    return True
