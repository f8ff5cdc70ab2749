"""What a run stood on: the machine, the versions, and how busy it was."""

from __future__ import annotations

import os
import platform
import re
import shutil
import subprocess
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Final

_PACKAGES: Final = (
    "flask",
    "gunicorn",
    "requests",
    "urllib3",
    "mcp",
    "uvicorn",
    "aiohttp",
    "httpx",
    "uvloop",
)


def described() -> list[str]:
    """Return the lines of a list; take them before anything runs, for the load's sake."""
    load = ", ".join(f"{value:.1f}" for value in os.getloadavg())
    return [
        f"{len(os.sched_getaffinity(0))} cores ({_model()}), {_memory_gib():.0f} GiB, {platform.system()}",
        f"load average at the start {load}",
        f"Python {platform.python_version()}{_node()}",
        ", ".join(f"{name} {found}" for name in _PACKAGES if (found := _version(name))),
    ]


def _model() -> str:
    found = re.search(r"^model name\s*: (.*)$", Path("/proc/cpuinfo").read_text(), re.MULTILINE)
    return found[1] if found else platform.machine()


def _memory_gib() -> float:
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30


def _node() -> str:
    if not shutil.which("node"):
        return ""
    said = subprocess.run(["node", "--version"], capture_output=True, text=True, check=False)
    return f", Node {said.stdout.strip().lstrip('v')}"


def _version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None
