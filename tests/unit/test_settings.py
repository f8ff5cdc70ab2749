import pytest

from dbplanet.settings import Settings, SettingsError, from_environment, log_ignored, port


@pytest.fixture(autouse=True)
def _no_settings_of_this_machine(monkeypatch):
    import os

    for name in [name for name in os.environ if name.startswith("DBPLANET_")]:
        monkeypatch.delenv(name)


@pytest.mark.parametrize("value", ["12345", "null", "true", '"x"', " ", "0x10", "a,b", "[1]"])
def test_text_stays_the_text_it_is(monkeypatch, value):
    monkeypatch.setenv("DBPLANET_PASSWORD", value)
    assert Settings.load().password == value


@pytest.mark.parametrize("value", ["true", "TRUE", "1", "yes", "Yes", " true "])
def test_yes_has_several_spellings(value):
    operator = {
        "USERNAME": "a",
        "PASSWORD": "b",
        "CLIENT_ID": "c",
        "CLIENT_SECRET": "d",
        "BASE_URL": "https://t.example",
    }
    assert Settings.load({"ALLOW_DEFAULT_CREDENTIALS": value, **operator}).allow_default_credentials is True


@pytest.mark.parametrize("value", ["false", "0", "NO", False])
def test_no_has_several_spellings(value):
    assert Settings.load({"ALLOW_DEFAULT_CREDENTIALS": value}).allow_default_credentials is False


@pytest.mark.parametrize(
    ("name", "value", "attribute", "typed"),
    [
        ("READ_TIMEOUT", "0.5", "read_timeout", 0.5),
        ("READ_TIMEOUT", 3, "read_timeout", 3.0),
        ("THREADS", "8", "threads", 8),
        ("RETRY_AFTER_CAP", "0", "retry_after_cap", 0.0),
        ("TENANT_CONCURRENCY", "8", "tenant_concurrency", 8),
        ("SESSION_STORE", " memory:// ", "session_store", "memory://"),
        ("ALLOWED_HOSTS", "a.example, *.b.example:8443", "allowed_hosts", ("a.example", "*.b.example:8443")),
        ("ALLOWED_ORIGINS", "https://claude.ai/", "allowed_origins", ("claude.ai",)),
        ("ALLOWED_HOSTS", ["a.example", "b.example"], "allowed_hosts", ("a.example", "b.example")),
        ("BASE_URL", "HTTPS://T.example:443/", "base_url", "https://t.example"),
        ("ALLOWED_BASE_URLS", "https://*.Haiilo.example", "allowed_base_urls", ("https://*.haiilo.example",)),
        ("SERVERS", "dbplanet", "servers", ("dbplanet",)),
        ("LOG_LEVEL", "debug", "log_level", "DEBUG"),
        ("HOST", "::1", "host", "[::1]"),
        ("HOST", " 0.0.0.0 ", "host", "0.0.0.0"),
        ("CA_BUNDLE", None, "ca_bundle", None),
        ("LOG_FORMAT", "JSON", "log_format", "json"),
        ("ALLOWED_HOSTS", "*, [::1]:3000", "allowed_hosts", ("*", "[::1]:3000")),
    ],
)
def test_values_are_typed(name, value, attribute, typed):
    assert getattr(Settings.load({name: value}), attribute) == typed


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("ALLOW_DEFAULT_CREDENTIALS", "perhaps"),
        ("THREADS", "0"),
        ("THREADS", "many"),
        ("THREADS", "1_000"),
        ("READ_TIMEOUT", "5s"),
        ("READ_TIMEOUT", "0"),
        ("READ_TIMEOUT", "nan"),
        ("RETRY_AFTER_CAP", "-1"),
        ("TENANT_CONCURRENCY", "0"),
        ("MAX_REQUEST_BYTES", "4 MiB"),
        ("BASE_URL", "db-planet.example"),
        ("BASE_URL", "https://user@db-planet.example"),
        ("ALLOWED_BASE_URLS", "https://a.example, b.example"),
        ("SERVERS", "dbplanet,nope"),
        ("SERVERS", ""),
        ("LOG_LEVEL", "loud"),
        ("CA_BUNDLE", "/nowhere/at/all.pem"),
        ("LOG_FORMAT", "xml"),
        ("SLOW_CALL", "soon"),
        ("AUDIT_LOG", "/nowhere/at/all.jsonl"),
        ("AUDIT_LOG", "/"),
        ("HOST", "not a host"),
        ("USER_AGENT", "two\nlines"),
        ("ALLOWED_HOSTS", "a b"),
        ("ALLOWED_ORIGINS", "https://a.example/path"),
        ("TOOLSETS", "news,nope"),
        ("HOST", ""),
        ("HOST", "http://127.0.0.1"),
        ("HOST", "127.0.0.1:3000"),
        ("USER_AGENT", "a\nb"),
        ("ALLOWED_HOSTS", "https://x.example/y"),
        ("ALLOWED_ORIGINS", "??"),
    ],
)
def test_a_wrong_value_is_named_with_its_fault_and_the_fix(name, value):
    with pytest.raises(SettingsError) as caught:
        Settings.load({name: value})
    assert str(caught.value).startswith(f"DBPLANET_{name}: {value!r} ")
    assert any(word in str(caught.value) for word in ("write", "choose"))


