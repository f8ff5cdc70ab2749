"""Feature: dbplanet-mcp-tools, Property 1: Tool-to-endpoint routing correctness."""

from datetime import datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dbplanet.tools import ALL_TOOLS
from support.mcp import call_tool, fresh
from support.routes import BODIES, PAGED, PLAIN, STATUSES, ids, seg, words
from support.tenant import StubTenant

# Tools that this module gives a test of their own.
SPECIAL = {"People_GetMe", "Event_UpdateStatus", "Event_Create", "Social_ToggleLike", "Content_GetFull"}


def test_every_tool_has_its_row():
    assert {tool.name for tool in ALL_TOOLS} == {*PAGED, *PLAIN, *BODIES, *SPECIAL}


@given(st.data())
@pytest.mark.parametrize("name", sorted(PAGED | PLAIN))
def test_the_request_has_the_method_the_path_and_the_mapped_query(name, data):
    # Feature: dbplanet-mcp-tools, Property 1: Tool-to-endpoint routing correctness
    strategies, method, path, query = (PAGED | PLAIN)[name]
    arguments = data.draw(st.fixed_dictionaries(strategies))
    with fresh(StubTenant()) as (app, tenant):
        result = call_tool(app, name, arguments)
    (asked,) = tenant.asked
    assert not result["isError"]
    assert (asked.method, asked.path) == (method, path(arguments))
    assert dict(asked.query) == query(arguments)
    assert asked.body is None


@given(st.data())
@pytest.mark.parametrize("name", sorted(BODIES))
def test_a_write_posts_the_mapped_body(name, data):
    # Feature: dbplanet-mcp-tools, Property 1: Tool-to-endpoint routing correctness
    strategies, path, fields = BODIES[name]
    arguments = data.draw(st.fixed_dictionaries(strategies))
    with fresh(StubTenant()) as (app, tenant):
        result = call_tool(app, name, arguments)
    (asked,) = tenant.asked
    assert not result["isError"]
    assert (asked.method, asked.path, asked.query) == ("POST", path, [])
    assert {field: asked.body[field] for field in fields.values()} == {
        field: arguments[name] for name, field in fields.items()
    }


@given(ids, st.sampled_from(sorted(STATUSES)))
def test_an_answer_to_an_event_is_put_in_the_platforms_word(event_id, status):
    # Feature: dbplanet-mcp-tools, Property 1: Tool-to-endpoint routing correctness
    with fresh(StubTenant()) as (app, tenant):
        call_tool(app, "Event_UpdateStatus", {"id": event_id, "status": status})
    (asked,) = tenant.asked
    assert (asked.method, asked.path) == ("PUT", f"/api/events/{seg(event_id)}/memberships/status")
    assert asked.body == {"status": STATUSES[status]}


@given(
    words,
    st.datetimes(min_value=datetime(2000, 1, 1), max_value=datetime(2099, 1, 1)),
    st.timedeltas(min_value=timedelta(minutes=1), max_value=timedelta(days=30)),
)
def test_an_event_is_posted_with_local_times(title, start, length):
    # Feature: dbplanet-mcp-tools, Property 1: Tool-to-endpoint routing correctness
    start, end = (moment.replace(microsecond=0) for moment in (start, start + length))
    arguments = {"title": title, "startDate": start.isoformat(), "endDate": end.isoformat()}
    with fresh(StubTenant()) as (app, tenant):
        call_tool(app, "Event_Create", {**arguments, "location": "Köln"})
    (asked,) = tenant.asked
    assert (asked.method, asked.path) == ("POST", "/api/events")
    wanted = {"name": title, "place": "Köln", "senderId": "me-id", "fullDay": False}
    assert wanted.items() <= asked.body.items()
    assert (asked.body["startDate"], asked.body["endDate"]) == (start.isoformat(), end.isoformat())


@given(ids, ids, ids, st.sampled_from([True, False, None]))
def test_a_toggled_like_is_posted_or_deleted_by_its_state(target_type, target_id, user_id, liked):
    # Feature: dbplanet-mcp-tools, Property 1: the table lists this exception: the state is read first,
    # liked → DELETE, not liked or unreadable → the specification's POST.
    state = (404, "") if liked is None else (200, f'{{"likedBySender": {str(liked).lower()}}}')
    with fresh(StubTenant(lambda method, path: state if method == "GET" else (200, "{}"))) as (app, tenant):
        arguments = {"targetType": target_type, "targetId": target_id, "userId": user_id}
        call_tool(app, "Social_ToggleLike", arguments)
    read, write = tenant.asked
    path = f"/api/like-targets/{seg(target_type)}/{seg(target_id)}"
    assert (read.method, read.path, read.query) == ("GET", path, [("senderId", user_id)])
    assert (write.method, write.path) == ("DELETE" if liked else "POST", f"{path}/likes/{seg(user_id)}")


@given(ids, ids)
def test_an_article_is_read_from_its_widget_layout(article_id, app_id):
    # Feature: dbplanet-mcp-tools, Property 1: Tool-to-endpoint routing correctness
    arguments = {"contentId": article_id, "contentType": "blog-article", "appId": app_id}
    with fresh(StubTenant()) as (app, tenant):
        call_tool(app, "Content_GetFull", arguments)
    (asked,) = tenant.asked
    layout = f"app-blog-{seg(app_id)}-{seg(article_id)}"
    assert (asked.method, asked.path) == ("GET", f"/api/blog-article/{seg(article_id)}/widgets/{layout}")


def test_the_own_profile_is_read_afresh_at_each_call():
    with fresh(StubTenant()) as (app, tenant):
        for _ in range(2):
            assert "Ada" in call_tool(app, "People_GetMe")["content"][0]["text"]
    assert tenant.profiles == 2
