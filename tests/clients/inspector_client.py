"""What the Inspector's CLI does: ``inspector_client.py NODE JOB`` in its folder; prints one report as JSON.

Every method is a process and a connection of its own. A job is that of ``python_client.py``.
"""

from __future__ import annotations

import json
import subprocess
import sys

SECONDS = 15


def inspect(node, job, *arguments):
    """Return the Inspector's exit code and what it said: a result, or an error."""
    command = [node, "node_modules/.bin/mcp-inspector", "--cli", job["url"], "--transport", "http"]
    command += ["--protocol-era", job["mode"], "--format", "json", *arguments]
    for name, value in job["headers"].items():
        command += ["--header", f"{name}: {value}"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS, check=False)
    if done.returncode:
        return done.returncode, done.stderr
    sys.stderr.write(done.stderr)  # whatever it warns about
    return 0, json.loads(done.stdout)["result"]


def call(node, job, tool, arguments):
    """Return what a call came to."""
    given = ["--tool-name", tool, "--tool-args-json", json.dumps(arguments)]
    code, said = inspect(node, job, "--method", "tools/call", *given)
    if code:
        return {"text": said, "is_error": True, "progress": []}
    return {"text": said["content"][0]["text"], "is_error": said["isError"], "progress": []}


def main(node, job):
    """Connect, list, make every call."""
    _, opened = inspect(node, job, "--method", "initialize")
    _, listed = inspect(node, job, "--method", "tools/list", "--strict")
    report = {
        "version": opened["protocolVersion"],
        "tools": [tool["name"] for tool in listed["tools"]],
        "calls": {label: call(node, job, *what) for label, what in job["calls"].items()},
    }
    print(json.dumps(report))


main(sys.argv[1], json.loads(sys.argv[2]))
