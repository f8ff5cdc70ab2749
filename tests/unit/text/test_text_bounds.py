"""Hostile pages: what reaches html5lib is bounded, no text is lost, and time grows with the size."""

import itertools
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dbplanet.text import clean_html, html_to_text
from dbplanet.text.html import _STRUCTURES
from dbplanet.text.scan import Scanner
from dbplanet.text.tree import MAX_DEPTH, Node, parse

# a link that a table interrupts is no longer open, but still around what is
_DEPTH_OF_TREE = 2 * MAX_DEPTH

# n → a page of about n characters with `anfang` and `ende` in it
_HOSTILE = {
    "nested blocks": lambda n: "anfang" + "<div>" * (n // 5) + "ende",
    "nested blocks, closed": lambda n: "anfang" + "<div>" * (n // 11) + "ende" + "</div>" * (n // 11),
    "nested lists": lambda n: "anfang" + "<ul><li>x" * (n // 9) + "ende",
    "nested quotations": lambda n: "anfang" + "<blockquote>x" * (n // 13) + "ende",
    "nested tables": lambda n: "anfang" + "<table><tr><td>" * (n // 15) + "ende",
    "question marks": lambda n: "anfang " + "??" * (n // 2) + " ende",
    "an unclosed comment": lambda n: "anfang <!--" + " x" * (n // 2) + " ende",
    "unclosed comments": lambda n: "anfang " + "<!-- " * (n // 5) + "ende",
    "attributes on one tag": lambda n: "anfang<p " + "a=1 " * (n // 4) + ">ende",
    "different attributes": lambda n: "anfang<p " + " ".join(f"a{i}=1" for i in range(n // 9)) + ">ende",
    "unclosed quotes": lambda n: "anfang" + "<a b='x>' " * (n // 10) + "ende",
    "signs that open nothing": lambda n: "anfang" + "<" * n + "ende",
    "tags that never end": lambda n: "anfang " + "<a " * (n // 3) + "ende",
    "a name that never ends": lambda n: "anfang<" + "a" * (n // 2) + " " + "b" * (n // 2) + '=">ende',
    "misnested links": lambda n: "anfang" + "<a href=x><p>y" * (n // 14) + "ende",
    "misnested code": lambda n: "anfang" + "<code><p>x" * (n // 10) + "ende",
    "paragraphs": lambda n: "anfang" + "<p>x" * (n // 4) + "ende",
    "strays in tables": lambda n: "anfang" + "<table>x" * (n // 8) + "ende",
    "ends without starts": lambda n: "anfang" + "<div>" * MAX_DEPTH + "</h1></p>" * (n // 9) + "ende",
    "wide cells": lambda n: "anfang<table>" + "<tr><td colspan=999 rowspan=99>x" * (n // 32) + "</table>ende",
    "digits of a reference": lambda n: "anfang &#" + "9" * n + "; ende",
    "references": lambda n: "anfang" + "&amp" * (n // 4) + " ende",
    "unclosed frames": lambda n: "anfang" + "<iframe>" * (n // 8) + "ende",
    "invisible characters": lambda n: "anfang" + "x\u200b" * (n // 2) + " ende",
    "a long address, and copies of the link": lambda n: (
        "anfang<a href=" + "u" * (n // 2) + ">" + "<p>x" * (n // 8) + "ende"
    ),
}


_TAGS = [
    *(
        "<a href=x>",
        "</a>",
        "<table>",
        "</table>",
        "<tr>",
        "</tr>",
        "<td>",
        "</td>",
        "<caption>",
        "<tbody>",
        "<div>",
    ),
    *(
        "</div>",
        "<p>",
        "</p>",
        "<li>",
        "<ul>",
        "</ul>",
        "<code>",
        "</code>",
        "<h1>",
        "</h1>",
        "<pre>",
        "<dd>",
        "x",
    ),
]


def _tree(html: str) -> Node:
    return parse(Scanner(html, _STRUCTURES).tokens())


def _measure(root: Node) -> tuple[int, int]:
    """How many elements a tree has, and how deep it is."""
    elements = depth = 0
    stack = [(root, 0)]
    while stack:
        node, level = stack.pop()
        elements, depth = elements + 1, max(depth, level)
        stack += [(child, level + 1) for child in node.children if isinstance(child, Node)]
    return elements, depth


@pytest.mark.parametrize("page", _HOSTILE.values(), ids=_HOSTILE)
def test_hostile_pages_lose_no_text(page):
    html = page(60_000)
    for text in (html_to_text(html), clean_html(html)):
        assert "anfang" in text
        assert "ende" in text


@pytest.mark.parametrize("page", _HOSTILE.values(), ids=_HOSTILE)
def test_a_page_is_answered_with_text_of_its_own_order_of_size(page):
    html = page(60_000)
    assert len(html_to_text(html)) < 6 * len(html)


@pytest.mark.parametrize("page", _HOSTILE.values(), ids=_HOSTILE)
def test_the_tree_is_bounded_in_depth(page):
    assert _measure(_tree(page(20_000)))[1] <= _DEPTH_OF_TREE


@settings(max_examples=200, deadline=None)
@given(st.lists(st.sampled_from(_TAGS), min_size=1, max_size=8))
def test_no_pattern_of_tags_makes_a_deep_tree(tags):
    html = "".join(tags) * 150
    assert _measure(_tree(html))[1] <= _DEPTH_OF_TREE
    html_to_text(html)


def test_the_tree_is_bounded_in_size_and_the_rest_of_the_page_is_lines(monkeypatch):
    monkeypatch.setattr("dbplanet.text.tree.MAX_ELEMENTS", 100)
    html = "<table>" + "<tr><td>x</td></tr>" * 200 + "</table><p>vorletzte</p><p>letzte</p>"
    assert _measure(_tree(html))[0] < 200
    text = html_to_text(html)
    assert text.count("x") == 200
    assert text.split()[-2:] == ["vorletzte", "letzte"]
    assert text.splitlines()[-1] == "letzte"


def test_of_the_attributes_only_those_with_a_meaning_are_kept():
    (link,) = _tree("<a " + " ".join(f"a{i}=1" for i in range(20_000)) + " href=/x>y</a>").children
    assert isinstance(link, Node)
    assert dict(link.attributes) == {"href": "/x"}


@pytest.mark.parametrize("page", _HOSTILE.values(), ids=_HOSTILE)
def test_work_grows_with_the_size(page):
    """Work is counted in calls, which no other program on the machine can change."""
    small, large = page(2_000), page(8_000)
    assert _calls(large) < 5 * _calls(small) + 500


def _calls(html: str) -> int:
    """Return how many functions, Python's own included, a page makes the renderer call."""
    counter = itertools.count()
    sys.setprofile(lambda frame, event, argument: next(counter) if event.endswith("call") else None)
    try:
        html_to_text(html)
    finally:
        sys.setprofile(None)
    return next(counter)


def test_deep_pages_are_read_with_little_of_the_stack_left():
    page = "<ul><li><table><tr><td>x</td><td><blockquote>" * 5_000 + "ende"
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(_frames() + 400)
    try:
        assert "ende" in html_to_text(page)
    finally:
        sys.setrecursionlimit(limit)


def _frames() -> int:
    frame, count = sys._getframe(), 0
    while frame:
        frame, count = frame.f_back, count + 1
    return count
