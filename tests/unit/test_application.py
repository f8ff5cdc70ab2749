"""The application and the extension, as their users meet them (Requirement 13)."""

import flask
import pytest

from dbplanet import DBPlanet, create_app
from dbplanet.settings import SettingsError
from support.mcp import PATH, call_tool, make_app, post, text_of
from support.tenant import BASE_URL, HEADERS, StubTenant

PING = {"jsonrpc": "2.0", "id": 1, "method": "ping"}


def test_health_is_always_ok():
    response = create_app().test_client().get("/health")
    assert (response.status_code, response.get_json()) == (200, {"status": "ok"})


def test_health_does_not_ask_for_the_host():
    assert create_app().test_client().get("/health", headers={"Host": "10.1.2.3"}).status_code == 200


@pytest.mark.parametrize("path", [PATH, f"{PATH}/"])
def test_the_endpoint_is_where_it_always_was(path):
    assert post(make_app(), PING, path=path).get_json()["result"] == {}


@pytest.mark.parametrize(("method", "path", "status"), [("GET", "/nope", 404), ("POST", "/health", 405)])
def test_errors_outside_the_endpoint_are_json_too(method, path, status):
    response = create_app().test_client().open(path, method=method)
    assert (response.status_code, response.is_json) == (status, True)


def test_a_wrong_setting_stops_the_start():
    with pytest.raises(SettingsError, match="READ_TIMEOUT"):
        create_app({"READ_TIMEOUT": "soon"})


def test_the_instructions_and_the_version_come_with_initialize():
    info = {"name": "t", "version": "1"}
    params = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": info}
    body = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params}
    result = post(make_app(), body).get_json()["result"]
    assert result["serverInfo"]["name"] == "DBPlanet-MCP-Server"
    assert "Content_GetFull" in result["instructions"]


@pytest.mark.parametrize("prefix", ["", "/ai"])
def test_the_extension_adds_the_endpoint_and_nothing_else(prefix):
    app = flask.Flask("host")
    app.config["DBPLANET_ALLOWED_BASE_URLS"] = BASE_URL
    app.config["READ_TIMEOUT"] = "a key of the host's own"
    before = {rule.rule for rule in app.url_map.iter_rules()}
    DBPlanet(app, url_prefix=prefix)
    assert {rule.rule for rule in app.url_map.iter_rules()} - before == {f"{prefix}{PATH}"}
    assert app.test_client().get("/health").status_code == 404
    assert app.test_client().get("/nope").mimetype == "text/html", "the host's own error pages stay"
    assert post(app, PING, path=f"{prefix}{PATH}").status_code == 200
    assert app.test_client().put(f"{prefix}{PATH}").get_json()["error"]["message"] == "Method Not Allowed"


def test_init_app_can_move_the_routes():
    app = flask.Flask("host")
    DBPlanet().init_app(app, url_prefix="/ai")
    assert post(app, PING, path=f"/ai{PATH}").status_code == 200


def test_a_body_that_a_hook_of_the_host_has_read_is_served():
    app = flask.Flask("host")
    app.before_request(lambda: flask.request.get_data() and None)
    DBPlanet(app)
    assert post(app, PING).status_code == 200


def test_two_applications_in_one_process_share_nothing():
    with StubTenant() as tenant:
        for app in (make_app(), make_app()):
            call_tool(app, "News_GetFeed")
    assert tenant.tokens == 2


def test_only_listed_tenants_are_called():
    with StubTenant() as tenant:
        result = call_tool(
            make_app(), "News_GetFeed", headers={**HEADERS, "x-dbplanet-base-url": "https://evil.example"}
        )
    assert text_of(result).startswith("[400] This base URL is not served here")
    assert (tenant.tokens, tenant.asked) == (0, [])


OPERATOR = {
    "USERNAME": "operator",
    "PASSWORD": "not-a-real-password",
    "CLIENT_ID": "c",
    "CLIENT_SECRET": "s",
    "BASE_URL": BASE_URL,
}


def test_the_operators_credentials_are_not_used_unless_allowed():
    with StubTenant() as tenant:
        result = call_tool(make_app(**OPERATOR), "News_GetFeed", headers={})
    assert text_of(result).startswith("[401] Missing DB Planet credentials")
    assert tenant.tokens == 0


def test_the_operators_credentials_stand_in_for_none_at_all():
    with StubTenant() as tenant:
        app = make_app(**OPERATOR, ALLOW_DEFAULT_CREDENTIALS="true")
        assert not call_tool(app, "News_GetFeed", headers={})["isError"]
    assert tenant.tokens == 1


@pytest.mark.parametrize("given", [{"x-dbplanet-username": "ada"}, {"x-dbplanet-password": ""}])
def test_the_callers_and_the_operators_credentials_are_never_mixed(given):
    with StubTenant() as tenant:
        app = make_app(**OPERATOR, ALLOW_DEFAULT_CREDENTIALS="true")
        result = call_tool(app, "News_GetFeed", headers=given)
    assert text_of(result).startswith("[401] Missing DB Planet credentials")
    assert tenant.tokens == 0


def test_nothing_of_the_callers_request_goes_upstream():
    inbound = {
        "Authorization": "Bearer inbound",
        "Cookie": "a=inbound",
        "X-Forwarded-For": "inbound",
        "User-Agent": "inbound",
    }
    with StubTenant() as tenant:
        call_tool(make_app(), "News_GetFeed", headers={**HEADERS, **inbound})
    (asked,) = tenant.asked
    assert not [name for name, value in asked.headers.items() if "inbound" in str(value)]
    assert "x-dbplanet" not in str(asked.headers).lower()


@pytest.mark.parametrize("path", ["/servers/nope/mcp", "/servers/dbplanet/other"])
def test_a_path_that_an_mcp_client_gets_wrong_is_answered_in_json_rpc(path):
    response = create_app().test_client().post(path, json=PING)
    assert response.status_code == 404
    assert response.get_json() == {
        "jsonrpc": "2.0",
        "id": None,
        "error": {"code": -32600, "message": "Not Found"},
    }
