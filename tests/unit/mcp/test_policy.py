"""Hosts and origins: a list read once allows what its entries allow one by one."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dbplanet.mcp.policy import HostPolicy

names = st.sampled_from(["a.test", "b.a.test", "ba.test", "test", "[::1]", "10.0.0.1"])
ports = st.sampled_from(["", ":80", ":8080"])
spellings = st.sampled_from(["{}{}", " {}{}\t"])
entries = st.tuples(st.sampled_from(["", "*."]), names, ports)


def allows(entry, name, port):
    wildcard, wanted, wanted_port = entry
    fits = name.endswith(f".{wanted}") if wildcard else name == wanted
    return fits and wanted_port in ("", port)


@given(names, ports, spellings, st.booleans(), st.lists(entries, max_size=4))
def test_a_host_is_allowed_where_an_entry_allows_it(name, port, spelling, shouted, listed):
    policy = HostPolicy(*[["".join(entry) for entry in listed]] * 2)
    host = spelling.format(name.upper() if shouted else name, port)
    expected = any(allows(entry, name, port) for entry in listed)
    assert policy.allows_host(host) == expected
    assert policy.allows_origin(f"https://{host.strip()}", None) == expected


@pytest.mark.parametrize(
    "host", [None, "", " ", "a test", "a.test:", "a.test:x", "a.test:123456", "*", "*.test"]
)
def test_what_is_no_host_is_never_allowed(host):
    assert not HostPolicy(["*", "*.test", "", "a test"]).allows_host(host)
