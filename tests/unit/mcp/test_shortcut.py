"""The short-cut in front of Flask: nobody notices it, and whoever wants to see each request does."""

import io
import json
import sys

import flask
import pytest

from dbplanet import create_app
from dbplanet.mcp.context import Context
from dbplanet.mcp.shortcut import Shortcut
from dbplanet.mcp.tools import READ, tool
from support.engine import VERSION, add, app_of, boom, initialize, modern, server_of


@tool("work", title="Work", annotations=READ, description="Reports progress.")
def work(connection, context: Context):
    context.progress(1, 2, "half")
    return "done"


class Counted:
    """A Flask application's own WSGI application; ``seen`` counts what reaches it."""

    def __init__(self, behind):
        self.behind, self.seen = behind, 0

    def __call__(self, environ, start_response):
        self.seen += 1
        return self.behind(environ, start_response)


def shortened(app):
    """Put the short-cut in front of ``app``, past its first request; return what counts Flask's."""
    flask_app = Counted(app.wsgi_app)
    app.wsgi_app = Shortcut(app, flask_app)
    wsgi(app, environ_of(ping()))
    flask_app.seen = 0
    return flask_app


@pytest.fixture
def app():
    return app_of(server_of(toolsets={"test": [add, boom, work]}), limit=4096)


@pytest.fixture
def flask_app(app):
    return shortened(app)


def ping(**extra):
    return {"jsonrpc": "2.0", "id": 1, "method": "ping", **extra}


def call(name, meta=None, **arguments):
    params = {"name": name, "arguments": arguments, "_meta": meta or {}}
    return {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}


def environ_of(body, /, *, path="/mcp", method="POST", cut=0, terminated=True, headers=None, **changes):
    data = body if isinstance(body, bytes) else json.dumps(body).encode()
    environ = {
        "REQUEST_METHOD": method,
        "SCRIPT_NAME": "",
        "PATH_INFO": path,
        "QUERY_STRING": "",
        "SERVER_NAME": "localhost",
        "SERVER_PORT": "80",
        "SERVER_PROTOCOL": "HTTP/1.1",
        "HTTP_HOST": "localhost",
        "HTTP_ACCEPT": "application/json, text/event-stream",
        "CONTENT_TYPE": "application/json",
        "CONTENT_LENGTH": str(len(data)),
        "wsgi.input": io.BytesIO(data[: len(data) - cut]),
        "wsgi.input_terminated": True if terminated else None,
        "wsgi.url_scheme": "http",
        "wsgi.errors": sys.stderr,
        "wsgi.version": (1, 0),
        "wsgi.multithread": True,
        "wsgi.multiprocess": False,
        "wsgi.run_once": False,
        **changes,
    }
    for name, value in (headers or {}).items():
        environ[f"HTTP_{name.upper().replace('-', '_')}"] = value
    return {name: value for name, value in environ.items() if value is not None}


def wsgi(app, environ):
    """Return status, headers and body as a WSGI server gets them."""
    started = []
    answer = app(environ, lambda status, headers, info=None: started.append((status, list(headers))))
    body = b"".join(answer)
    getattr(answer, "close", lambda: None)()
    (begun,) = started
    return (*begun, body)


MODERN_CALL, MODERN_HEADERS = modern("tools/call", VERSION, name="add", arguments={"a": 1, "b": 2})
NOTIFICATION = {"jsonrpc": "2.0", "method": "notifications/initialized"}

