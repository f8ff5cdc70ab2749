"""gunicorn forks: what a process made must not be used, and not be missed, in its child."""

from __future__ import annotations

import subprocess
import sys
import textwrap

from egress_servers import always, ok, serving

# run apart: forking a process that runs threads is what Python 3.12 and later warn of
FORKING = """
    import os, sys
    from dbplanet.egress import Egress, Limits, Policy

    url = sys.argv[1]
    limits = Limits(connect=2, read=2, total=2)
    egress = Egress(Policy.for_api(nets=["127.0.0.1/32"]), limits, resolver=lambda host: ["127.0.0.1"])
    before = egress.send("GET", url).body
    child = os.fork()
    if child == 0:
        try:
            os._exit(0 if [egress.send(m, url).body for m in ("GET", "POST")] == [before] * 2 else 1)
        except BaseException:
            os._exit(2)
    status = os.waitpid(child, 0)[1]
    after = egress.send("GET", url).body
    egress.close()
    print(os.waitstatus_to_exitcode(status), before == after)
"""


def python(program: str, *arguments: str) -> str:
    command = [sys.executable, "-W", "ignore::DeprecationWarning", "-c", textwrap.dedent(program), *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=20, check=True).stdout.strip()


def test_a_child_uses_its_own_threads_and_connections() -> None:
    with serving(always(ok(b"same"))) as server:
        assert python(FORKING, f"http://app.test:{server.port}/") == "0 True"
    # parent's kept one (used before and after), child's read and child's write
    assert (server.connections, len(server.requests)) == (3, 4)


def test_an_object_that_is_never_used_costs_neither_thread_nor_descriptor() -> None:
    program = """
        import os, threading
        from dbplanet.egress import Egress, Policy

        policy = Policy.for_tenants()
        before = len(os.listdir("/proc/self/fd"))
        objects = [Egress(policy) for _ in range(1000)]
        print(len(os.listdir("/proc/self/fd")) - before, threading.active_count())
    """
    assert python(program) == "0 1"


def test_a_stuck_lookup_does_not_delay_the_end_of_the_process() -> None:
    program = """
        import time
        from dbplanet.egress import Egress, EgressError, Limits, Policy

        egress = Egress(Policy.for_api(), Limits(connect=0.1), resolver=lambda host: time.sleep(60))
        try:
            egress.send("GET", "http://app.test/")
        except EgressError as error:
            print(error.code)
    """
    assert python(program) == "connect_timeout"
