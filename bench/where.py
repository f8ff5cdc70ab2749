"""Where the processor time of a call goes: samples of our worker under load, by the lowest code with a name.

py-spy looks from outside, 500 times a second, at the thread that holds the interpreter's lock.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from bench.peers import PEERS
from bench.processes import tree
from bench.stand import Setting, Stand

# Areas by what a frame's path holds, the first that fits; the standard library counts for its caller.
AREAS: Final = {
    "HTTP server: requests read, answers written": ("gunicorn/http/", "gunicorn_http.py"),
    "HTTP server: worker, its threads": ("gunicorn/", "dbplanet/gunicorn_", "concurrent/futures/"),
    "Flask, werkzeug, what stands in front of them": (
        *("flask/", "werkzeug/", "mcp/blueprint.py"),
        *("mcp/shortcut.py", "mcp/untouched.py", "mcp/environ.py"),
    ),
    "MCP: protocol, sessions, validation": ("dbplanet/mcp/",),
    "metrics, log": ("dbplanet/observing/", "dbplanet/logs.py", "prometheus_client/", "logging/"),
    "requests, urllib3, http.client": ("requests/", "urllib3/", "http/client.py", "http/cookiejar.py"),
    "egress: the guard": ("dbplanet/egress/",),
    "client: token, turns, retries, circuit": ("dbplanet/haiilo/",),
    "tools, text": ("dbplanet/tools/", "dbplanet/text/"),
}
OTHER: Final = "other"


def shares(stacks: Iterable[str]) -> dict[str, float]:
    """Return each area's share of the samples, the largest first; a stack is ``frame;frame;… count``."""
    counts: Counter[str] = Counter()
    for line in stacks:
        stack, _, count = line.rpartition(" ")
        counts[_area(stack.split(";"))] += int(count)
    return {area: count / counts.total() for area, count in counts.most_common()}


def _area(frames: list[str]) -> str:
    for frame in reversed(frames):
        for area, parts in AREAS.items():
            if any(part in frame for part in parts):
                return area
    return OTHER


def record(stand: Stand, setting: Setting, seconds: int) -> dict[str, float]:
    """Return the shares under load; raises RuntimeError with py-spy's words where it may not look."""
    server = stand.running(PEERS["ours"], setting)
    *_, worker = tree(server.child.pid)
    with tempfile.TemporaryDirectory() as folder:
        stacks = Path(folder) / "stacks.txt"
        spying = subprocess.Popen(
            [*_spy(), "--pid", str(worker), "--duration", str(seconds), "--output", str(stacks)],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
        )
        stand.run(server, setting.kind, setting.callers, seconds=seconds + 1.0)
        _, words = spying.communicate(timeout=seconds + 10)
        if spying.returncode or not stacks.exists():
            raise RuntimeError(f"py-spy: {words.strip()[-300:]}")
        return shares(stacks.read_text("utf-8", "replace").splitlines())


def _spy() -> list[str]:
    command = str(Path(sys.executable).with_name("py-spy"))
    return [
        command,
        "record",
        "--format",
        "raw",
        "--gil",
        "--full-filenames",
        "--rate",
        "500",
    ]
