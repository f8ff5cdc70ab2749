"""gunicorn's configuration: port 3000, one process, many threads.

Settings are validated here, in the master: an application that cannot start would have its workers
restarted for ever.
"""

import os
import resource
import secrets
import sys
from typing import Any

from dbplanet.mcp.once import one_of_the_forked
from dbplanet.servers import clubber_server
from dbplanet.settings import Settings, SettingsError, port

try:
    _settings = Settings.load()
    bind = f"{_settings.host}:{port(os.environ)}"
    if "clubber" in _settings.servers:
        # Its URL is no setting of ours, so nothing else looks at it before a worker does.
        clubber_server(_settings)
except SettingsError as error:
    sys.exit(f"Configuration error: {error}")

# Signs what goes to a client and comes back; the same in every worker, so made before the fork.
if not os.environ.get("DBPLANET_SECRET_KEY"):
    os.environ["DBPLANET_SECRET_KEY"] = secrets.token_urlsafe(32)

# Callers and tenants need a descriptor each; the usual soft limit of 1,024 would end a busy worker.
_soft, _hard = resource.getrlimit(resource.RLIMIT_NOFILE)
_wanted = 65_536 if _hard == resource.RLIM_INFINITY else min(65_536, _hard)
if _soft != resource.RLIM_INFINITY and _soft < _wanted:
    resource.setrlimit(resource.RLIMIT_NOFILE, (_wanted, _hard))

# gthread that no impolite client stalls
worker_class = "dbplanet.gunicorn_worker.Worker"
threads = _settings.threads
# Kept-alive connections wait for their next request without a thread; clients keep them for a minute.
keepalive = 75
worker_connections = 1000
# A call may last DEADLINE; a worker that is told to stop lets it finish.
graceful_timeout = int(_settings.deadline) + 10
timeout = int(_settings.deadline) + 70
loglevel = _settings.log_level.lower()
# gunicorn 27 opens a control socket in the home folder, one path for all masters.
control_socket_disable = True

_first_to_say_it = one_of_the_forked()


def post_worker_init(worker: Any) -> None:
    """Let one worker alone say what is true of all."""
    mounted = getattr(worker.wsgi, "extensions", {}).get("dbplanet")
    if mounted is not None:
        mounted.sessionless_said.among(_first_to_say_it)