PLAIN = {
    "ping": lambda: environ_of(ping()),
    "final slash": lambda: environ_of(ping(), path="/mcp/"),
    "query": lambda: environ_of(ping(), QUERY_STRING="a=b"),
    "mounted": lambda: environ_of(ping(), SCRIPT_NAME="/ai"),
    "call": lambda: environ_of(call("add", a=1, b=2)),
    "modern call": lambda: environ_of(MODERN_CALL, headers=MODERN_HEADERS),
    "fault": lambda: environ_of(call("boom")),
    "unknown tool": lambda: environ_of(call("none")),
    "notification": lambda: environ_of(NOTIFICATION),
    "batch": lambda: environ_of([ping(), ping(id=2)]),
    "stream": lambda: environ_of(call("work", {"progressToken": "t"})),
    "no json": lambda: environ_of(b"{"),
    "empty": lambda: environ_of(b""),
    "not utf-8": lambda: environ_of(b"\xff\xfe"),
    "wrong type": lambda: environ_of(ping(), CONTENT_TYPE="text/plain"),
    "no type": lambda: environ_of(ping(), CONTENT_TYPE=None),
    "wrong accept": lambda: environ_of(ping(), HTTP_ACCEPT="text/html"),
    "at the limit": lambda: environ_of(b" " * 4096),
    "over the limit": lambda: environ_of(b" " * 4097),
    "far over the limit": lambda: environ_of(b"x", CONTENT_LENGTH="9" * 30),
    "cut": lambda: environ_of(ping(), cut=3),
    "cut, not terminated": lambda: environ_of(ping(), cut=3, terminated=False),
    "not terminated": lambda: environ_of(ping(), terminated=False),
    "more than declared": lambda: environ_of(ping(), CONTENT_LENGTH="5"),
    "more than declared, not terminated": lambda: environ_of(ping(), CONTENT_LENGTH="5", terminated=False),
    "broken stream": lambda: environ_of(ping(), **{"wsgi.input": None}),
    "foreign host": lambda: environ_of(ping(), HTTP_HOST="evil.example"),
    "no host": lambda: environ_of(ping(), HTTP_HOST=None),
    "odd host": lambda: environ_of(ping(), HTTP_HOST="local host\xff"),
    "origin": lambda: environ_of(ping(), HTTP_ORIGIN="http://localhost:5000"),
    "foreign origin": lambda: environ_of(ping(), HTTP_ORIGIN="http://evil.example"),
    "unknown session": lambda: environ_of(ping(), headers={"Mcp-Session-Id": "none"}),
    "cookie": lambda: environ_of(ping(), HTTP_COOKIE="session=x"),
    "method override": lambda: environ_of(ping(), HTTP_X_HTTP_METHOD_OVERRIDE="GET"),
}


@pytest.mark.parametrize("case", PLAIN)
def test_a_plain_post_is_answered_as_flask_answers_it(app, case):
    expected = wsgi(app, PLAIN[case]())
    flask_app = shortened(app)
    assert wsgi(app, PLAIN[case]()) == expected
    assert flask_app.seen == 0


LEFT_TO_FLASK = {
    "get": lambda: environ_of(b"", method="GET"),
    "delete": lambda: environ_of(b"", method="DELETE"),
    "options": lambda: environ_of(b"", method="OPTIONS", HTTP_ORIGIN="http://localhost"),
    "head": lambda: environ_of(b"", method="HEAD"),
    "lower case": lambda: environ_of(ping(), method="post"),
    "other path": lambda: environ_of(ping(), path="/other"),
    "two slashes": lambda: environ_of(ping(), path="/mcp//"),
    "slashes before": lambda: environ_of(ping(), path="//mcp"),
    "no path": lambda: environ_of(ping(), path=""),
    "chunked": lambda: environ_of(ping(), CONTENT_LENGTH=None, HTTP_TRANSFER_ENCODING="chunked"),
    "both lengths": lambda: environ_of(ping(), HTTP_TRANSFER_ENCODING="chunked"),
    "no length": lambda: environ_of(ping(), CONTENT_LENGTH=None, terminated=False),
    "empty length": lambda: environ_of(ping(), CONTENT_LENGTH=""),
    "negative length": lambda: environ_of(ping(), CONTENT_LENGTH="-1"),
    "signed length": lambda: environ_of(ping(), CONTENT_LENGTH="+5"),
    "length in words": lambda: environ_of(ping(), CONTENT_LENGTH="5x"),
    "length with space": lambda: environ_of(ping(), CONTENT_LENGTH=" 44"),
    "length in other digits": lambda: environ_of(ping(), CONTENT_LENGTH="²"),
    "websocket": lambda: environ_of(ping(), HTTP_CONNECTION="upgrade", HTTP_UPGRADE="websocket"),
}


