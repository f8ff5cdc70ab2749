"""Calling the application as curl does."""

import contextlib

from dbplanet import create_app
from support.tenant import BASE_URL, HEADERS

PATH = "/servers/dbplanet/mcp"


def make_app(**settings):
    return create_app({"ALLOWED_BASE_URLS": BASE_URL, **settings})


def post(app, body, headers=None, path=PATH):
    return app.test_client().post(path, json=body, headers=headers)


def call_tool(app, name, arguments=None, headers=HEADERS):
    """Return the result of a ``tools/call`` without a session."""
    params = {"name": name, "arguments": arguments or {}}
    response = post(app, {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}, headers)
    assert response.status_code == 200, response.data
    return response.get_json()["result"]


def text_of(result):
    (block,) = result["content"]
    assert block["type"] == "text"
    return block["text"]


@contextlib.contextmanager
def fresh(tenant):
    """A tenant under a new application, so that no client or token of an earlier example is left."""
    with tenant:
        # Another try needs no wait here: nobody would come back in the meantime.
        yield make_app(RETRY_AFTER_CAP="0"), tenant
