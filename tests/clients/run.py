"""Runs published MCP clients against the real server, joined to a sandbox tenant: ``make clients``.

Each client connects, lists the tools, calls some and closes, in each of its modes. Prints one line for
each, and exits 0 only if all of them got what they must. What it installs stays in the virtual environment's
folder.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from clients.matrix import CALLS, CASES, CLIENTS, HEADERS, OPERATOR, STDIO, Case
from clients.verdict import ends_session, faults, wire_faults
from conformance import run as conformance
from dbplanet.process import sandbox_settings
from e2e.processes import APPLICATION, GUNICORN, Process, environment, gunicorn_process, sandbox_process
from e2e.tenants import MEHMET, Tenant
from e2e.wire import PATH

SECONDS = 120
LOGGED_SECONDS = 2  # an answer is logged after it was sent, and so perhaps after the client's end
SHOWN = 3_000

WIRE = "wire: "
SERVER = [*GUNICORN, "--access-logfile", "-", "--access-logformat", f"{WIRE}%(m)s %(s)s", APPLICATION]
STDIO_SERVER = [sys.executable, "-m", "dbplanet", "stdio", "dbplanet"]


@dataclass(frozen=True)
class Product:
    """The running server; ``headers`` are a user's credentials, ``settings`` name the operator's."""

    process: Process
    url: str
    headers: dict[str, str]
    settings: dict[str, str]

    def job(self, case: Case) -> str:
        """Return what a client's script has to do, as JSON."""
        ways: dict[str, dict[str, Any]] = {
            HEADERS: {"url": self.url, "headers": self.headers},
            OPERATOR: {"url": self.url, "headers": {}},
            # What a client says on standard error is a complaint; what a server over stdio logs is there too.
            STDIO: {"command": STDIO_SERVER, "environ": {**self.settings, "DBPLANET_LOG_LEVEL": "WARNING"}},
        }
        return json.dumps({"mode": case.mode, "calls": CALLS, **ways[case.way]})

    def exchanges(self, start: int) -> list[str]:
        """Return ``METHOD status`` of every answer that was logged after ``start`` characters."""
        lines = self.process.output()[start:].splitlines()
        return [line.partition(WIRE)[2] for line in lines if WIRE in line]


@contextmanager
def product(folder: Path) -> Iterator[Product]:
    """Serve the product: Anna is its operator, the headers name the user with the most difficult password."""
    with sandbox_process(folder, "Mandant") as tenant_url, closing(Tenant(tenant_url)) as tenant:
        headers = {name: value.decode() for name, value in tenant.headers(MEHMET).items()}
        operator = sandbox_settings(tenant_url)
        settings = {**operator, "DBPLANET_ALLOW_DEFAULT_CREDENTIALS": "true"}
        with gunicorn_process(folder / "server.log", settings, command=SERVER) as (process, origin):
            yield Product(process, origin + PATH, headers, operator)


def run(case: Case, served: Product, home: Path) -> subprocess.CompletedProcess[str]:
    """Run a client's script to its end, in a home folder of its own."""
    own = {"HOME": str(home), "MCP_CATALOG_PATH": str(home / "catalog.json")}
    with open(case.client.program, "rb") as program:
        return subprocess.run(
            case.client.command(served.job(case)),
            stdin=program,
            capture_output=True,
            encoding="utf-8",
            timeout=SECONDS,
            cwd=case.client.folder,
            env=environment(own),
            check=False,
        )


def judge(case: Case, served: Product, home: Path) -> list[str]:
    """Run one case and return what is wrong with it, nothing if all is well."""
    start = len(served.process.output())
    try:
        done = run(case, served, home)
    except subprocess.TimeoutExpired as error:
        return [f"did not end within {error.timeout:.0f} s"]
    if done.returncode or not done.stdout.startswith("{"):
        found = [f"no report, exit {done.returncode}"]
    else:
        found = [*faults(case, json.loads(done.stdout)), *wire_faults(case, logged(case, served, start))]
    found += ["the client says something:"] if done.stderr else []
    said = (done.stdout, done.stderr, served.process.output()[start:])
    return [*found, *(text[-SHOWN:] for text in said)] if found else []


def logged(case: Case, served: Product, start: int) -> list[str]:
    """Return the exchanges of a case that has ended, after a wait for the DELETE that must be among them."""
    deadline = time.monotonic() + LOGGED_SECONDS
    while ends_session(case) and time.monotonic() < deadline:
        if any(line.startswith("DELETE") for line in served.exchanges(start)):
            break
        time.sleep(0.05)
    return served.exchanges(start)


def install() -> None:
    """Install all clients, and the Node that the conformance suite runs on."""
    conformance.install()
    with ThreadPoolExecutor(2) as pool:
        for _ in pool.map(lambda client: client.install(), CLIENTS):
            pass


def main() -> None:
    """Run the matrix and exit with 1 if anything failed."""
    install()
    failed = 0
    with tempfile.TemporaryDirectory() as folder, product(Path(folder)) as served:
        for case in CASES:
            began = time.monotonic()
            found = judge(case, served, Path(folder))
            took = time.monotonic() - began
            failed += bool(found)
            print(f"{'FAIL' if found else 'ok  '} {case.title}: {case.version}, {took:.1f} s", flush=True)
            print("".join(f"     {line}\n" for text in found for line in text.splitlines()), end="")
    print(f"{len(CASES) - failed} passed, {failed} failed")
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()
