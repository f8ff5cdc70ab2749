"""Each setting's wrong value ends ``gunicorn app:app`` soon, naming the setting, its fault and the fix."""

from __future__ import annotations

import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from dbplanet.settings import Settings
from e2e.processes import environment

CHECKOUT = Path(__file__).parents[3]
SECRET = "fake-secret-of-nobody"
TEXT = {"USERNAME", "PASSWORD", "CLIENT_ID", "CLIENT_SECRET", "SECRET_KEY"}
"""Any text is right for these."""

# variable → a wrong value, and the fix that the message names
WRONG = {
    "DBPLANET_HOST": ("not a host", "write an IP address"),
    "DBPLANET_THREADS": ("many", "digits only"),
    "DBPLANET_SERVERS": ("nope", "choose from dbplanet"),
    "DBPLANET_BASE_URL": ("db-planet.example", "write scheme and host"),
    "DBPLANET_ALLOW_DEFAULT_CREDENTIALS": ("perhaps", "write true or false"),
    "DBPLANET_ACCESS_TOKENS": (SECRET[:8], "write longer ones"),
    "DBPLANET_ALLOWED_BASE_URLS": ("ftp://x", "write scheme and host"),
    "DBPLANET_ALLOWED_HOSTS": ("a b", "write mcp.example.com"),
    "DBPLANET_ALLOWED_ORIGINS": ("https://a.example/path", "write mcp.example.com"),
    "DBPLANET_CONNECT_TIMEOUT": ("5s", "such as 5"),
    "DBPLANET_READ_TIMEOUT": ("0", "such as 5"),
    "DBPLANET_DEADLINE": ("nan", "such as 5"),
    "DBPLANET_MAX_REQUEST_BYTES": ("4 MiB", "digits only"),
    "DBPLANET_MAX_RESPONSE_BYTES": ("-1", "digits only"),
    "DBPLANET_MAX_TEXT_CHARS": ("1", "digits only"),
    "DBPLANET_SESSION_STORE": ("postgres://x", "write memory://"),
    "DBPLANET_SESSION_TTL": ("8h", "such as 5"),
    "DBPLANET_READ_ONLY": ("on?", "write true or false"),
    "DBPLANET_TOOLSETS": ("nope", "choose from search"),
    "DBPLANET_CONFIRM_WRITES": ("2", "write true or false"),
    "DBPLANET_PROXY": (f"https://user:{SECRET}@proxy.example", "write http://host:port"),
    "DBPLANET_CA_BUNDLE": ("/nowhere/at/all.pem", "write the path of a PEM file"),
    "DBPLANET_USER_AGENT": ("two\nlines", "write visible ASCII"),
    "DBPLANET_API_ALLOWED_HOSTS": ("http://a", "write api.example.com"),
    "DBPLANET_API_ALLOWED_NETS": ("10.0.0.0/99", "write 10.0.0.0/8"),
    "DBPLANET_API_LOG_REQUESTS": ("y", "write true or false"),
    "DBPLANET_LOG_LEVEL": ("loud", "choose from DEBUG"),
    "DBPLANET_LOG_FORMAT": ("xml", "choose from text, json"),
    "DBPLANET_SLOW_CALL": ("soon", "such as 5"),
    "DBPLANET_AUDIT_LOG": ("/nowhere/at/all.jsonl", "write the path of a file"),
    "PORT": ("tcp://10.0.0.1:3000", "digits only"),
    "CLUBBER_API_URL": (f"ftp://{SECRET}@127.0.0.1", "write one such as http://"),
}
BESIDES = {"CLUBBER_API_URL": {"DBPLANET_SERVERS": "clubber"}}


def start(name: str) -> tuple[subprocess.CompletedProcess[str], float]:
    """Start the server of the checkout with one wrong setting, as ``make serve`` does."""
    begun = time.monotonic()
    settings = {name: WRONG[name][0], **BESIDES.get(name, {})}
    ended = subprocess.run(
        [sys.executable, "-m", "gunicorn", "app:app"],
        capture_output=True,
        text=True,
        env=environment(settings),
        cwd=CHECKOUT,
        timeout=30,
        check=False,
    )
    return ended, time.monotonic() - begun


@pytest.fixture(scope="module")
def endings() -> dict[str, tuple[subprocess.CompletedProcess[str], float]]:
    """All of them, two at a time."""
    with ThreadPoolExecutor(2) as pool:
        return dict(zip(WRONG, pool.map(start, WRONG), strict=True))


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_value_ends_the_server_with_setting_fault_and_fix(
    endings: dict[str, tuple[subprocess.CompletedProcess[str], float]], name: str
):
    ended, seconds = endings[name]
    (line,) = (ended.stdout + ended.stderr).splitlines()
    assert ended.returncode != 0
    assert line.startswith(f"Configuration error: {name}: ")
    assert WRONG[name][1] in line
    assert SECRET not in line
    # A second on a machine of its own; this one is shared.
    assert seconds < 10


def test_the_table_holds_every_setting_that_can_be_wrong():
    known = {f"DBPLANET_{name.upper()}" for name in Settings.__dataclass_fields__ if name.upper() not in TEXT}
    assert known - WRONG.keys() == set()
