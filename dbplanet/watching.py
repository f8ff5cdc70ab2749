"""From settings to what watches: one ``Watch`` for each MCP server."""

from __future__ import annotations

import secrets

from dbplanet.haiilo.auth import TOKEN_PATH
from dbplanet.observing.audit import Audit
from dbplanet.observing.callers import Pseudonyms, naming
from dbplanet.observing.watch import Numbers, Watch
from dbplanet.servers import operator_credentials
from dbplanet.settings import Settings


def watch_of(settings: Settings, server: str, numbers: Numbers | None = None) -> Watch:
    """Return the watch of the server called ``server``; nothing is opened before the first call.

    Callers are named under SECRET_KEY: as long as it stays, one caller has one name.
    """
    key = settings.secret_key.encode() if settings.secret_key else secrets.token_bytes(32)
    return Watch(
        server,
        naming(Pseudonyms(key), operator_credentials(settings)),
        Audit(settings.audit_log),
        settings.slow_call,
        numbers,
        TOKEN_PATH if server == "dbplanet" else None,
    )
