"""What is not imported where it is not needed: memory at the start, and the time to it."""

from __future__ import annotations

import subprocess
import sys

import pytest

from e2e.processes import environment

APPLICATION = {"dbplanet.factory", "dbplanet.mcp", "dbplanet.egress", "dbplanet.tools", "dbplanet.text"}
LIBRARIES = {"flask", "werkzeug", "requests", "urllib3", "pydantic", "html5lib", "tenacity", "click"}
NEVER = {
    "asyncio",
    "cryptography",
    "dbplanet.cli",
    "dbplanet.clubber",
    "dbplanet.httpapi",
    "dbplanet.sandbox",
    "doctest",
    "graphql",
    "mcp",
    "mcp_types",
    "redis",
    "sqlite3",
    "unittest",
}


def imported_by(program: str, **settings: str) -> set[str]:
    """Return the modules that a fresh process has after ``program``."""
    ended = subprocess.run(
        [sys.executable, "-c", f"import sys; {program}; print(*sys.modules)"],
        capture_output=True,
        text=True,
        env=environment(settings),
        timeout=60,
        check=True,
    )
    return set(ended.stdout.split())


@pytest.mark.parametrize(
    ("program", "settings"),
    [
        ("import dbplanet", {}),
        ("import dbplanet.gunicorn_conf", {}),
        (
            "import dbplanet.gunicorn_conf",
            {
                "DBPLANET_ALLOWED_BASE_URLS": "https://one.example,https://*.two.example",
                "DBPLANET_SERVERS": "dbplanet,api",
                "PROMETHEUS_MULTIPROC_DIR": "/nonexistent",
            },
        ),
    ],
)
def test_the_master_imports_nothing_of_the_application(program: str, settings: dict[str, str]):
    assert not imported_by(program, **settings) & (APPLICATION | LIBRARIES | NEVER | {"prometheus_client"})


def test_the_default_server_imports_nothing_of_the_others():
    modules = imported_by("import dbplanet.wsgi")
    assert modules >= APPLICATION
    assert not modules & NEVER


def test_the_package_gives_what_it_names():
    assert "dbplanet.factory" in imported_by("from dbplanet import *; create_app, DBPlanet, __version__")
