"""Read-only mode and toolsets: the operator bounds, headers narrow, at the list and at the call."""

import pytest

from dbplanet.mcp.scope import EVERYTHING, Scope
from support.engine import initialize
from support.mcp import call_tool, make_app, post, text_of
from support.tenant import HEADERS, StubTenant

READS = 20
LIST = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}


def listed(app, headers=None):
    return [tool["name"] for tool in post(app, LIST, headers).get_json()["result"]["tools"]]


def outcome(app, name, headers=None, arguments=None):
    with StubTenant() as tenant:
        result = call_tool(app, name, arguments, {**HEADERS, **(headers or {})})
    return text_of(result), tenant.asked


@pytest.mark.parametrize("headers", [{"x-dbplanet-read-only": word} for word in ("true", "1", "TRUE", "yes")])
def test_a_header_makes_a_request_read_only(headers):
    app = make_app()
    assert len(listed(app, headers)) == READS
    text, asked = outcome(app, "Workspace_Create", headers, {"name": "x"})
    assert text.startswith("[403] Workspace_Create is not available: it is outside read-only mode")
    assert asked == []


def test_the_operator_makes_the_server_read_only_and_no_header_opens_it():
    app = make_app(READ_ONLY="true")
    for headers in ({}, {"x-dbplanet-read-only": "false"}):
        assert len(listed(app, headers)) == READS
        assert outcome(app, "Notification_MarkSeen", headers)[0].startswith("[403] ")


def test_toolsets_narrow_what_is_listed_and_called():
    app = make_app()
    headers = {"x-dbplanet-toolsets": "News, people"}
    assert listed(app, headers) == ["News_GetFeed", "People_GetMe", "People_List", "People_Search"]
    assert outcome(app, "Page_List", headers)[0].startswith("[403] Page_List is not available")
    assert outcome(app, "News_GetFeed", headers)[0].startswith("News: ")


def test_headers_never_widen_the_operators_toolsets():
    app = make_app(TOOLSETS="news,pages")
    assert listed(app, {"x-dbplanet-toolsets": "news,people"}) == ["News_GetFeed"]


@pytest.mark.parametrize(
    "headers",
    [
        {"x-dbplanet-read-only": "perhaps"},
        {"x-dbplanet-read-only": ""},
        {"x-dbplanet-toolsets": "news,nope"},
        {"x-dbplanet-toolsets": ""},
    ],
)
def test_an_unreadable_limit_is_refused_and_never_ignored(headers):
    response = post(make_app(), LIST, headers)
    assert response.status_code == 400
    assert response.get_json()["error"]["code"] == -32600
    assert response.get_json()["id"] == 1


@pytest.mark.parametrize(
    "name", ["workspace_create", "WORKSPACE_CREATE", "Workspace_Create ", "workspace-create"]
)
def test_other_spellings_of_a_write_are_no_tools(name):
    params = {"name": name, "arguments": {"name": "x"}}
    body = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
    assert post(make_app(READ_ONLY="true"), body, HEADERS).get_json()["error"]["code"] == -32602


def test_limits_given_at_initialize_hold_for_the_session_and_only_narrow():
    app = make_app()
    limits = {"x-dbplanet-read-only": "true", "x-dbplanet-toolsets": "news,pages"}
    session = {"Mcp-Session-Id": post(app, initialize(), {**HEADERS, **limits}).headers["Mcp-Session-Id"]}
    assert listed(app, session) == ["News_GetFeed", "Page_List", "Page_Get", "Page_GetMembers"]
    wider = {**session, "x-dbplanet-read-only": "false", "x-dbplanet-toolsets": "pages,people"}
    assert listed(app, wider) == ["Page_List", "Page_Get", "Page_GetMembers"]
    assert outcome(app, "Page_Create", wider, {"title": "x"})[0].startswith("[403] ")


@pytest.mark.parametrize(
    ("one", "other", "both"),
    [
        (EVERYTHING, EVERYTHING, EVERYTHING),
        (Scope(True), EVERYTHING, Scope(True)),
        (EVERYTHING, Scope(False, frozenset("ab")), Scope(False, frozenset("ab"))),
        (Scope(False, frozenset("ab")), Scope(True, frozenset("bc")), Scope(True, frozenset("b"))),
        (Scope(False, frozenset("a")), Scope(False, frozenset("b")), Scope(False, frozenset())),
    ],
)
def test_two_scopes_allow_what_both_allow(one, other, both):
    assert one.narrowed(other) == both == other.narrowed(one)


@pytest.mark.parametrize(
    "headers",
    [{"x-dbplanet-readonly": "true"}, {"x-dbplanet-read-only": "true"}, {"x-dbplanet-rea-donly": "1"}],
)
def test_hyphens_in_a_limits_header_do_not_count(headers):
    assert len(listed(make_app(), headers)) == READS


def test_two_spellings_of_a_limit_must_agree():
    headers = {"x-dbplanet-tool-sets": "news", "x-dbplanet-toolsets": "pages"}
    assert post(make_app(), LIST, headers).status_code == 400


def test_content_as_a_resource_is_bounded_as_its_tool_is():
    read = {"jsonrpc": "2.0", "id": 1, "method": "resources/read", "params": {"uri": "dbplanet://page/p1"}}
    templates = {"jsonrpc": "2.0", "id": 1, "method": "resources/templates/list"}
    for app, headers in (
        (make_app(TOOLSETS="search"), HEADERS),
        (make_app(), {**HEADERS, "x-dbplanet-toolsets": "search"}),
    ):
        with StubTenant() as tenant:
            assert post(app, read, headers).get_json()["error"]["code"] == -32002
            assert post(app, templates, headers).get_json()["result"] == {"resourceTemplates": []}
        assert tenant.asked == []


def test_the_limits_of_a_session_hold_when_the_session_is_lost():
    limits = {**HEADERS, "x-dbplanet-read-only": "true"}
    session_id = post(make_app(), initialize(), limits).headers["Mcp-Session-Id"]
    restarted = make_app()
    assert len(listed(restarted, {**HEADERS, "Mcp-Session-Id": session_id})) == READS
