from __future__ import annotations

import socket
from typing import Any

import pytest


@pytest.fixture
def dialled(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, int]]:
    """Record every (address, port) that anything tries to connect to, and refuse the connection."""
    seen: list[tuple[str, int]] = []

    def connect(self: socket.socket, address: Any) -> None:
        seen.append(address[:2])
        raise ConnectionRefusedError

    monkeypatch.setattr(socket.socket, "connect", connect)
    return seen
