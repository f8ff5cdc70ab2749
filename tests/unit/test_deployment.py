"""The image, the compose file and the proxy's configuration fit the product's settings."""

import re
from pathlib import Path

import pytest
import yaml

from dbplanet.settings import PREFIX, Settings

CHECKOUT = Path(__file__).parents[2]
COMPOSE = yaml.safe_load((CHECKOUT / "compose.yaml").read_text("utf-8"))
NGINX = (CHECKOUT / "deploy" / "nginx.conf").read_text("utf-8")
DOCKERFILE = (CHECKOUT / "Dockerfile").read_text("utf-8")
OPERATIONS = (CHECKOUT / "docs" / "operations.md").read_text("utf-8")
SECONDS = {"s": 1, "m": 60}
# What a person sets who starts it.
GIVEN = {
    "DBPLANET_ALLOWED_BASE_URLS": "https://t.example",
    "DBPLANET_SECRET_KEY": "not-a-real-key-of-anybody",
}


def environment_of_the_server():
    """Return the server's settings as compose fills them in."""

    def filled(match):
        name, default = match[1], match[2]
        return GIVEN[name] if match[0].find(":?") > 0 else default or ""

    given = COMPOSE["services"]["dbplanet"]["environment"]
    return {name: re.sub(r"\$\{(\w+):[-?]([^}]*)\}", filled, value) for name, value in given.items()}


def nginx_seconds(directive):
    number, unit = re.search(rf"{directive} (\d+)([sm]);", NGINX).groups()
    return int(number) * SECONDS[unit]


def test_every_setting_in_the_compose_file_exists_and_is_right():
    given = environment_of_the_server()
    own = {name.removeprefix(PREFIX): value for name, value in given.items() if name.startswith(PREFIX)}
    assert own["SESSION_STORE"].startswith("redis://redis:")
    Settings.load({name: value for name, value in own.items() if name != "SESSION_STORE"})


@pytest.mark.parametrize("name", COMPOSE["services"])
def test_no_service_may_gain_rights_or_write_to_its_image(name):
    service = COMPOSE["services"][name]
    assert service["cap_drop"] == ["ALL"]
    assert service["security_opt"] == ["no-new-privileges:true"]
    assert service["read_only"] is True


def test_only_nginx_is_published_and_on_loopback():
    published = {
        name: service["ports"] for name, service in COMPOSE["services"].items() if "ports" in service
    }
    assert published == {"nginx": ["127.0.0.1:8080:8080"]}
    assert COMPOSE["networks"]["inside"]["internal"] is True


def test_the_image_runs_as_a_number_that_is_not_root():
    (user,) = re.findall(r"^USER (\S+)", DOCKERFILE, re.MULTILINE)
    assert re.fullmatch(r"[1-9]\d{3,}:[1-9]\d{3,}", user)


def test_the_proxy_outwaits_the_longest_call_and_lets_the_server_refuse_a_body():
    settings = Settings()
    assert nginx_seconds("proxy_read_timeout") > settings.deadline
    assert nginx_seconds("keepalive_timeout") < 75
    megabytes = int(re.search(r"client_max_body_size (\d+)m;", NGINX)[1])
    assert megabytes * 1024 * 1024 > settings.max_request_bytes
    assert int(COMPOSE["services"]["dbplanet"]["stop_grace_period"].rstrip("s")) > settings.deadline + 10


@pytest.mark.parametrize("line", ["proxy_buffering off;", "proxy_next_upstream off;", "gzip off;"])
def test_the_proxy_streams_and_never_repeats(line):
    assert line in NGINX


def test_the_operations_page_names_only_settings_that_exist():
    named = set(re.findall(r"DBPLANET_([A-Z_]+[A-Z])", OPERATIONS))
    known = {name.upper() for name in Settings.__dataclass_fields__}
    assert named - known == set()
