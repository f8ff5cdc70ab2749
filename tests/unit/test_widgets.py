"""Layouts that a tenant should not send; the corpus in tests/corpus/widgets.md has those it does."""

import pytest

from dbplanet.haiilo.widgets import layout_to_text

_DEPTH = 20_000


def _nested(wrap, inner):
    for _ in range(_DEPTH):
        inner = wrap(inner)
    return inner


def _text(text):
    return {"key": "text", "settings": {"md_text": text}}


@pytest.mark.parametrize(
    "layout", [None, 1, "x", True, [], {}, {"rows": None}, {"widgets": 5}, {"settings": 7}]
)
def test_what_is_no_layout_has_no_text(layout):
    assert layout_to_text(layout) == ""


@pytest.mark.parametrize(
    "wrap",
    [lambda inner: [inner], lambda inner: {"rows": [inner]}, lambda inner: {"widgets": {"s": [inner]}}],
    ids=["lists", "rows", "slots"],
)
def test_deeply_nested_layouts_are_read(wrap):
    assert layout_to_text(_nested(wrap, _text("tief"))) == "tief"


def test_deeply_nested_settings_are_read():
    settings = _nested(lambda inner: {"items": [inner]}, {"title": "tief"})
    assert layout_to_text([{"key": "neu", "settings": settings}]) == "tief"


@pytest.mark.parametrize(
    "settings",
    [
        {"rows": [{"slots": [{"name": "a"}, {"name": "b"}, {"name": "b"}, {}, None]}]},
        {"rows": [{"slots": [{"name": "a"}]}]},
        {},
        None,
    ],
)
def test_no_slot_of_a_classic_layout_is_lost_or_read_twice(settings):
    layout = {
        "name": "n",
        "settings": settings,
        "widgets": {"a": [_text("1")], "layout-n-slot-b": [_text("2")]},
    }
    assert layout_to_text(layout) == "1\n\n2"


def test_settings_that_lie_beside_the_key_are_read():
    assert layout_to_text([{"key": "rte", "html_content": "<p>flach</p>"}]) == "flach"


@pytest.mark.parametrize("key", ["rte", "text", "headline", "button", "poll", "teaser", "unbekannt"])
def test_no_tag_and_nothing_invisible_gets_through(key):
    trap = "<b>x</b>\u200b\u202e"
    settings = dict.fromkeys(("html_content", "md_text", "text", "question", "title", "_url"), trap)
    text = layout_to_text([{"key": key, "settings": {**settings, "slides": [{"headline": trap}]}}])
    assert "x" in text
    assert not set("<\u200b\u202e") & set(text)
