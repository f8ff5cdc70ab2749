"""The server as a process: gunicorn, alone or beside a sandbox tenant."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from typing import Final, NoReturn

from dbplanet.settings import PREFIX, SettingsError, port

CONFIG: Final = "python:dbplanet.gunicorn_conf"
CONFIG_WITH_SANDBOX: Final = "python:dbplanet.gunicorn_sandbox_conf"


def serve(config: str = CONFIG) -> NoReturn:
    """Become gunicorn, serving the application by the settings in the environment."""
    gunicorn = [sys.executable, "-m", "gunicorn", "--config", config, "dbplanet.wsgi:app"]
    os.execv(sys.executable, gunicorn)  # noqa: S606 our own interpreter and arguments


def serve_with_sandbox() -> NoReturn:
    """Start a sandbox tenant, then become the server that is joined to it as one of its users.

    The sandbox ends with this process: it holds the reading end of a pipe that closes then.
    """
    sandbox = _start_sandbox()
    if sandbox.stdin is None or sandbox.stdout is None:
        raise RuntimeError("the sandbox has no pipes")
    url = sandbox.stdout.readline().split()[-1:]
    if not url:
        sys.exit("The sandbox tenant did not start; its message is above.")
    os.set_inheritable(sandbox.stdin.fileno(), True)
    os.environ.update(sandbox_settings(url[0]))
    os.environ[f"{PREFIX}ALLOW_DEFAULT_CREDENTIALS"] = "true"
    serve(CONFIG_WITH_SANDBOX)


def _start_sandbox() -> subprocess.Popen[str]:
    """Start the sandbox on the port after the server's, or on a free one where that is taken."""
    try:
        wanted = port(os.environ) + 1
    except SettingsError as error:
        sys.exit(f"Configuration error: {error}")
    chosen = wanted if _is_free(wanted) else 0
    command = [sys.executable, "-m", "dbplanet.sandbox", "--port", str(chosen), "--until-stdin-closes"]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)  # noqa: S603


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
