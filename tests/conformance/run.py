"""Runs the official conformance suite: ``make conformance``.

Against the fixture application every scenario that a revision requires must pass but for those in
``expected-failures.yml``; against the product's own endpoint those that apply to any server. Prints the
suite's own scenario lines and exits 0 only if all of this holds. What it installs stays in the virtual
environment's folder.
"""

from __future__ import annotations

import json
import os
import platform
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from contextlib import contextmanager
from pathlib import Path

HERE = Path(__file__).parent
INSTALLED = Path(sys.prefix) / "conformance"
BASELINE = str(HERE / "expected-failures.yml")
NODE_MAJOR = 22  # what the suite needs

# npm alias → package; two releases side by side.
PACKAGES = {
    "suite": "npm:@modelcontextprotocol/conformance@0.2.0-alpha.12",
    "suite-stable": "npm:@modelcontextprotocol/conformance@0.1.16",
}
FIXTURE_RUNS = [
    ("suite", ["--requirements", "2026-07-28"]),
    ("suite", ["--requirements", "2025-11-25", "--expected-failures", BASELINE]),
    ("suite-stable", ["--expected-failures", BASELINE]),
]
# What any server must pass, tools apart; the product has tools of its own and no fixtures.
UNIVERSAL = [
    "server-initialize",
    "ping",
    "tools-list",
    "dns-rebinding-protection",
    "server-sse-multiple-streams",
]
UNIVERSAL_MODERN = ["tools-list", "dns-rebinding-protection", "http-header-validation", "caching"]


def node() -> str:
    """Return a Node that is new enough: the machine's, or the one installed from npm."""
    installed = INSTALLED / "node_modules" / f"node-{_platform()}" / "bin" / "node"
    return str(installed) if installed.exists() else "node"


def _platform() -> str:
    machine = {"x86_64": "x64", "aarch64": "arm64", "arm64": "arm64"}[platform.machine()]
    return f"{sys.platform}-{machine}"


def _machine_has_node() -> bool:
    found = shutil.which("node")
    if found is None:
        return False
    version = subprocess.run([found, "--version"], capture_output=True, text=True, check=False).stdout
    major = re.match(r"v(\d+)", version)
    return major is not None and int(major[1]) >= NODE_MAJOR


def install() -> None:
    """Install the suite, and Node where the machine's is missing or too old."""
    wanted = [f"{alias}@{package}" for alias, package in PACKAGES.items()]
    if not _machine_has_node():
        wanted.append(f"node-{_platform()}@{NODE_MAJOR}")
    stamp = INSTALLED / "installed.json"
    if stamp.exists() and json.loads(stamp.read_text()) == wanted:
        return
    INSTALLED.mkdir(parents=True, exist_ok=True)
    command = ["npm", "install", "--no-audit", "--no-fund", "--silent", "--prefix", str(INSTALLED), *wanted]
    subprocess.run(command, check=True)
    stamp.write_text(json.dumps(wanted))


@contextmanager
def serving(application: str, path: str):
    """Serve an application with gunicorn and yield its endpoint's address."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, "-m", "gunicorn", "-k", "gthread", "--threads", "32", "--log-level", "warning"]
    command += ["--bind", f"127.0.0.1:{port}", "--no-control-socket", application]
    environ = {**os.environ, "PYTHONPATH": str(HERE.parent)}
    process = subprocess.Popen(command, env=environ, cwd=tempfile.gettempdir())
    try:
        _wait(port)
        yield f"http://127.0.0.1:{port}{path}"
    finally:
        process.terminate()
        process.wait(30)


def _wait(port: int) -> None:
    for _ in range(100):
        try:
            urllib.request.urlopen(f"http://127.0.0.1:{port}/health", timeout=2)
        except urllib.error.HTTPError:
            return
        except OSError:
            time.sleep(0.1)
        else:
            return
    sys.exit("the application did not start")


def run(suite: str, url: str, arguments: list[str]) -> bool:
    """Run one release of the suite, show its scenario lines, and tell whether it is content."""
    script = INSTALLED / "node_modules" / suite / "dist" / "index.js"
    with tempfile.TemporaryDirectory() as folder:
        command = [node(), str(script), "server", "--url", url, *arguments]
        command += ["-o", folder] if suite == "suite" else []
        result = subprocess.run(command, capture_output=True, text=True, cwd=folder, check=False)
    print(f"\n### {suite} {' '.join(arguments).replace(str(HERE) + os.sep, '')}")
    print(
        result.stdout[result.stdout.find("=== SUMMARY") :]
        if "=== SUMMARY" in result.stdout
        else result.stdout
    )
    print(f"exit {result.returncode}")
    if result.returncode:
        print(result.stderr, file=sys.stderr)
    return result.returncode == 0


def main() -> None:
    """Run everything and exit with 1 if anything failed."""
    install()
    outcomes = []
    with serving("conformance.fixture_app:app", "/mcp") as url:
        outcomes += [run(suite, url, arguments) for suite, arguments in FIXTURE_RUNS]
    with serving("dbplanet.wsgi:app", "/servers/dbplanet/mcp") as url:
        outcomes += [run("suite", url, ["--scenario", name]) for name in UNIVERSAL]
        modern = ["--spec-version", "2026-07-28"]
        outcomes += [run("suite", url, ["--scenario", name, *modern]) for name in UNIVERSAL_MODERN]
    print(f"\n{outcomes.count(True)} passed, {outcomes.count(False)} failed")
    sys.exit(outcomes.count(False) > 0)


if __name__ == "__main__":
    main()
