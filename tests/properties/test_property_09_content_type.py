"""Feature: dbplanet-mcp-tools, Property 9: Unsupported content type returns error."""

from hypothesis import given
from hypothesis import strategies as st

from support.mcp import call_tool, fresh, text_of
from support.tenant import StubTenant

SIX = ["blog-article", "wiki-article", "page", "workspace", "app", "timeline-item"]
others = st.one_of(
    st.text(st.characters(exclude_categories=["Cs"])),
    st.sampled_from(["Blog-Article", "blog_article", "pages", "event", "user", " page", "page\n"]),
).filter(lambda kind: kind not in SIX)


@given(others)
def test_any_other_content_type_is_refused_and_the_six_are_named(kind):
    # Feature: dbplanet-mcp-tools, Property 9: Unsupported content type returns error
    with fresh(StubTenant()) as (app, tenant):
        result = call_tool(app, "Content_GetFull", {"contentId": "x", "contentType": kind})
    assert result["isError"] is True
    assert text_of(result).startswith("[400] Unsupported content type")
    assert all(name in text_of(result) for name in SIX)
    assert tenant.asked == []
