"""gunicorn's configuration for ``make run``: says what to paste once the server listens."""

import os
from typing import Any

from dbplanet.gunicorn_conf import *  # noqa: F403
from dbplanet.gunicorn_conf import bind

_CURL = (
    "curl -s http://{bind}/servers/dbplanet/mcp -H 'Content-Type: application/json' -d "
    """'{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":"""
    """{{"name":"Search_FullText","arguments":{{"query":"Brücke"}}}}}}'"""
)


def when_ready(server: Any) -> None:
    """Print a line that works when it is pasted into another terminal."""
    tenant = os.environ["DBPLANET_BASE_URL"]
    register = os.environ["CLUBBER_API_URL"]
    print(f"\nJoined to the sandbox tenant on {tenant} and the clubber API on {register}.")
    print("Try, in another terminal:\n")
    print(_CURL.format(bind=bind), end="\n\n", flush=True)
