import pytest

from dbplanet.haiilo.paths import MAX_ID, query_string, segment
from dbplanet.mcp.errors import ToolError


@pytest.mark.parametrize(
    "value",
    [
        "..",
        ".",
        "%2e%2e",
        "%2E.",
        "..%2Fadmin",
        "../admin",
        "a/../b",
        "%252e%252e%252fadmin",
        "..\\admin",
        "a\\..\\b",
        "..;x=1",
        ". ",
        "%25%32%65%25%32%65",
    ],
)
def test_a_path_is_no_id(value):
    with pytest.raises(ToolError, match="is a path, not an id"):
        segment(value)


@pytest.mark.parametrize("value", ["", " ", "\t\n", "\u00a0"], ids=ascii)
def test_a_blank_id_is_refused(value):
    with pytest.raises(ToolError, match="is empty"):
        segment(value)


def test_an_endless_id_is_refused_before_it_is_decoded():
    with pytest.raises(ToolError, match="is too long"):
        segment("%25" * MAX_ID)


@pytest.mark.parametrize(
    ("value", "quoted"),
    [
        ("a?x=1", "a%3Fx%3D1"),
        ("a#f", "a%23f"),
        ("a;b", "a%3Bb"),
        (" x ", "%20x%20"),
        ("a/b", "a%2Fb"),
        ("a%2Fb", "a%252Fb"),
        ("Über uns", "%C3%9Cber%20uns"),
        ("U\u0308", "U%CC%88"),
        ("日本", "%E6%97%A5%E6%9C%AC"),
        ("😀", "%F0%9F%98%80"),
        ("...", "..."),
        ("..a", "..a"),
    ],
)
def test_everything_else_is_one_quoted_segment(value, quoted):
    assert segment(value) == quoted


@pytest.mark.parametrize(
    ("params", "query"),
    [
        ({"a": True, "b": None, "c": "", "f": False}, "a=true&c=&f=false"),
        ({"d": {"x": 1}}, "d=%7B%22x%22%3A1%7D"),
        ({"e": [1, 2, None]}, "e=1&e=2"),
        ({"term": "Über uns & mehr"}, "term=%C3%9Cber+uns+%26+mehr"),
        ({"term": "U\u0308"}, "term=U%CC%88"),
        (
            {"filters": "type=blog-article&modified=LAST_WEEK"},
            "filters=type%3Dblog-article%26modified%3DLAST_WEEK",
        ),
        ({}, ""),
    ],
)
def test_a_query_loses_nothing_but_none(params, query):
    assert query_string(params) == query
