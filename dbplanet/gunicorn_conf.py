"""gunicorn's configuration: port 3000, one process, many threads.

Settings are validated here, in the master: an application that cannot start would have its workers
restarted for ever. The master imports what that needs and nothing of the application, unless several
workers can share it.
"""

import gc
import os
import resource
import secrets
import shutil
import sys
import tempfile
from typing import Any

from dbplanet.forked import one_of_the_forked
from dbplanet.gunicorn_log import logger_class as _logger_class
from dbplanet.observing import multiprocess as _metrics
from dbplanet.settings import Settings, SettingsError, port

try:
    _settings = Settings.load()
    bind = f"{_settings.host}:{port(os.environ)}"
    if "clubber" in _settings.servers:
        # Its URL is no setting of ours, so nothing else looks at it before a worker does.
        from dbplanet.servers import clubber_server

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
# Kept-alive connections wait for their next request without a thread; clients keep them for a minute, and a
# new one costs as much as a call.
keepalive = 75
# Of the connections, those beyond the threads may be kept: a worker has room for a thousand idle clients.
worker_connections = _settings.threads + 1000
# A burst of connections waits in the kernel (up to its own somaxconn) instead of being refused.
backlog = 2048
# A call may last DEADLINE; a worker that is told to stop lets it finish.
graceful_timeout = int(_settings.deadline) + 10
timeout = int(_settings.deadline) + 70
loglevel = _settings.log_level.lower()
logger_class = _logger_class(_settings.log_format)
# Without query and Referer, which may hold what no log should; read by --access-logfile alone.
access_log_format = '%(h)s "%(m)s %(U)s %(H)s" %(s)s %(B)s bytes %(M)s ms'
# gunicorn 27 opens a control socket in the home folder, one path for all masters.
control_socket_disable = True

# The workers' numbers meet in one folder; made before the fork, and before prometheus_client is imported.
_numbers: str | None = None
if _metrics.available() and _metrics.MULTIPROCESS not in os.environ:
    _numbers = os.environ[_metrics.MULTIPROCESS] = tempfile.mkdtemp(prefix="dbplanet-metrics-")


_first_to_say_it = one_of_the_forked()


def pre_fork(server: Any, worker: Any) -> None:
    """Make the folder of the numbers again where a cleaner of temporary files has taken it, and save memory.

    What the master has imported, its workers share, as long as nobody writes to it. Several workers save
    20 MiB each by sharing the application's code; for one alone the copy in the master would be a waste.
    """
    if _numbers is not None:
        os.makedirs(_numbers, exist_ok=True)
    if server.num_workers > 1:
        import dbplanet.factory  # noqa: F401

        if _metrics.available():
            import prometheus_client.multiprocess  # noqa: F401
    # The collector writes to each object that it looks at: two to seven MiB of every worker.
    gc.freeze()


def post_worker_init(worker: Any) -> None:
    """Let one worker alone say what is true of all, and the application see how many requests wait."""
    extensions = getattr(worker.wsgi, "extensions", {})
    if (mounted := extensions.get("dbplanet")) is not None:
        mounted.sessionless_said.among(_first_to_say_it)
    from dbplanet.observing.load import Load

    load = extensions.get(Load.EXTENSION)
    if load is not None and getattr(worker, "tpool", None) is not None:
        # The pool has no public word for it.
        load.waiting = lambda: int(worker.tpool.waiting)


def child_exit(server: Any, worker: Any) -> None:
    """Take what a worker had in progress out of the sums; what it has counted stays."""
    if _metrics.available():
        from prometheus_client.multiprocess import mark_process_dead

        mark_process_dead(worker.pid)  # type: ignore[no-untyped-call]


def on_exit(server: Any) -> None:
    """Remove the folder, unless a new master (SIGUSR2) goes on with it."""
    if _numbers is not None and not server.reexec_pid:
        shutil.rmtree(_numbers, ignore_errors=True)
