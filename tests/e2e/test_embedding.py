"""``DBPlanet(app, url_prefix="/ai")`` inside a Flask application that exists already, served for real."""

from __future__ import annotations

import sys
from collections.abc import Iterator

import pytest
import requests

from e2e.processes import gunicorn_process
from e2e.tenants import Tenant
from e2e.wire import PATH, Server, message

HOST = """
import os

import flask
from werkzeug.middleware.dispatcher import DispatcherMiddleware

from dbplanet import DBPlanet

NORTH, SOUTH = os.environ["THE_HOSTS_TENANTS"].split(",")

app = flask.Flask(__name__)
app.config["DBPLANET_ALLOWED_BASE_URLS"] = NORTH
app.config["MAX_TEXT_CHARS"] = "no setting of ours"


@app.get("/")
def home():
    return "home of the host"


@app.errorhandler(404)
def not_found(error):
    return "the host's own page", 404


DBPlanet(app, url_prefix="/ai")

second = flask.Flask("second")
second.config["DBPLANET_ALLOWED_BASE_URLS"] = [SOUTH]
extension = DBPlanet()
extension.init_app(second, url_prefix="/moved")
app.wsgi_app = DispatcherMiddleware(app.wsgi_app, {"/second": second.wsgi_app})
"""

# The host brings a configuration of its own, so it says PORT by itself.
CONFIGURATION = """
import os

bind = f"127.0.0.1:{os.environ['PORT']}"
worker_class = "gthread"
threads = 4
control_socket_disable = True
"""


@pytest.fixture(scope="module")
def host(tmp_path_factory: pytest.TempPathFactory, tenants: tuple[Tenant, Tenant]) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("host")
    (folder / "host.py").write_text(HOST)
    (folder / "host_conf.py").write_text(CONFIGURATION)
    command = [sys.executable, "-m", "gunicorn", "-c", "python:host_conf", "host:app"]
    settings = {"THE_HOSTS_TENANTS": f"{tenants[0].url},{tenants[1].url}"}
    with gunicorn_process(folder / "host.log", settings, command=command, cwd=folder) as (process, origin):
        yield Server(f"{origin}/ai{PATH}", process)


def at(host: Server, path: str) -> Server:
    """Return another path of the host."""
    return Server(host.url.replace(f"/ai{PATH}", path), host.process)


def test_the_tools_are_below_the_prefix(host: Server, tenant: Tenant):
    assert len(host.post(message("tools/list")).json()["result"]["tools"]) == 28
    session = host.session(tenant.headers())
    assert host.call("People_GetMe", {}, session).first_line == "Signed-in user: Anna Schmidt"
    assert not at(host, f"/ai{PATH}/").call("News_GetFeed", {}, tenant.headers()).is_error


def test_the_hosts_configuration_says_which_tenants_are_served(
    host: Server, tenant: Tenant, other_tenant: Tenant
):
    assert not host.call("People_GetMe", {}, tenant.headers()).is_error
    assert host.call("People_GetMe", {}, other_tenant.headers()).first_line.startswith("[400] ")
    assert other_tenant.journal() == []


def test_nothing_else_of_the_host_changes(host: Server):
    assert at(host, "/").request("GET", {}).text == "home of the host"
    for path in ("/health", PATH, "/ai", "/ai/health", "/nowhere"):
        answer = at(host, path).request("GET", {})
        assert (answer.status_code, answer.text) == (404, "the host's own page")
    allowed: requests.Response = at(host, "/").request("POST", {})
    assert (allowed.status_code, allowed.headers["Content-Type"]) == (405, "text/html; charset=utf-8")


@pytest.mark.parametrize("method", ["GET", "PUT"])
def test_a_wrong_method_on_the_route_is_ours(host: Server, method: str):
    answer = host.request(method, {})
    assert answer.status_code == 405
    assert answer.json()["error"]["code"] == -32600
    assert "POST" in answer.headers["Allow"]


def test_a_second_application_of_the_process_has_its_own_prefix_settings_and_sessions(
    host: Server, tenant: Tenant, other_tenant: Tenant
):
    second = at(host, f"/second/moved{PATH}")
    assert not second.call("People_GetMe", {}, other_tenant.headers()).is_error
    assert second.call("People_GetMe", {}, tenant.headers()).first_line.startswith("[400] ")
    assert tenant.journal() == []
    foreign = host.session(tenant.headers())
    assert second.post(message("ping"), foreign).status_code == 404
    assert at(host, f"/second{PATH}").post(message("ping")).status_code == 404
