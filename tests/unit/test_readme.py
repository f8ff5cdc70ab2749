"""What the README shows works as it stands there."""

import json
import re
import shlex
from pathlib import Path

import pytest

from support.engine import BOTH, JSON

README = (Path(__file__).parents[2] / "README.md").read_text("utf-8")
BLOCKS = re.findall(r"^```(\w+)\n(.*?)^```", README, re.MULTILINE | re.DOTALL)
PYTHON = [code for language, code in BLOCKS if language == "python"]
LIST = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}


@pytest.mark.parametrize(("index", "path", "count"), [(0, "/ai/servers/dbplanet/mcp", 28), (1, "/mcp", 1)])
def test_each_python_example_makes_an_application_that_serves(index, path, count):
    names = {"__name__": "example"}
    exec(compile(PYTHON[index], "README.md", "exec"), names)
    answer = names["app"].test_client().post(path, json=LIST).get_json()
    assert len(answer["result"]["tools"]) == count


def test_the_example_streams_its_progress():
    names = {"__name__": "example"}
    exec(compile(PYTHON[1], "README.md", "exec"), names)
    params = {"name": "count", "arguments": {"word": "sheep"}, "_meta": {"progressToken": "t"}}
    body = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
    response = names["app"].test_client().post("/mcp", json=body, headers={**JSON, **BOTH})
    assert response.text.count("notifications/progress") == 3
    assert "3 sheep" in response.text


def test_the_first_block_with_curl_is_one_command_that_asks_for_an_answer():
    first = next(code for _, code in BLOCKS if "curl" in code)
    (line,) = first.strip().splitlines()
    words = shlex.split(line)
    assert words[0] == "curl"
    assert "http://127.0.0.1:3000/servers/dbplanet/mcp" in words
    assert json.loads(words[words.index("-d") + 1])["params"]["name"] == "Search_FullText"


@pytest.mark.parametrize("code", [code for language, code in BLOCKS if language == "json"])
def test_configurations_are_json(code):
    json.loads(code)


def test_every_setting_is_documented():
    from dbplanet.settings import Settings

    undocumented = [
        name.upper() for name in Settings.__dataclass_fields__ if f"`{name.upper()}`" not in README
    ]
    assert undocumented == []
