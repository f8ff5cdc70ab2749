"""``/ready`` says whether the next request can be served, and why not."""

from __future__ import annotations

import shutil
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from e2e.conftest import StartServer
from e2e.operations.asking import get, until
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
