"""Feature: dbplanet-mcp-tools, Property 2: Pagination parameter forwarding."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.mcp import call_tool, fresh
from support.routes import PAGED
from support.tenant import StubTenant

PAGES = st.integers(0, 10_000)
SIZES = st.integers(1, 1_000)


def as_sent(numbers):
    """A number as models send it: plain, or in quotes."""
    return numbers.flatmap(lambda number: st.sampled_from([number, str(number)]))


@given(st.data(), st.none() | as_sent(PAGES), st.none() | as_sent(SIZES))
@pytest.mark.parametrize("name", sorted(PAGED))
def test_paging_is_forwarded_when_given_and_absent_when_not(name, data, page, size):
    # Feature: dbplanet-mcp-tools, Property 2: Pagination parameter forwarding
    arguments = data.draw(st.fixed_dictionaries(PAGED[name][0]))
    given_paging = {"page": page, "pageSize": size}
    with fresh(StubTenant()) as (app, tenant):
        call_tool(app, name, arguments | given_paging)
    (asked,) = tenant.asked
    sent = {key: value for key, value in asked.query if key in ("_page", "_pageSize", "page", "pageSize")}
    wanted = {f"_{key}": str(value) for key, value in given_paging.items() if value is not None}
    assert sent == wanted
