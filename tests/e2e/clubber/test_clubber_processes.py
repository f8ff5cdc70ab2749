"""The processes themselves: the sandbox's register, and a start that must fail."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from dbplanet.sandbox.clubber import create_clubber
from dbplanet.sandbox.clubber.store import Members
from e2e.clubber.agents import http_agent
from e2e.processes import Process, environment


def test_members_persist_in_the_database_of_a_register(tmp_path: Path):
    database = tmp_path / "members.sqlite"
    for expected in (0, 1):
        command = [sys.executable, "-m", "dbplanet.sandbox.clubber", "--port", "0", "--empty"]
        register = Process(
            [*command, "--database", str(database), "--until-stdin-closes"], tmp_path / "log", {}
        )
        try:
            said = register.wait_for(rf"(?:.*\n){{{expected}}}Clubber sandbox on (http://\S+)\n")
            assert said, register.output()
            with http_agent(said[1]) as agent:
                assert len(agent.call("list_members").json) == expected
                agent.call("create_member", firstName="Ada")
        finally:
            register.stop()


def test_a_register_that_was_emptied_is_not_filled_again(tmp_path: Path):
    create_clubber(tmp_path / "m.sqlite", seed=[{"first_name": "Ada"}])
    create_clubber(tmp_path / "m.sqlite")
    assert [row["first_name"] for row in Members(tmp_path / "m.sqlite").all()] == ["Ada"]


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"CLUBBER_API_URL": "ftp://127.0.0.1/graphql"}, "CLUBBER_API_URL is not an http or https URL"),
        ({"CLUBBER_API_URL": "http://user:fake@127.0.0.1/"}, "CLUBBER_API_URL is not an http or https URL"),
        ({"DBPLANET_READ_TIMEOUT": "soon"}, "DBPLANET_READ_TIMEOUT"),
    ],
)
def test_a_wrong_setting_ends_the_start_with_its_name(settings: dict[str, str], said: str):
    ended = subprocess.run(
        [sys.executable, "-m", "dbplanet.clubber"],
        capture_output=True,
        stdin=subprocess.DEVNULL,
        text=True,
        env=environment(settings),
        timeout=60,
        check=False,
    )
    assert (ended.returncode, ended.stdout) == (1, "")
    assert said in ended.stderr
    assert "fake" not in ended.stderr
    assert "Traceback" not in ended.stderr


def test_the_servers_without_clubber_do_not_import_graphql():
    program = "import sys, dbplanet.servers, dbplanet.cli; sys.exit('graphql' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], timeout=60, check=False).returncode == 0
