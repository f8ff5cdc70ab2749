"""Feature: dbplanet-mcp-tools, Property 6: Missing credentials produce error."""

from hypothesis import given
from hypothesis import strategies as st

from dbplanet.tools import ALL_TOOLS
from support.mcp import call_tool, fresh, text_of
from support.tenant import HEADERS, StubTenant

some_missing = st.sets(st.sampled_from(sorted(HEADERS)), min_size=1)


@given(some_missing, st.booleans(), st.sampled_from(ALL_TOOLS))
def test_any_missing_credential_is_named_and_nothing_is_sent(missing, empty, tool):
    # Feature: dbplanet-mcp-tools, Property 6: Missing credentials produce error
    kept = {name: value for name, value in HEADERS.items() if name not in missing}
    headers = kept | (dict.fromkeys(missing, "") if empty else {})
    with fresh(StubTenant()) as (app, tenant):
        text = text_of(result := call_tool(app, tool.name, headers=headers))
    first_line = text.splitlines()[0]
    assert result["isError"] is True
    assert first_line.startswith("[401] Missing DB Planet credentials: ")
    assert all((name in first_line) is (name in missing) for name in HEADERS)
    assert tenant.tokens == 0
    assert tenant.asked == []