@pytest.mark.parametrize("case", LEFT_TO_FLASK)
def test_whatever_is_not_plain_is_left_to_flask(app, case):
    expected = wsgi(app, LEFT_TO_FLASK[case]())
    flask_app = shortened(app)
    assert wsgi(app, LEFT_TO_FLASK[case]()) == expected
    assert flask_app.seen == 1


def test_a_session_is_opened_with_its_header(app, flask_app):
    _, headers, _ = wsgi(app, environ_of(initialize()))
    assert dict(headers)["Mcp-Session-Id"]
    assert flask_app.seen == 0


def test_a_stream_is_handed_over_as_it_comes_and_can_be_closed(app, flask_app):
    started = []
    environ = environ_of(call("work", {"progressToken": "t"}))
    stream = app(environ, lambda status, headers: started.append(dict(headers)))
    assert b"notifications/progress" in next(iter(stream))
    stream.close()
    assert "Content-Length" not in started[0]
    assert started[0]["Content-Type"] == "text/event-stream"
    assert flask_app.seen == 0


class Sender:
    """Connected to a signal as long as it lives."""

    def __init__(self, signal):
        signal.connect(self.hear)

    def hear(self, sender, **extra):
        pass


def replaced_view(app):
    ((name, view),) = [(name, view) for name, view in app.view_functions.items() if "mcp" in name]
    app.view_functions[name] = lambda: flask.abort(403) if view else None


def later_rule(app):
    app.url_map.add(flask.Flask.url_rule_class("/mcp", endpoint="theirs", methods=["POST"]))
    app.view_functions["theirs"] = lambda: "theirs"


def replaced_map(app):
    app.url_map = flask.Flask("other").url_map


TOUCHES = {
    "before_request": lambda app: app.before_request(lambda: flask.abort(401)),
    "after_request": lambda app: app.after_request(lambda response: response),
    "teardown_request": lambda app: app.teardown_request(lambda error: None),
    "teardown_appcontext": lambda app: app.teardown_appcontext(lambda error: None),
    "url_value_preprocessor": lambda app: app.url_value_preprocessor(lambda endpoint, values: None),
    "hook of the blueprint": lambda app: app.before_request_funcs.setdefault(
        "test", [lambda: flask.abort(401)]
    ),
    "hooks replaced": lambda app: setattr(app, "before_request_funcs", {None: [lambda: flask.abort(401)]}),
    "request class": lambda app: setattr(app, "request_class", type("Own", (flask.Request,), {})),
    "response class": lambda app: setattr(app, "response_class", type("Own", (flask.Response,), {})),
    "session interface": lambda app: setattr(app, "session_interface", type(app.session_interface)()),
    "method": lambda app: setattr(app, "preprocess_request", lambda: flask.abort(401)),
    "limit": lambda app: app.config.update(MAX_CONTENT_LENGTH=0),
    "hosts": lambda app: app.config.update(TRUSTED_HOSTS=["other.example"]),
    "cookies": lambda app: app.config.update(SECRET_KEY="not-a-real-secret"),
    "server name": lambda app: app.config.update(SERVER_NAME="localhost"),
    "view": replaced_view,
    "url map": replaced_map,
}


@pytest.mark.parametrize("touch", TOUCHES)
def test_an_application_that_looks_at_each_request_sees_it(touch, monkeypatch):
    app = app_of()
    flask_app = shortened(app)
    monkeypatch.setattr(app, "_got_first_request", False)
    TOUCHES[touch](app)
    wsgi(app, environ_of(ping()))
    assert flask_app.seen == 1


SIGNALS = (
    *("request_started", "request_finished", "request_tearing_down"),
    *("appcontext_pushed", "appcontext_popped", "appcontext_tearing_down"),
)


