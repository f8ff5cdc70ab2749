"""``make run``: a server joined to a sandbox, and a curl line that works when it is pasted."""

from __future__ import annotations

import re
import shlex
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
import requests

from e2e.processes import gunicorn_process
from e2e.wire import PATH, Server, message

README = Path(__file__).parents[2] / "README.md"
COMMAND = [sys.executable, "-m", "dbplanet", "serve", "--sandbox"]
SEARCH_RESULTS = "Search results for “Brücke”: 1–"


@pytest.fixture(scope="module")
def run(logs: Path) -> Iterator[Server]:
    with gunicorn_process(logs / "serve with sandbox.log", {}, command=COMMAND) as (process, origin):
        yield Server(origin + PATH, process)


def pasted(command: str, server: Server) -> requests.Response:
    """Send what a curl command line says, to ``server`` instead of the port it names."""
    words = iter(shlex.split(command.replace("\\\n", " ")))
    assert next(words) == "curl"
    url, headers, data = "", {}, ""
    for word in words:
        if word in ("-H", "--header"):
            name, _, value = next(words).partition(": ")
            headers[name] = value
        elif word in ("-d", "--data"):
            data = next(words)
        elif not word.startswith("-"):
            url = word
    assert url.endswith(PATH)
    assert url.startswith("http://127.0.0.1:")
    return server.request("POST", headers, data=data.encode())


def first_text(answer: requests.Response) -> str:
    """Return the text of a successful tool call."""
    assert answer.status_code == 200, answer.text
    result = answer.json()["result"]
    assert result["isError"] is False
    return str(result["content"][0]["text"])


def test_the_printed_curl_line_finds_something(run: Server):
    said = run.process.wait_for(r"(?m)^curl .*$")
    assert said
    assert run.url in said[0]
    assert first_text(pasted(said[0], run)).startswith(SEARCH_RESULTS)


def test_the_first_curl_of_the_readme_finds_something(run: Server):
    blocks = re.findall(r"^```\w*\n(.*?)^```", README.read_text("utf-8"), re.DOTALL | re.MULTILINE)
    first = next(block for block in blocks if "curl" in block)
    assert "http://127.0.0.1:3000/" in first
    assert len(first.replace("\\\n", " ").strip().splitlines()) == 1, "one command and nothing else"
    assert "|" not in first, "the answer is printed as it is"
    assert first_text(pasted(first, run)).startswith(SEARCH_RESULTS)


def test_some_credential_headers_are_not_filled_up_with_the_sandboxs(run: Server):
    partial = run.call("People_GetMe", {}, {"x-dbplanet-username": "anna.schmidt"})
    assert partial.is_error
    assert partial.first_line.startswith("[401] Missing DB Planet credentials: password ")


def test_all_tools_are_listed(run: Server):
    assert len(run.post(message("tools/list")).json()["result"]["tools"]) == 28


def ends(url: str, *, within: float) -> bool:
    """Tell whether nobody answers at ``url`` any more, now or in so many seconds."""
    deadline = time.monotonic() + within
    while True:
        try:
            requests.get(url, timeout=5)
        except requests.ConnectionError:
            return True
        if time.monotonic() >= deadline:
            return False
        time.sleep(0.05)


def test_the_sandbox_ends_with_the_server(run: Server):
    # Last in this module: it ends what the others use.
    said = run.process.wait_for(r"Joined to the sandbox tenant on (http://\S+) and ")
    assert said
    assert not ends(said[1], within=0)
    run.process.terminate()
    assert ends(said[1], within=20)
