"""Serving a sandbox application with gunicorn in the calling process."""

from __future__ import annotations

import os
import signal
import socket
import sys
import tempfile
import threading
from argparse import ArgumentParser
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from flask import Flask
from gunicorn.app.base import BaseApplication  # type: ignore[import-untyped]
from gunicorn.arbiter import Arbiter  # type: ignore[import-untyped]


class _Gunicorn(BaseApplication):  # type: ignore[misc]
    """A Flask application with gunicorn's settings given as a mapping."""

    def __init__(self, app: Flask, settings: dict[str, Any]) -> None:
        self._app = app
        self._settings = settings
        super().__init__()

    def load_config(self) -> None:
        for name, value in self._settings.items():
            # releases before 25 have no control socket to switch off
            if name in self.cfg.settings:
                self.cfg.set(name, value)

    def load(self) -> Flask:
        return self._app


def serve_application(
    make_app: Callable[[Path], Flask],
    *,
    host: str,
    port: int,
    path: str = "",
    database: str | Path | None = None,
    announce: Callable[[str], object] | None = None,
) -> None:
    """Serve what ``make_app(database)`` makes until SIGTERM or SIGINT; call from the main thread.

    Port 0 takes a free one. ``announce`` gets the URL, ``path`` at its end, once connections are accepted.
    Without ``database`` the state is in a temporary file that is removed at the end.

    :raise OSError: the address cannot be had, e.g. because the port is in use.
    """
    with ExitStack() as stack:
        stack.enter_context(_own_signals())
        listener = stack.enter_context(_listen(host, port))
        if database is None:
            folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="dbplanet-sandbox-"))
            database = Path(folder, "state.sqlite")
        app = make_app(Path(database))
        url = f"http://{host}:{listener.getsockname()[1]}{path}"
        _run(_Gunicorn(app, _settings(listener, lambda: announce(url) if announce else None)))


def serve_from_command_line(parser: ArgumentParser, serve: Callable[..., None], name: str) -> None:
    """Serve as the command line says, and print the URL of what is called ``name``.

    ``serve`` takes the options of ``parser`` and ``announce``. With one more, ``--until-stdin-closes``, the
    process never outlives who started it.
    """
    parser.add_argument("--until-stdin-closes", action="store_true", help="stop at the end of standard input")
    options = vars(parser.parse_args())
    watch_input = options.pop("until_stdin_closes")

    def announce(url: str) -> None:
        print(f"{name} on {url}", flush=True)
        if watch_input:
            _stop_at_end_of_input()

    try:
        serve(**options, announce=announce)
    except OSError as error:
        parser.exit(1, f"{error.strerror}\n")


def _stop_at_end_of_input() -> None:
    """End this process like SIGTERM when its standard input closes."""
    threading.Thread(target=_wait_for_end_of_input, daemon=True).start()


def _wait_for_end_of_input() -> None:
    # os.read and not sys.stdin: its buffer's lock would be held across gunicorn's fork
    while os.read(0, 4096):
        pass
    os.kill(os.getpid(), signal.SIGTERM)


@contextmanager
def _own_signals() -> Iterator[None]:
    """End cleanly on a SIGTERM that comes before gunicorn handles it; give the caller's handlers back."""
    taken = (*Arbiter.SIGNALS, signal.SIGCHLD)
    before = {number: signal.getsignal(number) for number in taken}
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _listen(host: str, port: int) -> socket.socket:
    """Bind the address ourselves: gunicorn would retry for five seconds and then exit."""
    try:
        return socket.create_server((host, port), backlog=256)
    except OSError as error:
        raise OSError(error.errno, f"cannot listen on {host}:{port}: {error.strerror}") from None


def _settings(listener: socket.socket, ready: Callable[[], object]) -> dict[str, Any]:
    return {
        "bind": f"fd://{listener.detach()}",
        "worker_class": "gthread",
        "workers": 1,
        "threads": 32,
        "keepalive": 75,
        "graceful_timeout": 1,
        "loglevel": "critical",
        "control_socket_disable": True,
        "when_ready": lambda _: ready(),
    }


def _run(application: _Gunicorn) -> None:
    """Run gunicorn's master here; its workers are forks that must never return into the caller's code."""
    master = os.getpid()
    try:
        Arbiter(application).run()
    except SystemExit as end:
        status = end.code if isinstance(end.code, int) else 0
        if os.getpid() != master:
            os._exit(status)
        if status:
            raise
