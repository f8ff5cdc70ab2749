"""The sandbox as users start it: its own process, a real port, real HTTP."""

from __future__ import annotations

import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
import requests

from dbplanet.sandbox import CREDENTIALS, entity_id, serve

TIMEOUT = 20


def start(folder: Path, *options: str) -> tuple[subprocess.Popen[str], str]:
    process = subprocess.Popen(
        [sys.executable, "-m", "dbplanet.sandbox", "--port", "0", "--until-stdin-closes", *options],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env={"PATH": "", "TMPDIR": str(folder), "PYTHONPATH": ":".join(filter(None, sys.path))},
    )
    line = process.stdout.readline()
    assert line.startswith("DB Planet sandbox on http://127.0.0.1:"), line
    return process, line.split()[-1]


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("tenant")
    process, url = start(folder, "--tenant", "Testmandant Süd")
    yield url
    process.stdin.close()
    assert process.wait(TIMEOUT) == 0, "it ends by itself when its input closes"
    assert list(folder.iterdir()) == [], "the temporary database is removed"
    process.stdout.close()


@pytest.fixture
def session(url: str) -> Iterator[requests.Session]:
    with requests.Session() as session:
        session.trust_env = False
        token = session.post(
            f"{url}/api/oauth/token",
            auth=(CREDENTIALS.client_id, CREDENTIALS.client_secret),
            data={
                "grant_type": "password",
                "username": CREDENTIALS.username,
                "password": CREDENTIALS.password,
            },
            timeout=TIMEOUT,
        ).json()["access_token"]
        session.headers["Authorization"] = f"Bearer {token}"
        yield session


def test_it_serves_its_tenant_over_kept_alive_connections(url, session):
    for _ in range(2):
        me = session.get(f"{url}/api/users/me", timeout=TIMEOUT)
        assert me.json()["tenant"] == "Testmandant Süd"
        assert me.headers["Connection"] == "keep-alive"


def test_many_threads_read_and_write_at_once(url, session):
    target = entity_id("timeline-item/kaffee-leitstelle")

    def comment(number: int) -> int:
        form = {"targetId": target, "message": f"Nr. {number}"}
        posted = session.post(f"{url}/api/comments", json=form, timeout=TIMEOUT)
        session.get(f"{url}/api/search", params={"term": "Kaffee"}, timeout=TIMEOUT)
        return posted.status_code

    with ThreadPoolExecutor(8) as pool:
        assert set(pool.map(comment, range(64))) == {201}
    comments = session.get(
        f"{url}/api/comments", params={"targetId": target, "_pageSize": 100}, timeout=TIMEOUT
    )
    assert {c["message"] for c in comments.json()["content"]} == {f"Nr. {n}" for n in range(64)}


def test_a_dropped_connection_is_one_to_the_client(url, session):
    fault = {"match": "/api/users/me", "drop": True, "times": 1}
    session.post(f"{url}/__sandbox__/faults", json=[fault], timeout=TIMEOUT)
    with pytest.raises(requests.ConnectionError):
        session.get(f"{url}/api/users/me", timeout=TIMEOUT)
    assert session.get(f"{url}/api/users/me", timeout=TIMEOUT).status_code == 200


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_it_cleanly_even_with_open_connections(tmp_path, number):
    process, url = start(tmp_path)
    with process, requests.Session() as session:
        session.get(f"{url}/nowhere", timeout=TIMEOUT)
        process.send_signal(number)
        assert process.wait(TIMEOUT) == 0
    assert list(tmp_path.iterdir()) == []


def test_a_given_database_is_kept(tmp_path):
    database = tmp_path / "kept.sqlite"
    process, _ = start(tmp_path, "--database", str(database))
    with process:
        process.send_signal(signal.SIGTERM)
        assert process.wait(TIMEOUT) == 0
    assert database.exists()


def test_a_port_in_use_is_a_clear_error_at_once():
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(OSError, match=f"cannot listen on 127.0.0.1:{port}: Address already in use"):
            serve(port=port)
