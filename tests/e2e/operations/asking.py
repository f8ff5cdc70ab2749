"""What an operator's tools ask of a running server."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import requests

from e2e.wire import PATH, Server

_SAMPLE = re.compile(r"(\w+)(?:\{(.*)\})? ([0-9.e+-]+)")
_LABEL = re.compile(r'(\w+)="([^"]*)"')
_SECONDS = 10.0


def get(server: Server, path: str, **headers: str) -> requests.Response:
    """Return the answer to a GET on a connection of its own."""
    with requests.Session() as session:
        session.trust_env = False
        return session.get(server.url.removesuffix(PATH) + path, headers=headers, timeout=30)


def samples(server: Server, name: str) -> dict[tuple[tuple[str, str], ...], float]:
    """Return what ``/metrics`` says under a name: sorted labels → value."""
    found = {}
    for line in get(server, "/metrics").text.splitlines():
        sample = _SAMPLE.fullmatch(line)
        if sample and sample[1] == name:
            found[tuple(sorted(_LABEL.findall(sample[2] or "")))] = float(sample[3])
    return found


def total(running: Server, name: str, **labels: str) -> float:
    """Return the sum of a name's samples that carry these labels."""
    wanted = set(labels.items())
    return sum(value for given, value in samples(running, name).items() if wanted <= set(given))


def lines(text: str) -> list[dict[str, Any]]:
    """Return JSON lines; the test fails over one that is none."""
    return [json.loads(line) for line in text.splitlines()]


def audit_lines(path: Path) -> list[dict[str, Any]]:
    """Return the lines of an audit file, none where it does not exist yet."""
    return lines(path.read_text("utf-8")) if path.exists() else []


def until(condition: Callable[[], bool]) -> bool:
    """Wait until a condition holds; False when it does not within ten seconds."""
    end = time.monotonic() + _SECONDS
    while time.monotonic() < end:
        if condition():
            return True
        time.sleep(0.05)
    return False
