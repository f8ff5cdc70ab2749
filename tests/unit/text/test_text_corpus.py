"""The corpus in tests/corpus: inputs with the right text beside each."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from dbplanet.haiilo.widgets import layout_to_text
from dbplanet.text import clean_html, html_to_text

_FOLDER = Path(__file__).parents[2] / "corpus"
_CASE = re.compile(r"^## ([^\n]+)\n\n~~~\w+\n(.*?)~~~\n~~~text\n(.*?)~~~$", re.MULTILINE | re.DOTALL)

_READERS: dict[str, Callable[[str], str]] = {
    "html": lambda source: html_to_text(source, base_url="https://planet.example/pages/it/start"),
    "excerpts": clean_html,
    "widgets": lambda source: layout_to_text(json.loads(source), base_url="https://planet.example"),
}


def _cases() -> list[Any]:
    return [
        pytest.param(_READERS[name], source, expected.removesuffix("\n"), id=f"{name}: {title}")
        for name in _READERS
        for title, source, expected in _CASE.findall((_FOLDER / f"{name}.md").read_text("utf-8"))
    ]


@pytest.mark.parametrize(("read", "source", "expected"), _cases())
def test_the_text_beside_the_input_is_what_comes_out(read, source, expected):
    assert read(source) == expected


def test_every_case_of_the_corpus_is_read():
    texts = sum((_FOLDER / f"{name}.md").read_text("utf-8").count("\n~~~text\n") for name in _READERS)
    assert len(_cases()) == texts >= 40
