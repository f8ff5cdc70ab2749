"""``dbplanet doctor`` against a sandbox with one thing broken in turn, and ``dbplanet config``."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Iterator
from typing import Any

import pytest
from click.testing import CliRunner

from dbplanet.cli import main
from e2e.tenants import ANNA, ME, TOKEN, Tenant
from e2e.test_command_line import dbplanet

NO_ROUTE = "http://no-such-host.invalid"


def settings_of(url: str, **changed: str) -> dict[str, str]:
    """Return Anna's settings as the operator; a changed one that is empty is left out."""
    fields = {
        "USERNAME": ANNA.username,
        "PASSWORD": ANNA.password,
        "CLIENT_ID": ANNA.client_id,
        "CLIENT_SECRET": ANNA.client_secret,
        "BASE_URL": url,
        **changed,
    }
    return {f"DBPLANET_{name}": value for name, value in fields.items() if value}


def diagnosis(settings: dict[str, str]) -> list[str]:
    """Return the lines of a doctor who finds a fault: the steps, then the fix.

    The command runs in this process, which saves a second for each.
    """
    said = CliRunner(env=settings).invoke(main, ["doctor"])
    assert said.exit_code == 1, said.output
    assert isinstance(said.exception, SystemExit)
    for name in ("PASSWORD", "CLIENT_ID", "CLIENT_SECRET"):
        assert settings.get(f"DBPLANET_{name}", "-" * 9) not in said.output
    return said.output.splitlines()


def test_a_healthy_setup_is_ok_to_the_end(tenant: Tenant):
    said = dbplanet("doctor", **settings_of(tenant.url))
    steps = re.findall(r"^ok  (\S+): ", said.stdout, re.MULTILINE)
    assert (said.returncode, steps) == (0, ["settings", "store", "tenant", "sign-in", "user"])
    assert said.stdout.endswith("signed in as Anna Schmidt\n")
    assert tenant.lines() == [ME, TOKEN, ME], "one sign-in alone"


# what is changed in the settings → the step at fault, and words of the diagnosis and of the fix
BROKEN = [
    ({"PASSWORD": ""}, "settings", "DBPLANET_PASSWORD not given", "environment"),
    (
        {"SESSION_STORE": "redis://127.0.0.1:1/0", "SECRET_KEY": "fake-secret-key-of-nobody"},
        "store",
        "SESSION_STORE cannot be reached",
        "Redis",
    ),
    ({"BASE_URL": NO_ROUTE}, "tenant", "host name cannot be resolved", "DBPLANET_BASE_URL"),
    ({"CLIENT_ID": "nobody"}, "sign-in", "API client was refused", "DBPLANET_CLIENT_ID"),
    ({"CLIENT_SECRET": "nothing"}, "sign-in", "API client was refused", "DBPLANET_CLIENT_SECRET"),
    ({"PASSWORD": "nothing"}, "sign-in", "password was refused", "DBPLANET_PASSWORD"),
    ({"USERNAME": "nobody"}, "sign-in", "user name or the password", "DBPLANET_USERNAME"),
]


@pytest.mark.parametrize(("changed", "step", "fault", "fix"), BROKEN, ids=[str(row[0]) for row in BROKEN])
def test_a_wrong_setting_is_diagnosed(
    tenant: Tenant, changed: dict[str, str], step: str, fault: str, fix: str
):
    *_, found, advice = diagnosis(settings_of(tenant.url, **changed))
    assert found.startswith(f"FAULT  {step}: ")
    assert fault in found
    assert advice.startswith("Fix: ")
    assert fix in advice


def test_a_host_that_refuses_is_told(refusing_url: str):
    *_, found, advice = diagnosis(settings_of(refusing_url))
    assert "nothing listens there" in found
    assert "DBPLANET_PROXY" in advice


def test_a_tenant_that_is_called_by_https_and_speaks_none_is_a_fault_of_tls(tenant: Tenant):
    *_, found, advice = diagnosis(settings_of(tenant.url.replace("http:", "https:")))
    assert "TLS" in found
    assert "DBPLANET_CA_BUNDLE" in advice


# what the tenant answers to which request → the step at fault, and words of the diagnosis
FAULTS: list[tuple[dict[str, Any], str, str]] = [
    ({"match": ME, "status": 503}, "tenant", "fails with status 503"),
    ({"match": ME, "status": 200, "body": "<html>"}, "tenant", "not like DB Planet"),
    ({"match": ME, "status": 403}, "user", "may not use the API"),
    ({"match": ME, "delay": 1.0}, "tenant", "did not answer in time"),
    ({"match": ME, "drop": True}, "tenant", "closed the connection"),
    ({"match": TOKEN, "status": 404}, "sign-in", "no token endpoint"),
    ({"match": TOKEN, "status": 200, "body": "{}"}, "sign-in", "gave no access token"),
    ({"match": TOKEN, "status": 400, "body": '{"error": "unauthorized_client"}'}, "sign-in", "by password"),
    ({"match": TOKEN, "status": 502}, "sign-in", "status 502"),
]  # fmt: skip


@pytest.mark.parametrize(("fault", "step", "words"), FAULTS, ids=[row[2] for row in FAULTS])
def test_a_tenant_that_fails_is_diagnosed(tenant: Tenant, fault: dict[str, Any], step: str, words: str):
    tenant.fault(**fault)
    *_, found, advice = diagnosis(settings_of(tenant.url, READ_TIMEOUT="0.3"))
    assert found.startswith(f"FAULT  {step}: ")
    assert words in found
    assert advice.startswith("Fix: ")


def test_a_setting_that_stops_the_start_is_told_in_its_own_words(tenant: Tenant):
    (line,) = diagnosis(settings_of(tenant.url, READ_TIMEOUT="5s"))
    assert "DBPLANET_READ_TIMEOUT: '5s'" in line


REFERENCES = {
    "claude": "${DBPLANET_PASSWORD}",
    "cursor": "${env:DBPLANET_PASSWORD}",
    "vscode": "${input:dbplanet-password}",
}


@pytest.mark.parametrize("client", REFERENCES)
def test_a_clients_configuration_is_json_that_refers_to_the_secrets(tenant: Tenant, client: str):
    url = "https://mcp.example/servers/dbplanet/mcp"
    token = {"DBPLANET_ACCESS_TOKENS": "fake-access-token"}
    said = CliRunner(env={**settings_of(tenant.url), **token}).invoke(main, ["config", client, "--url", url])
    (server,) = next(iter(_servers(json.loads(said.stdout)))).values()
    assert server["url"] == url
    assert server["headers"]["x-dbplanet-password"] == REFERENCES[client]
    assert server["headers"]["Authorization"].startswith("Bearer ${")
    assert not [
        word for word in (ANNA.password, ANNA.client_secret, "fake-access-token") if word in said.stdout
    ]


def _servers(configuration: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield from (configuration[key] for key in ("mcpServers", "servers") if key in configuration)


def test_the_inspectors_configuration_is_a_command_for_a_shell():
    words = shlex.split(dbplanet("config", "inspector", PORT="3999").stdout)
    assert words[0] == "npx"
    assert "http://127.0.0.1:3999/servers/dbplanet/mcp" in words
    assert "x-dbplanet-base-url: $DBPLANET_BASE_URL" in words
