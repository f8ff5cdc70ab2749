"""Two tenants, two people of each, equal JSON-RPC ids, all at once: each sees its own only."""

from __future__ import annotations

import re
import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import pytest

from e2e.tenants import ANNA, JONAS, Tenant
from e2e.wire import Headers, Server

ROUNDS = 200
MARKER = re.compile(r"Marke\w+")


@dataclass(frozen=True)
class Caller:
    """Somebody whose private workspace nobody else can see; its name is their marker."""

    marker: str
    person: str
    headers: Headers
    session: Headers

    def ask(self, server: Server, number: int, ways: int) -> None:
        """Make the call of one round and check that the answer is this caller's."""
        headers = (self.headers, self.session)[number // 2 % ways]
        if number % 2:
            found = server.call_with_id(number, "People_GetMe", {}, headers)
            assert found.first_line == f"Signed-in user: {self.person}"
        else:
            found = server.call_with_id(number, "Search_QuickEntity", {"query": "Marke"}, headers)
            assert set(MARKER.findall(found.text)) - {"Marke"} == {self.marker}, found.text


@pytest.fixture(scope="module")
def callers(server: Server, tenants: tuple[Tenant, Tenant]) -> list[Caller]:
    people = [
        (tenant, person, f"Marke{number}{name.partition(' ')[0]}", name)
        for number, tenant in enumerate(tenants)
        for person, name in ((ANNA, "Anna Schmidt"), (JONAS, "Jonas Weiß"))
    ]
    found = []
    for tenant, person, marker, name in people:
        headers = tenant.headers(person)
        server.call("Workspace_Create", {"name": marker}, headers)
        found.append(Caller(marker, name, headers, server.session(headers)))
    return found


def rounds(server: Server, callers: list[Caller], *, count: int, ways: int) -> None:
    """Let all callers make each round's call together."""
    barrier = threading.Barrier(len(callers))

    def run(caller: Caller) -> None:
        try:
            for number in range(count):
                barrier.wait(60)
                caller.ask(server, number, ways)
        except BaseException:
            barrier.abort()
            raise

    with ThreadPoolExecutor(len(callers)) as pool:
        for future in [pool.submit(run, caller) for caller in callers]:
            future.result()


def test_two_hundred_interleaved_rounds_mix_nothing_up(server: Server, callers: list[Caller]):
    rounds(server, callers, count=ROUNDS, ways=1)


def test_sessions_and_plain_calls_side_by_side_mix_nothing_up(server: Server, callers: list[Caller]):
    rounds(server, callers, count=40, ways=2)


def test_the_same_user_name_in_another_tenant_is_another_client(
    server: Server, tenant: Tenant, other_tenant: Tenant
):
    server.call("People_GetMe", {}, server.session(other_tenant.headers()))
    assert tenant.journal() == []
    assert len(other_tenant.journal()) == 2


def test_what_one_person_writes_in_a_session_is_not_seen_by_another(server: Server, callers: list[Caller]):
    for caller in callers:
        listed = server.call("Workspace_List", {"pageSize": 1000}, caller.session)
        assert set(MARKER.findall(listed.text)) == {caller.marker}