@pytest.mark.parametrize("name", SIGNALS)
def test_a_signal_is_heard(app, flask_app, name):
    sender = Sender(getattr(flask, name))
    wsgi(app, environ_of(ping()))
    assert flask_app.seen == 1
    del sender


@pytest.mark.parametrize("when", ["before", "after"])
def test_a_class_that_somebody_instruments_is_flasks_no_more(app, monkeypatch, when):
    own = flask.Flask.full_dispatch_request

    def watch():
        monkeypatch.setattr(flask.Flask, "full_dispatch_request", lambda self: own(self))

    if when == "before":
        watch()
    flask_app = shortened(app)
    watch()
    wsgi(app, environ_of(ping()))
    assert flask_app.seen == 1


def test_a_hook_refuses_and_once_it_is_gone_nothing_does(app, flask_app):
    app.before_request_funcs[None] = [lambda: flask.abort(401)]
    assert wsgi(app, environ_of(ping()))[0].startswith("401")
    del app.before_request_funcs[None]
    assert wsgi(app, environ_of(ping()))[0] == "200 OK"


def test_a_route_of_somebody_elses_beside_ours_changes_nothing(app, flask_app, monkeypatch):
    expected = wsgi(app, environ_of(ping()))
    later_rule(app)
    assert wsgi(app, environ_of(ping())) == expected


def test_a_test_that_looks_inside_finds_flasks_request(app, flask_app):
    with app.test_client() as client:
        client.post("/mcp", json=ping())
        assert flask.request.path == "/mcp"


def test_hooks_are_taken_until_the_first_request_and_refused_after_it():
    app = create_app()
    app.before_request(lambda: flask.abort(401))
    client = app.test_client()
    assert client.post("/servers/dbplanet/mcp", json=ping()).status_code == 401
    with pytest.raises(AssertionError, match="before_request"):
        app.before_request(lambda: None)


@pytest.mark.parametrize("path", ["/servers/dbplanet/mcp", "/servers/dbplanet/mcp/"])
def test_our_own_application_takes_the_short_cut(monkeypatch, path):
    client = create_app().test_client()
    assert client.post(path, json=ping()).status_code == 200
    monkeypatch.setattr("flask.Request.__init__", None)
    assert client.post(path, json=ping()).get_json() == {"jsonrpc": "2.0", "id": 1, "result": {}}
    with pytest.raises(TypeError):
        client.get(path)


def test_what_escapes_the_endpoint_goes_to_the_handler_that_the_application_has_for_it(app, monkeypatch):
    def fail(self, request):
        raise ZeroDivisionError

    app.register_error_handler(ZeroDivisionError, lambda error: ("handled", 418))
    monkeypatch.setattr("dbplanet.mcp.http.Endpoint.respond", fail)
    flask_app = shortened(app)
    status, _, body = wsgi(app, environ_of(ping()))
    assert (status[:3], body, flask_app.seen) == ("418", b"handled", 0)


def test_a_length_of_thousands_of_digits_is_flasks_to_refuse(app):
    expected = wsgi(app, environ_of(ping(), CONTENT_LENGTH="9" * 5000))
    shortened(app)
    assert wsgi(app, environ_of(ping(), CONTENT_LENGTH="9" * 5000)) == expected


def test_what_escapes_the_endpoint_is_reported_as_flask_reports_it(app, monkeypatch, caplog):
    def fail(self, request):
        raise ZeroDivisionError("inner words")

    monkeypatch.setattr("dbplanet.mcp.http.Endpoint.respond", fail)
    expected = wsgi(app, environ_of(ping()))
    flask_app = shortened(app)
    answer = wsgi(app, environ_of(ping()))
    assert answer == expected
    assert answer[0].startswith("500")
    assert b"inner" not in answer[2]
    assert flask_app.seen == 0
    first, *others = [record.getMessage() for record in caplog.records]
    assert others == [first, first]
