"""What the guard costs on a kept connection: alternating rounds against plain requests, in one run.

    python bench/guard.py [rounds]

Three ways to make the same GET over keep-alive to a server in another process: a requests session as it
is usually used (``trust_env`` off), a request prepared by hand and sent without any check, and ``Egress``.
Prints the median of each, and the median of the paired differences, in microseconds.
"""

import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator

import requests

from dbplanet.egress import Egress, Policy

SERVER = """
import http.server, sys
class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    wbufsize = 65536  # head and body in one packet
    def do_GET(self):
        body = b'{"id": "4c65a238"}' * 20
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)
    def log_message(self, *_): pass
server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
print(server.server_port, flush=True)
server.serve_forever()
"""
PER_ROUND = 50


def clocked(call: Callable[[], object]) -> float:
    """Return the microseconds of one call, over a round of them."""
    begun = time.perf_counter()
    for _ in range(PER_ROUND):
        call()
    return (time.perf_counter() - begun) / PER_ROUND * 1e6


def ways(url: str) -> Iterator[tuple[str, Callable[[], object]]]:
    """Yield each way's name and one call of it."""
    plain = requests.Session()
    plain.trust_env = False
    yield "requests session", lambda: plain.get(url, timeout=(5, 20)).content
    bare = requests.Session()
    bare.trust_env = False
    prepared = bare.prepare_request(requests.Request("GET", url))
    adapter = bare.get_adapter(url)
    yield "prepared by hand, unchecked", lambda: adapter.send(prepared, timeout=(5, 20)).content
    egress = Egress(Policy.for_tenants([url]))
    yield "egress, every check", lambda: egress.send("GET", url).body


def main() -> None:
    """Measure and print."""
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 40
    command = [sys.executable, "-c", SERVER]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        try:
            assert server.stdout is not None  # noqa: S101 it is a pipe
            calls = dict(ways(f"http://127.0.0.1:{int(server.stdout.readline())}"))
            for call in calls.values():
                clocked(call)
            times: dict[str, list[float]] = {name: [] for name in calls}
            for _ in range(rounds):
                for name, call in calls.items():
                    times[name].append(clocked(call))
        finally:
            server.terminate()
    for name, values in times.items():
        print(f"{name:30} {statistics.median(values):7.0f} µs")
    guarded = times["egress, every check"]
    for name in list(times)[:2]:
        paired = statistics.median(map(float.__sub__, guarded, times[name]))
        print(f"egress against {name:28} {paired:+5.0f} µs")


if __name__ == "__main__":
    main()
