"""The table of hostile URLs through the tools: the same refusals, worded alike, and nothing is dialled."""

from __future__ import annotations

import pytest

from dbplanet.egress import Limits
from dbplanet.httpapi import api_server
from e2e.httpapi.api_calls import Api, Outcome
from unit.egress.hostile_urls import HOSTILE, NAMES, resolve

REFUSED = [row for row in HOSTILE if row[1] != "ok"]
WELCOME = [row for row in HOSTILE if row[1] == "ok"]
Dialled = list[tuple[str, int]]


def attempt(url: str, tool: str = "api_get") -> Outcome:
    server = api_server(version="1", limits=Limits(connect=2, total=2), resolver=resolve)
    return Api(server).attempt(tool, url=url)


@pytest.mark.parametrize(("url", "code", "reason"), REFUSED)
def test_a_hostile_url_is_refused_without_a_connection(
    url: str, code: str, reason: str, dialled: Dialled
) -> None:
    error = attempt(url).error
    details = {"code": code, "reason": reason} if reason else {"code": code}
    assert error["details"] == details
    assert error["type"] == ("network" if code == "dns" else "validation")
    assert "statusCode" not in error
    assert dialled == []


@pytest.mark.parametrize(("url", "code", "where"), WELCOME)
def test_a_welcome_url_is_dialled_at_the_checked_addresses(
    url: str, code: str, where: str, dialled: Dialled
) -> None:
    _, host, port = where.split()
    assert attempt(url).kind == ("network", "refused")
    assert dialled == [(address, int(port)) for address in NAMES.get(host, [host])]


def test_all_refusals_read_alike_and_show_no_address(dialled: Dialled) -> None:
    outcomes = [attempt(url) for url, code, _ in REFUSED if code != "dns"]
    assert len({outcome.error["message"] for outcome in outcomes}) == 1
    assert not [
        outcome.text
        for outcome in outcomes
        if any(char.isdigit() for char in outcome.text if char not in "46")
    ]


@pytest.mark.parametrize("tool", ["api_post", "api_put", "api_delete"])
def test_a_write_is_guarded_like_a_read(tool: str, dialled: Dialled) -> None:
    for url in ("http://127.0.0.1/", "http://ten.test/", "http://2130706433/", "http://localhost/"):
        assert attempt(url, tool).kind == ("validation", "blocked")
    assert dialled == []


@pytest.mark.parametrize("url", [5, True, ["http://good.test/"], {"url": "http://good.test/"}])
def test_a_url_that_is_no_string_is_refused(url: object, dialled: Dialled) -> None:
    assert Api(api_server(version="1")).attempt("api_get", url=url).kind == ("validation", "invalid_url")
