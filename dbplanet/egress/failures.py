"""From what requests, urllib3 and http.client raise to a category.

Source: reference "GraphQL and HTTP egress", 4.9: what is raised for which condition was measured; no class
says enough alone, so the whole chain of causes is looked at, the most telling class first.
"""

from __future__ import annotations

import http.client
import logging
import socket
import ssl
from collections.abc import Iterator

import requests.exceptions as requests_errors
import urllib3.exceptions as urllib3_errors

from .errors import EgressError
from .exchange import Exchange, Stage

log = logging.getLogger(__name__)

#: exception classes -> code; the order matters, as the comments say
_CODES: tuple[tuple[tuple[type[BaseException], ...], str], ...] = (
    ((requests_errors.ConnectTimeout,), "connect_timeout"),
    # BlockingIOError: of a socket whose waits the system limits
    ((requests_errors.Timeout, urllib3_errors.TimeoutError, TimeoutError, BlockingIOError), "read_timeout"),
    ((requests_errors.ProxyError, urllib3_errors.ProxyError), "proxy"),
    ((requests_errors.SSLError, urllib3_errors.SSLError, ssl.SSLError), "tls"),
    # RemoteDisconnected is a ConnectionResetError and a BadStatusLine
    ((http.client.RemoteDisconnected,), "closed"),
    ((ConnectionResetError, BrokenPipeError, ConnectionAbortedError), "reset"),
    ((ConnectionRefusedError,), "refused"),
    ((socket.gaierror,), "dns"),
    ((requests_errors.ContentDecodingError, urllib3_errors.DecodeError), "content_encoding"),
    # of the answer: the request's headers were checked before
    ((requests_errors.InvalidHeader,), "protocol"),
    ((http.client.IncompleteRead, requests_errors.ChunkedEncodingError), "incomplete_response"),
    ((http.client.HTTPException, urllib3_errors.ProtocolError, urllib3_errors.InvalidHeader), "protocol"),
    ((requests_errors.InvalidSchema, requests_errors.MissingSchema), "invalid_scheme"),
    ((requests_errors.InvalidURL, urllib3_errors.LocationValueError), "invalid_url"),
)
#: what a broken connection is called once the answer has begun
_CUT_OFF = frozenset({"closed", "reset", "protocol"})
#: requests promises that these never reached the server
_NEVER_SENT = frozenset({"connect_timeout", "refused", "dns", "invalid_scheme", "invalid_url"})


def failure(error: Exception, call: Exchange) -> EgressError:
    """Return the category of `error`, raised while `call` was made. A passed deadline explains any error."""
    if call.cut:
        return EgressError("deadline", sent=call.may_have_been_sent)
    if isinstance(error, EgressError):
        return error
    code = _code(error)
    if call.stage is Stage.ANSWERED and code in _CUT_OFF:
        code = "incomplete_response"
    return EgressError(code, sent=call.may_have_been_sent and code not in _NEVER_SENT)


def _code(error: Exception) -> str:
    chain = list(_chain(error))
    for classes, code in _CODES:
        if any(isinstance(link, classes) for link in chain):
            return code
    # the class alone: the text of an exception may hold the URL's query or a header's value
    log.warning("unexpected failure of a call: %s", type(error).__name__)
    return "unexpected"


def _chain(error: BaseException) -> Iterator[BaseException]:
    """Yield `error` and what it wraps: urllib3 and requests keep that in `reason`, in `args`, or as cause."""
    seen: set[int] = set()
    waiting: list[object] = [error]
    while waiting:
        link = waiting.pop(0)
        if isinstance(link, BaseException) and id(link) not in seen:
            seen.add(id(link))
            yield link
            waiting += [getattr(link, "reason", None), *link.args, link.__cause__, link.__context__]
