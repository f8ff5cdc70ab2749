"""Feature: dbplanet-mcp-tools, Property 10: 401 retry — re-authenticate and retry once."""

from hypothesis import given
from hypothesis import strategies as st

from support.mcp import call_tool, fresh, text_of
from support.routes import BODIES, PAGED, PLAIN
from support.tenant import StubTenant

REFUSED = (401, '{"error": "invalid_token"}')
tools = st.sampled_from(sorted({*PAGED, *PLAIN, *BODIES}))


def arguments_of(data, name):
    return data.draw(st.fixed_dictionaries({**PAGED, **PLAIN, **BODIES}[name][0]))


@given(tools, st.data())
def test_a_401_is_answered_by_one_new_token_and_one_retry(name, data):
    # Feature: dbplanet-mcp-tools, Property 10: 401 retry — re-authenticate and retry once
    answers = iter([REFUSED, (200, "{}")])
    with fresh(StubTenant(lambda method, path: next(answers))) as (app, tenant):
        result = call_tool(app, name, arguments_of(data, name))
    first, second = tenant.asked
    assert not result["isError"]
    assert tenant.tokens == 2
    assert (first.method, first.path, first.query, first.body) == (
        second.method,
        second.path,
        second.query,
        second.body,
    )
    assert first.headers["Authorization"] == "Bearer token-1"
    assert second.headers["Authorization"] == "Bearer token-2"


@given(tools, st.data())
def test_a_second_401_is_propagated(name, data):
    # Feature: dbplanet-mcp-tools, Property 10: 401 retry — re-authenticate and retry once
    with fresh(StubTenant(lambda method, path: REFUSED)) as (app, tenant):
        result = call_tool(app, name, arguments_of(data, name))
    assert result["isError"] is True
    assert text_of(result).startswith("[401] Authentication failed. Check DB Planet credentials.")
    assert (len(tenant.asked), tenant.tokens) == (2, 2)
