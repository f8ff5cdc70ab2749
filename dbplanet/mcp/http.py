"""Streamable HTTP for a WSGI server: one request in, one answer out.

The checks and their order are those of the revisions' transport pages, so that a request with several
faults gets the one code that every client expects. Nothing here knows Flask: an adapter hands in a
``Request`` and sends the ``Reply``.
"""

from __future__ import annotations

from typing import Final

from dbplanet.mcp import media, modern
from dbplanet.mcp.access import CHALLENGE, AccessTokens
from dbplanet.mcp.exchange import Exchange
from dbplanet.mcp.message import Reply, Request, refusal
from dbplanet.mcp.policy import HostPolicy, cors_headers
from dbplanet.mcp.protocol import (
    BATCH_VERSION,
    HANDSHAKE_VERSIONS,
    INTERNAL_ERROR,
    INVALID_REQUEST,
    RpcError,
    decode,
)
from dbplanet.mcp.server import McpServer
from dbplanet.mcp.session_rules import SESSION_HEADER, SessionRules
from dbplanet.mcp.sessions import MemorySessions
from dbplanet.mcp.streaming import Streams
from dbplanet.mcp.toolbox import log_fault

SESSION_SECONDS: Final = 28_800.0
ANSWERED_METHODS: Final = "POST, OPTIONS"


class Endpoint:
    """One MCP server behind one path; safe with many threads.

    Unless told otherwise it keeps sessions in memory and serves loopback hosts and origins only.
    """

    def __init__(
        self,
        server: McpServer,
        sessions: SessionRules | None = None,
        *,
        policy: HostPolicy | None = None,
        max_request_bytes: int = 4_194_304,
        max_streams: int = 16,
        access: AccessTokens | None = None,
    ) -> None:
        self._access = access or AccessTokens()
        self._server = server
        self._sessions = sessions or SessionRules(MemorySessions(SESSION_SECONDS))
        self._exchange = Exchange(server, self._sessions, Streams(max_streams))
        self._policy = policy or HostPolicy()
        self._max_request_bytes = max_request_bytes

    def respond(self, request: Request) -> Reply:
        """Answer one request; every error is JSON, and none carries an exception's words."""
        try:
            origin = self._admit(request)
        except RpcError as error:
            return refusal(error)
        try:
            reply = self._dispatch(request)
        except RpcError as error:
            reply = _challenged(refusal(error))
        except Exception as error:
            log_fault("MCP endpoint", error)
            reply = refusal(RpcError(INTERNAL_ERROR, "Internal error", status=500))
        if origin is not None:
            reply.headers.update(_cors(origin, request))
        return reply

    def _admit(self, request: Request) -> str | None:
        """Check Host and Origin and return the origin, if there is one."""
        host, origin = request.headers.get("host"), request.headers.get("origin")
        if not self._policy.allows_host(host):
            raise RpcError(INVALID_REQUEST, "Misdirected Request: this Host is not served", status=421)
        if origin is not None and not self._policy.allows_origin(origin, host):
            raise RpcError(INVALID_REQUEST, "Forbidden: this Origin is not allowed", status=403)
        return origin

    def _dispatch(self, request: Request) -> Reply:
        if request.method == "OPTIONS":
            return Reply(204)
        request.token = self._access.check(request.headers.get("authorization"))
        if request.method == "POST":
            return self._post(request)
        with_sessions = self._sessions.authoritative(request.multiprocess)
        if request.method == "DELETE" and with_sessions:
            identity = self._server.identify(request.headers)
            self._sessions.end(request.headers.get(SESSION_HEADER), identity)
            return Reply(200)
        return _method_not_allowed(with_sessions)

    def _post(self, request: Request) -> Reply:
        body = request.read_body(self._max_request_bytes)
        media.check_content_type(request.headers.get("content-type"))
        readable = media.accepted(request.headers.get("accept"))
        value = decode(body)
        version = request.headers.get("mcp-protocol-version")
        names_modern = version is not None and version not in HANDSHAKE_VERSIONS
        if isinstance(value, list):
            if version not in (None, BATCH_VERSION):
                raise RpcError(INVALID_REQUEST, "Invalid Request: this revision has no batches", status=400)
            reply = self._exchange.batch(value, request)
        elif names_modern or modern.claims_modern(value):
            reply = self._exchange.modern(value, request, readable)
        else:
            reply = self._exchange.handshake(value, request, readable)
        return media.frame(reply, readable)


def _cors(origin: str, request: Request) -> dict[str, str]:
    if request.method != "OPTIONS":
        return cors_headers(origin)
    return cors_headers(origin, request.headers.get("access-control-request-headers", ""))


def _challenged(reply: Reply) -> Reply:
    """Return a reply with the challenge that a 401 must carry."""
    if reply.status == 401:
        reply.headers["WWW-Authenticate"] = CHALLENGE
    return reply


def _method_not_allowed(with_sessions: bool) -> Reply:
    reply = refusal(RpcError(INVALID_REQUEST, "Method Not Allowed", status=405))
    allow = f"{ANSWERED_METHODS}, DELETE" if with_sessions else ANSWERED_METHODS
    reply.headers["Allow"] = allow
    return reply
