"""Feature: dbplanet-mcp-tools, Property 7: Search_FullText returns metadata only."""

import json

from hypothesis import given
from hypothesis import strategies as st

from support.mcp import call_tool, fresh, text_of
from support.routes import words
from support.tenant import StubTenant

plain = st.text("abcdefghijklmnopqrstuvwxyzäöü ", min_size=3, max_size=60).filter(str.strip)
FULL = "FULL-CONTENT " * 200
hits = st.fixed_dictionaries(
    {
        "id": st.uuids().map(str),
        "typeName": st.sampled_from(["blog-article", "wiki-article", "page", "workspace", "timeline-item"]),
        "displayName": plain,
        "excerpt": plain,
        "modified": st.integers(0, 4_000_000_000_000),
    },
    optional={
        "html_content": st.just(FULL),
        "widgets": st.just([{"settings": {"html_content": FULL}}]),
        "content": st.just(FULL),
        "data": st.just({"message": FULL}),
    },
)


@given(words, st.lists(hits, min_size=1, max_size=5))
def test_a_hit_shows_its_metadata_and_never_its_content(query, found):
    # Feature: dbplanet-mcp-tools, Property 7: Search_FullText returns metadata only
    page = json.dumps({"content": found, "totalElements": len(found), "number": 0, "last": True})
    with fresh(StubTenant(lambda method, path: (200, page))) as (app, tenant):
        text = text_of(call_tool(app, "Search_FullText", {"query": query}))
    assert [asked.path for asked in tenant.asked] == ["/api/search"], "no hit is opened"
    for hit in found:
        assert hit["id"] in text
        assert hit["typeName"] in text
        assert " ".join(hit["displayName"].split()) in text
        assert " ".join(hit["excerpt"].split()) in text
    assert text.count("modified: ") == len(found)
    assert text.count("FULL-CONTENT") <= 25 * len(found), "an excerpt at most"
    assert len(text) < 1_500 * len(found) + 500
