from __future__ import annotations

import pytest
from hostile_urls import HOSTILE, NAMES, resolve
from urllib3.util import parse_url

from dbplanet.egress import Egress, EgressError, Limits, Policy, check_url

REFUSED = [row for row in HOSTILE if row[1] != "ok"]
WELCOME = [row for row in HOSTILE if row[1] == "ok"]
OF_THE_URL = {"invalid_url", "invalid_scheme", "blocked"}


def send(policy: Policy, url: str) -> EgressError:
    egress = Egress(policy, Limits(connect=2, total=2), resolver=resolve)
    with pytest.raises(EgressError) as caught:
        egress.send("GET", url)
    return caught.value


@pytest.mark.parametrize(("url", "code", "reason"), REFUSED)
def test_a_hostile_url_is_refused_without_a_connection(
    url: str, code: str, reason: str, dialled: list[tuple[str, int]]
) -> None:
    error = send(Policy.for_api(), url)
    assert (error.code, error.reason or "") == (code, reason)
    assert error.sent is False
    assert dialled == []


@pytest.mark.parametrize(("url", "code", "where"), WELCOME)
def test_a_welcome_url_is_dialled_at_the_checked_addresses(
    url: str, code: str, where: str, dialled: list[tuple[str, int]]
) -> None:
    scheme, host, port = where.split()
    assert check_url(url).target == (scheme, host, int(port))
    assert send(Policy.for_api(), url).code == "refused"
    assert dialled == [(address, int(port)) for address in NAMES.get(host, [host])]


@pytest.mark.parametrize(("url", "code", "reason"), REFUSED)
def test_a_tenant_of_a_hostile_url_is_refused_too(
    url: str, code: str, reason: str, dialled: list[tuple[str, int]]
) -> None:
    error = send(Policy.for_tenants(), url.replace("http://", "https://", 1))
    assert (error.code, error.reason or "") == (code, reason)
    assert dialled == []


def test_all_refusals_of_a_url_are_worded_alike(dialled: list[tuple[str, int]]) -> None:
    refusals = [send(Policy.for_api(), url) for url, code, _ in REFUSED if code in OF_THE_URL]
    assert len({error.message for error in refusals}) == 1


def test_a_mapped_public_address_counts_as_its_ipv4_address(dialled: list[tuple[str, int]]) -> None:
    assert send(Policy.for_api(), "http://[::ffff:93.184.216.34]/").code == "refused"
    assert [port for _, port in dialled] == [80]


def test_the_session_itself_is_guarded(dialled: list[tuple[str, int]]) -> None:
    session = Egress(Policy.for_api(), resolver=resolve).session
    for url in ("http://loop.test/", "http://127.0.0.1/", " http://[::1]/"):
        with pytest.raises(EgressError):
            session.get(url)
    assert dialled == []


def test_a_url_that_two_parsers_read_differently_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    other = parse_url("http://other.test/")
    monkeypatch.setattr("dbplanet.egress.urls.parse_url", lambda url: other)
    with pytest.raises(EgressError) as caught:
        check_url("http://read-two-ways.test/")
    assert caught.value.reason == "parser_differential"


def test_no_refusal_tells_what_a_name_resolves_to(caplog: pytest.LogCaptureFixture) -> None:
    error = send(Policy.for_api(), "http://ten.test/?q=hidden")
    assert "10.1.2.3" not in repr(error) + str(error)
    assert "ten.test:80 at 10.1.2.3: non_public_address" in caplog.text
    assert "hidden" not in caplog.text
