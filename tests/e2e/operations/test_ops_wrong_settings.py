"""Each setting's wrong value ends ``gunicorn app:app`` soon, naming the setting, its fault and the fix."""

from __future__ import annotations

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from dbplanet.servers import clubber_server
from dbplanet.settings import Settings, SettingsError, port
from e2e.processes import environment

CHECKOUT = Path(__file__).parents[3]
SECRET = "fake-secret-of-nobody"
TEXT = {"USERNAME", "PASSWORD", "CLIENT_ID", "CLIENT_SECRET"}
"""Any text is right for these."""

# variable → a wrong value, and the fix that the message names
WRONG = {
    "DBPLANET_HOST": ("not a host", "write one such as 127.0.0.1"),
    "DBPLANET_THREADS": ("many", "digits only"),
    "DBPLANET_SERVERS": ("nope", "choose from dbplanet"),
    "DBPLANET_BASE_URL": ("db-planet.example", "write scheme and host"),
    "DBPLANET_ALLOW_DEFAULT_CREDENTIALS": ("perhaps", "write true or false"),
    "DBPLANET_ACCESS_TOKENS": (SECRET[:8], "write longer ones"),
    "DBPLANET_ALLOWED_BASE_URLS": ("ftp://x", "write scheme and host"),
    "DBPLANET_ALLOWED_HOSTS": ("a b", "write a name, *.suffix or *"),
    "DBPLANET_ALLOWED_ORIGINS": ("https://a.example/path", "write a name, *.suffix or *"),
    "DBPLANET_CONNECT_TIMEOUT": ("5s", "such as 5"),
    "DBPLANET_READ_TIMEOUT": ("0", "such as 5"),
    "DBPLANET_DEADLINE": ("nan", "such as 5"),
    "DBPLANET_RETRY_AFTER_CAP": ("-1", "such as"),
    "DBPLANET_TENANT_CONCURRENCY": ("0", "digits only"),
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
    "DBPLANET_USER_AGENT": ("two\nlines", "write up to 200 visible ASCII"),
    "DBPLANET_API_ALLOWED_HOSTS": ("http://a", "write api.example.com"),
    "DBPLANET_API_ALLOWED_NETS": ("10.0.0.0/99", "write 10.0.0.0/8"),
    "DBPLANET_API_LOG_REQUESTS": ("y", "write true or false"),
    "DBPLANET_LOG_LEVEL": ("loud", "choose from DEBUG"),
    "DBPLANET_LOG_FORMAT": ("xml", "choose from text, json"),
    "DBPLANET_SLOW_CALL": ("soon", "such as 5"),
    "DBPLANET_AUDIT_LOG": ("/nowhere/at/all.jsonl", "write the path of a file"),
    "DBPLANET_SECRET_KEY": (SECRET[:8], "write 16 characters"),
    "PORT": ("tcp://10.0.0.1:3000", "digits only"),
    "CLUBBER_API_URL": (f"ftp://{SECRET}@127.0.0.1", "such as http://"),
}
BESIDES = {"CLUBBER_API_URL": {"DBPLANET_SERVERS": "clubber"}}

# One for each way of reading a setting; each start takes most of a second of a processor.
STARTED = (
    "DBPLANET_HOST",
    "DBPLANET_THREADS",
    "DBPLANET_SERVERS",
    "DBPLANET_BASE_URL",
    "DBPLANET_ACCESS_TOKENS",
    "DBPLANET_READ_TIMEOUT",
    "DBPLANET_READ_ONLY",
    "DBPLANET_PROXY",
    "DBPLANET_CA_BUNDLE",
    "DBPLANET_AUDIT_LOG",
    "PORT",
    "CLUBBER_API_URL",
)


def settings_with(name: str) -> dict[str, str]:
    return {name: WRONG[name][0], **BESIDES.get(name, {})}


def read_all() -> None:
    """Read the environment as ``gunicorn_conf.py`` does before anything else."""
    settings = Settings.load()
    port(os.environ)
    if "clubber" in settings.servers:
        clubber_server(settings)


def start(name: str) -> subprocess.CompletedProcess[str]:
    """Start the server of the checkout with one wrong setting, as ``make serve`` does."""
    return subprocess.run(
        [sys.executable, "-m", "gunicorn", "app:app"],
        capture_output=True,
        text=True,
        env=environment(settings_with(name)),
        cwd=CHECKOUT,
        timeout=30,
        check=False,
    )


@pytest.fixture(scope="module")
def endings() -> dict[str, subprocess.CompletedProcess[str]]:
    """All of them, two at a time."""
    with ThreadPoolExecutor(2) as pool:
        return dict(zip(STARTED, pool.map(start, STARTED), strict=True))


@pytest.mark.parametrize("name", STARTED)
def test_a_wrong_value_ends_the_server_with_setting_fault_and_fix(
    endings: dict[str, subprocess.CompletedProcess[str]], name: str
):
    ended = endings[name]
    (line,) = (ended.stdout + ended.stderr).splitlines()
    assert ended.returncode != 0
    assert line.startswith(f"Configuration error: {name}")
    assert WRONG[name][1] in line
    assert SECRET not in line


@pytest.mark.parametrize("name", WRONG)
def test_each_setting_has_a_message_with_fault_and_fix(monkeypatch: pytest.MonkeyPatch, name: str):
    for variable in [known for known in os.environ if known.startswith("DBPLANET_") or known == "PORT"]:
        monkeypatch.delenv(variable)
    for variable, value in settings_with(name).items():
        monkeypatch.setenv(variable, value)
    with pytest.raises(SettingsError) as caught:
        read_all()
    assert str(caught.value).startswith(name)
    assert WRONG[name][1] in str(caught.value)
    assert SECRET not in str(caught.value)


def test_the_table_holds_every_setting_that_can_be_wrong():
    known = {f"DBPLANET_{name.upper()}" for name in Settings.__dataclass_fields__ if name.upper() not in TEXT}
    assert known - WRONG.keys() == set()