@pytest.mark.parametrize("name", ["SECRET_KEY", "ACCESS_TOKENS"])
def test_a_secret_that_could_be_guessed_is_refused_without_showing_it(name):
    with pytest.raises(SettingsError, match=f"DBPLANET_{name}: its value ") as caught:
        Settings.load({name: "abc"})
    assert "abc" not in str(caught.value)


def test_a_wrong_proxy_is_refused_without_its_password():
    with pytest.raises(
        SettingsError, match="DBPLANET_PROXY: its value is not a proxy; write http://host:port"
    ) as caught:
        Settings.load({"PROXY": "https://user:hidden@proxy.example:3128"})
    assert "hidden" not in str(caught.value)


@pytest.mark.parametrize(
    "value", ["postgres://x", "redis://", "redis://host:port", "redis://u:hidden@h:1/x y"]
)
def test_a_wrong_session_store_is_refused_without_its_password(value):
    with pytest.raises(SettingsError, match=r"DBPLANET_SESSION_STORE: its value .* write") as caught:
        Settings.load({"SESSION_STORE": value, "SECRET_KEY": "x" * 32})
    assert "hidden" not in str(caught.value)


@pytest.mark.parametrize("secret", [None, "sixteen-are-less"])
def test_redis_needs_a_secret_key(secret):
    with pytest.raises(SettingsError, match="DBPLANET_SECRET_KEY to 20 or more random characters"):
        Settings.load({"SESSION_STORE": "redis://127.0.0.1:6379/0", "SECRET_KEY": secret})


def test_an_unknown_setting_is_named_and_the_known_ones_listed():
    with pytest.raises(SettingsError, match=r"DBPLANET_REDA_TIMEOUT is no setting; known are .*READ_TIMEOUT"):
        Settings.load({"REDA_TIMEOUT": "5"})


def test_a_double_underscore_is_refused(monkeypatch):
    monkeypatch.setenv("DBPLANET_A__B", "1")
    with pytest.raises(SettingsError, match="DBPLANET_A__B"):
        Settings.load()


def test_what_kubernetes_injects_is_ignored_with_a_log_line(caplog):
    caplog.set_level("INFO")
    injected = {
        "DBPLANET_PORT": "tcp://10.0.0.1:3000",
        "DBPLANET_PORT_3000_TCP": "tcp://10.0.0.1:3000",
        "DBPLANET_SERVICE_HOST": "10.0.0.1",
        "DBPLANET_SERVICE_PORT": "3000",
    }
    assert from_environment({**injected, "DBPLANET_THREADS": "8", "OTHER": "x"}) == {"THREADS": "8"}
    log_ignored({**injected, "DBPLANET_THREADS": "8"})
    assert "THREADS" not in caplog.text
    assert all(name in caplog.text for name in injected)


def test_default_credentials_need_all_five():
    with pytest.raises(SettingsError, match="DBPLANET_PASSWORD, DBPLANET_CLIENT_ID"):
        Settings.load({"ALLOW_DEFAULT_CREDENTIALS": "true", "USERNAME": "ada"})


def test_the_repr_shows_no_secret():
    secrets = {
        "USERNAME": "u-hidden",
        "PASSWORD": "p-hidden",
        "CLIENT_ID": "i-hidden",
        "CLIENT_SECRET": "s-hidden",
    }
    assert "hidden" not in repr(Settings.load(secrets))


@pytest.mark.parametrize(("environ", "number"), [({}, 3000), ({"PORT": "8080"}, 8080)])
def test_the_port_is_3000_unless_port_says_otherwise(environ, number):
    assert port(environ) == number


@pytest.mark.parametrize("value", ["0", "65536", "http", "tcp://1.2.3.4:80", ""])
def test_a_wrong_port_is_named(value):
    with pytest.raises(SettingsError, match="PORT: "):
        port({"PORT": value})
