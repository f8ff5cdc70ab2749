"""The bench's own processes against our server: it measures right answers, whatever their speed."""

import sys

import pytest

from bench.peers import PEERS
from bench.processes import memory_mib
from bench.stand import Setting, stand

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the bench reads /proc")


@pytest.fixture(scope="module")
def running():
    with stand(warm_seconds=0.02) as made:
        yield made


@pytest.mark.parametrize("kind", ["call", "call without session", "list", "ping", "session"])
def test_every_kind_of_request_is_answered_right_in_a_short_window(running, kind):
    seen = running.measure(PEERS["ours"], Setting("two", kind, callers=2), seconds=0.05)
    assert seen.sample.faults == ()
    assert seen.sample.units > 0
    assert bool(seen.peak) == kind.startswith("call")


def test_a_slow_tenant_is_waited_for(running):
    seen = running.measure(PEERS["ours"], Setting("two", callers=2, delay=0.03), seconds=0.1)
    assert seen.sample.faults == ()
    assert seen.sample.p50 >= 30
    assert seen.peak == 2


def test_the_ceiling_answers_right_and_a_server_is_weighed(running):
    seen = running.measure(PEERS["echo"], Setting("one", callers=1), seconds=0.02)
    assert seen.sample.faults == ()
    server = running.start(PEERS["echo"])
    assert memory_mib(server.child.pid) > 1
    server.child.stop()
