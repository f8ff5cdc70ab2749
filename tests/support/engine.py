"""A small MCP server of the engine's own, without any Haiilo."""

import json
from typing import Annotated

import flask
from pydantic import Field

from dbplanet.mcp.arguments import Integer
from dbplanet.mcp.blueprint import mcp_blueprint
from dbplanet.mcp.http import Endpoint
from dbplanet.mcp.identity import Anyone
from dbplanet.mcp.policy import HostPolicy
from dbplanet.mcp.server import McpServer
from dbplanet.mcp.session_rules import SessionRules
from dbplanet.mcp.sessions import MemorySessions
from dbplanet.mcp.tools import READ, tool

JSON = {"Content-Type": "application/json"}
BOTH = {"Accept": "application/json, text/event-stream"}
VERSION = "2026-07-28"


class NoConnection:
    def close(self):
        pass


@tool("add", title="Add", annotations=READ, description="Adds two numbers.")
def add(
    connection,
    a: Annotated[Integer, Field(description="One")],
    b: Annotated[Integer, Field(description="Two")],
):
    return str(a + b)


@tool("boom", title="Boom", annotations=READ, description="Fails.")
def boom(connection):
    raise ZeroDivisionError(" ".join(("inner", "words")))


def server_of(**changes):
    parts = {
        "name": "Test",
        "version": "1",
        "instructions": "None.",
        "toolsets": {"test": [add, boom]},
        "identify": lambda headers: Anyone(),
        "connect": lambda identity: NoConnection(),
    }
    return McpServer(**{**parts, **changes})


def app_of(server=None, *, limit=65_536, sessions=None, streams=8, path="/mcp"):
    app = flask.Flask(__name__)
    rules = SessionRules(sessions or MemorySessions(3600))
    endpoint = Endpoint(
        server or server_of(), rules, policy=HostPolicy(), max_request_bytes=limit, max_streams=streams
    )
    app.register_blueprint(mcp_blueprint("test", {path: endpoint}))
    return app


def send(app, body, headers=None):
    response = app.test_client().post(
        "/mcp", data=json.dumps(body), headers={**JSON, **BOTH, **(headers or {})}
    )
    return response.status_code, response.get_json() if response.data else None


def initialize(version="2025-06-18"):
    info = {"name": "test", "version": "1"}
    params = {"protocolVersion": version, "capabilities": {}, "clientInfo": info}
    return {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params}


def meta(version):
    return {
        "io.modelcontextprotocol/protocolVersion": version,
        "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
        "io.modelcontextprotocol/clientCapabilities": {},
    }


# Envelopes that lack one of the two that must be there.
ALL_META = [
    {"io.modelcontextprotocol/protocolVersion": VERSION},
    {"io.modelcontextprotocol/clientCapabilities": {}},
    {"io.modelcontextprotocol/protocolVersion": 5, "io.modelcontextprotocol/clientCapabilities": {}},
]


def modern(method, version=VERSION, **params):
    body = {"jsonrpc": "2.0", "id": 1, "method": method, "params": {"_meta": meta(version), **params}}
    headers = {"MCP-Protocol-Version": version, "Mcp-Method": method}
    return body, headers | ({"Mcp-Name": params["name"]} if "name" in params else {})
