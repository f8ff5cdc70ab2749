"""A wrong setting ends the server at once, with one message that names it and the fix."""

from __future__ import annotations

import re
import subprocess
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from e2e.conftest import KUBERNETES
from e2e.processes import APPLICATION, GUNICORN, environment, free_port
from e2e.tenants import Tenant
from e2e.wire import Server

SECRET = "fake-secret-of-nobody"

# settings → what the message names
WRONG = [
    ({"DBPLANET_READ_TIMEOUT": "5s"}, ["DBPLANET_READ_TIMEOUT", "5s", "seconds"]),
    # a secret is not repeated, not even under a name that is misspelt
    ({"DBPLANET_CLIENT_SECRETS": SECRET, "DBPLANET_CLIENT_SECRET": SECRET}, ["DBPLANET_CLIENT_SECRETS"]),
    (
        {"DBPLANET_ALLOW_DEFAULT_CREDENTIALS": "true", "DBPLANET_USERNAME": "anna"},
        ["DBPLANET_PASSWORD", "DBPLANET_CLIENT_ID", "DBPLANET_CLIENT_SECRET", "DBPLANET_BASE_URL"],
    ),
    ({"DBPLANET_LOG__LEVEL": "DEBUG"}, ["DBPLANET_LOG__LEVEL"]),
    ({"PORT": "http"}, ["PORT", "http"]),
]


def start(settings: dict[str, str]) -> tuple[subprocess.CompletedProcess[str], float]:
    """Start gunicorn, which must end by itself; return what it said and how long it took in seconds."""
    begun = time.monotonic()
    given = environment({"PORT": str(free_port()), **settings})
    ended = subprocess.run(
        [*GUNICORN, APPLICATION], capture_output=True, text=True, env=given, timeout=30, check=False
    )
    return ended, time.monotonic() - begun


@pytest.fixture(scope="module")
def endings() -> list[tuple[subprocess.CompletedProcess[str], float]]:
    """All of them, two at a time."""
    with ThreadPoolExecutor(2) as pool:
        return list(pool.map(start, [settings for settings, _ in WRONG]))


@pytest.mark.parametrize("number", range(len(WRONG)), ids=[str(settings) for settings, _ in WRONG])
def test_a_wrong_setting_ends_gunicorn_with_one_message_that_names_it(
    endings: list[tuple[subprocess.CompletedProcess[str], float]], number: int
):
    _, named = WRONG[number]
    ended, seconds = endings[number]
    said = ended.stdout + ended.stderr
    assert ended.returncode != 0
    assert seconds < 10
    assert len(said.splitlines()) == 1, said
    assert [word for word in named if word not in said] == []
    assert "Traceback" not in said
    assert SECRET not in said


@pytest.mark.parametrize("name", KUBERNETES)
def test_what_kubernetes_injects_is_ignored_with_a_log_line(server: Server, tenant: Tenant, name: str):
    assert not server.call("People_GetMe", {}, tenant.headers()).is_error
    assert re.search(rf"\b{name} is ignored", server.process.output())
