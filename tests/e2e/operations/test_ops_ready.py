"""``/ready`` says whether the next request can be served, and why not."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from e2e.conftest import StartServer
from e2e.operations.asking import get, until
from e2e.processes import port_that_refuses
from e2e.tenants import ANNA, JONAS, ME, MEHMET, Tenant
from e2e.wire import Server

THREADS = 4


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("removed")


@pytest.fixture(scope="module")
def small(start_server: StartServer, folder: Path) -> Server:
    return start_server("of four threads", THREADS=str(THREADS), AUDIT_LOG=str(folder / "audit.jsonl"))


def test_it_is_ready_by_any_host_name(small: Server):
    answer = get(small, "/ready", Host="10.1.2.3")
    assert answer.status_code == 200
    assert answer.json() == {
        "status": "ready",
        "checks": {"store": "ok", "configuration": "ok", "threads": "ok"},
    }


def test_without_free_threads_it_is_not_ready_and_then_ready_again(small: Server, tenant: Tenant):
    tenant.fault(ME, delay=1.5, times=THREADS - 1)
    with ThreadPoolExecutor(THREADS) as pool:
        calls = [
            pool.submit(small.call, "People_GetMe", {}, tenant.headers(person))
            for person in (ANNA, JONAS, MEHMET)
        ]
        assert until(lambda: get(small, "/ready").status_code == 503)
        answer = get(small, "/ready").json()
        assert answer["status"] == "not ready"
        assert answer["checks"]["threads"].startswith("4 of 4 threads are busy")
        assert not any(call.result().is_error for call in calls)
    assert until(lambda: get(small, "/ready").status_code == 200)


def test_a_file_of_the_settings_that_is_lost_is_named(small: Server, folder: Path):
    shutil.rmtree(folder)
    answer = get(small, "/ready")
    assert answer.status_code == 503
    assert "DBPLANET_AUDIT_LOG" in answer.json()["checks"]["configuration"]
    assert get(small, "/health").status_code == 200
    folder.mkdir()
    assert get(small, "/ready").status_code == 200


def test_the_images_health_check_asks_a_server_that_lives_and_misses_one_that_does_not(server: Server):
    dockerfile = (Path(__file__).parents[3] / "Dockerfile").read_text("utf-8")
    (command,) = re.findall(r"HEALTHCHECK .*\\\n\s+CMD (\[.*\])", dockerfile)
    _, *arguments = json.loads(command)
    with port_that_refuses() as nobody:
        for port, healthy in [(urlsplit(server.url).port, True), (nobody, False)]:
            ended = subprocess.run(
                [sys.executable, *arguments],
                env={**os.environ, "PORT": str(port)},
                capture_output=True,
                check=False,
            )
            assert (ended.returncode == 0) is healthy
