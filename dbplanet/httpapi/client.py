"""What the tools' handlers are connected to: one guarded HTTP call, from arguments to result."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Mapping
from contextlib import closing
from typing import Any, Final

from dbplanet.egress import Answer, Egress, EgressError, check_url
from dbplanet.httpapi.answers import read_answer
from dbplanet.httpapi.bodies import encode_request
from dbplanet.httpapi.errors import ApiError
from dbplanet.httpapi.results import Presenter
from dbplanet.mcp.results import ToolResult

logger = logging.getLogger(__name__)

_NO_URL: Final = "(a URL that is not valid)"


class ApiClient:
    """Makes calls for all callers alike; it keeps nothing of one, and is safe with many threads.

    Every call has an Egress of its own, because a target may tie a sign-in (NTLM, Negotiate) to the
    connection: the next caller must not find it open.
    """

    def __init__(
        self, open_egress: Callable[[], Egress], presenter: Presenter, *, log_requests: bool
    ) -> None:
        self._open_egress = open_egress
        self._presenter = presenter
        self._log_requests = log_requests

    def call(
        self, method: str, url: str, headers: Mapping[str, str] | None = None, body: Any = None
    ) -> ToolResult:
        """Return the result of one call; raises ApiError, and EgressError where there was no whole answer.

        `body` is a string, or an object or array to be sent as JSON. Redirects are followed for GET alone.
        """
        begin = time.monotonic()
        outcome: int | str = "failed"
        try:
            answer = self._send(method, url, headers or {}, body)
            outcome = answer.status
        except (ApiError, EgressError) as error:
            outcome = error.code
            raise
        finally:
            if self._log_requests:
                took = round((time.monotonic() - begin) * 1000)
                logger.info("%s %s %s %d ms", method, without_query(url), outcome, took)
        return self._presenter.result(read_answer(answer))

    def close(self) -> None:
        """Do nothing: a call closes what it opened."""

    def _send(self, method: str, url: str, headers: Mapping[str, str], body: Any) -> Answer:
        sent, content = encode_request(body, headers)
        with closing(self._open_egress()) as egress:
            return egress.send(method, url, headers=sent, body=content, follow_redirects=method == "GET")


def without_query(url: str) -> str:
    """Return what a log may hold of `url`: no query, no fragment, nothing of a URL that breaks the rules."""
    try:
        checked = check_url(url).url
    except EgressError:
        return _NO_URL
    return checked.partition("#")[0].partition("?")[0]
