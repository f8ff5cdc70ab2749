"""``python -m dbplanet``: the tools, and calls as the operator of the settings."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest

from e2e.processes import environment
from e2e.tenants import ANNA, Tenant


def dbplanet(*arguments: str, **settings: str) -> subprocess.CompletedProcess[str]:
    """Run the command line with nothing but these settings."""
    return subprocess.run(
        [sys.executable, "-m", "dbplanet", *arguments],
        capture_output=True,
        text=True,
        encoding="utf-8",
        env=environment({"PYTHONIOENCODING": "utf-8", **settings}),
        timeout=60,
        check=False,
    )


@pytest.fixture
def operator(tenant: Tenant) -> dict[str, str]:
    """The settings of Anna as the operator."""
    return {
        "DBPLANET_USERNAME": ANNA.username,
        "DBPLANET_PASSWORD": ANNA.password,
        "DBPLANET_CLIENT_ID": ANNA.client_id,
        "DBPLANET_CLIENT_SECRET": ANNA.client_secret,
        "DBPLANET_BASE_URL": tenant.url,
    }


def test_tools_lists_all_28_with_their_arguments():
    listed = dbplanet("tools")
    assert (listed.returncode, listed.stderr) == (0, "")
    assert len(re.findall(r"^  [A-Z]\w+_\w+ ", listed.stdout, re.MULTILINE)) == 28
    assert "Search_FullText query [page] [pageSize]" in listed.stdout


def test_a_call_prints_the_answer_and_exits_0(operator: dict[str, str]):
    called = dbplanet("call", "Search_FullText", "query=Brücke", "pageSize=1", **operator)
    assert (called.returncode, called.stderr) == (0, "")
    assert called.stdout.startswith("Search results for “Brücke”: 1–1 of ")


def test_a_value_may_hold_an_equals_sign(operator: dict[str, str]):
    called = dbplanet("call", "Search_QuickEntity", "query=a=b", **operator)
    assert called.stdout.startswith("Entities named like “a=b”: none.")


def test_an_error_is_told_on_stderr_and_exits_1(operator: dict[str, str]):
    called = dbplanet("call", "Event_Get", "id=no-such-event", **operator)
    assert (called.returncode, called.stdout) == (1, "")
    assert called.stderr.startswith("[404] The requested resource was not found.\n")


def test_missing_credentials_name_their_settings(operator: dict[str, str]):
    del operator["DBPLANET_PASSWORD"], operator["DBPLANET_BASE_URL"]
    called = dbplanet("call", "People_GetMe", **operator)
    assert (called.returncode, called.stdout) == (1, "")
    assert "password (DBPLANET_PASSWORD)" in called.stderr
    assert "base_url (DBPLANET_BASE_URL)" in called.stderr


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["call", "Search_Everything"], "Search_Everything"),
        (["call", "Search_FullText", "query"], "key=value"),
    ],
)
def test_a_wrong_command_is_explained_without_a_traceback(
    operator: dict[str, str], arguments: list[str], said: str
):
    called = dbplanet(*arguments, **operator)
    assert called.returncode != 0
    assert said in called.stderr
    assert "Traceback" not in called.stderr


def test_a_wrong_setting_is_named(operator: dict[str, str]):
    called = dbplanet("call", "People_GetMe", **{**operator, "DBPLANET_READ_TIMEOUT": "soon"})
    assert (called.returncode, called.stdout) == (1, "")
    assert "DBPLANET_READ_TIMEOUT" in called.stderr
    assert "Traceback" not in called.stderr
