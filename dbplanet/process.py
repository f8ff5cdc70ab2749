"""The server as a process: gunicorn, alone or beside a sandbox tenant."""

from __future__ import annotations

import importlib.util
import os
import socket
import subprocess
import sys
from typing import Final, NoReturn
from urllib.parse import urlsplit

from dbplanet.setting_types import SERVER_NAMES
from dbplanet.settings import PREFIX, SettingsError, port

CONFIG: Final = "python:dbplanet.gunicorn_conf"
CONFIG_WITH_SANDBOX: Final = "python:dbplanet.gunicorn_sandbox_conf"

# A pipe whose object is collected is closed.
_kept_open: Final[list[subprocess.Popen[str]]] = []


def serve(config: str = CONFIG) -> NoReturn:
    """Become gunicorn, serving the application by the settings in the environment."""
    if not _is_free(_port()):
        sys.exit(f"Port {_port()} is in use; set another one, such as PORT={_port() + 100}.")
    gunicorn = [sys.executable, "-m", "gunicorn", "--config", config, "dbplanet.wsgi:app"]
    os.execv(sys.executable, gunicorn)  # noqa: S606 our own interpreter and arguments


def serve_with_sandbox() -> NoReturn:
    """Start a sandbox tenant and a clubber API, then become the server that is joined to both.

    They end with this process: each holds the reading end of a pipe that closes then.
    """
    if importlib.util.find_spec("strawberry") is None:
        sys.exit("--sandbox needs an extra: pip install 'dbplanet-mcp-server[sandbox]'")
    first = _port()
    tenant = _start("dbplanet.sandbox", first + 1)
    register = _start("dbplanet.sandbox.clubber", 8000)
    os.environ.update(sandbox_settings(tenant))
    os.environ[f"{PREFIX}ALLOW_DEFAULT_CREDENTIALS"] = "true"
    os.environ[f"{PREFIX}SERVERS"] = ",".join(SERVER_NAMES)
    os.environ["CLUBBER_API_URL"] = register
    # Of this machine the api server reaches the sandbox tenant and nothing else.
    os.environ[f"{PREFIX}API_ALLOWED_NETS"] = f"127.0.0.1/32:{urlsplit(tenant).port}"
    serve(CONFIG_WITH_SANDBOX)


def _port() -> int:
    try:
        return port(os.environ)
    except SettingsError as error:
        sys.exit(f"Configuration error: {error}")


def _start(module: str, wanted: int) -> str:
    """Start a sandbox on ``wanted``, or on a free port where that is taken; return its URL."""
    url = _start_on(module, wanted) if _is_free(wanted) else None
    # Somebody may have been faster between the look and the start.
    url = url or _start_on(module, 0)
    if url is None:
        sys.exit(f"{module} did not start; its message is above.")
    return url


def _start_on(module: str, chosen: int) -> str | None:
    command = [sys.executable, "-m", module, "--port", str(chosen), "--until-stdin-closes"]
    started = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)  # noqa: S603
    if started.stdin is None or started.stdout is None:
        raise RuntimeError("the sandbox has no pipes")
    url = started.stdout.readline().split()[-1:]
    if not url:
        return None
    # Kept open by the server that this process becomes.
    os.set_inheritable(started.stdin.fileno(), True)
    _kept_open.append(started)
    return url[0]


def _is_free(wanted: int) -> bool:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", wanted))
        except OSError:
            return False
        return True


def sandbox_settings(url: str) -> dict[str, str]:
    """Return the environment that joins a server or the command line to the sandbox at ``url``."""
    from dbplanet.sandbox import CREDENTIALS

    names = ("username", "password", "client_id", "client_secret")
    values = {f"{PREFIX}{name.upper()}": getattr(CREDENTIALS, name) for name in names}
    return {**values, f"{PREFIX}BASE_URL": url}
