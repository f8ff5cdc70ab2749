from __future__ import annotations

from ipaddress import ip_address

import pytest

from dbplanet.egress import EgressError, Policy, check_url


def verdict(policy: Policy, url: str, *addresses: str) -> str:
    """Return `ok`, or the error's reason (its code where it has none)."""
    target = check_url(url).target
    try:
        policy.check_target(target)
        for address in addresses:
            policy.check_address(target, ip_address(address))
    except EgressError as error:
        return error.reason or error.code
    return "ok"


TENANTS = Policy.for_tenants(["http://10.0.0.5:8080", "https://*.haiilo.example", "https://[fd00::5]"])
LISTED = Policy.for_tenants(["https://tenant.haiilo.example"], exclusive=True)
OPEN_API = Policy.for_api()
NET_API = Policy.for_api(
    nets=["127.0.0.1/32:3001", "10.0.0.0/8", "fd00::/8", "127.0.0.2:6379", "192.168.7.7"]
)
HOST_API = Policy.for_api(hosts=["api.example", ".apis.example", "intranet.corp"], nets=["10.0.0.0/8"])


@pytest.mark.parametrize(
    ("policy", "url", "addresses", "expected"),
    [
        # callers name tenants: https and public
        (TENANTS, "https://any.example", ["93.184.216.34"], "ok"),
        (TENANTS, "http://any.example", [], "https_required"),
        (TENANTS, "https://any.example", ["10.0.0.5"], "non_public_address"),
        (TENANTS, "https://any.example", ["93.184.216.34", "127.0.0.1"], "non_public_address"),
        # the operator's origins: exact in scheme, host and port, or by suffix
        (TENANTS, "http://10.0.0.5:8080", ["10.0.0.5"], "ok"),
        (TENANTS, "http://10.0.0.5", ["10.0.0.5"], "https_required"),
        (TENANTS, "https://10.0.0.5:8080", ["10.0.0.5"], "non_public_address"),
        (TENANTS, "https://[FD00:0::5]/", ["fd00::5"], "ok"),
        (TENANTS, "https://a.haiilo.example", ["10.1.1.1"], "ok"),
        (TENANTS, "https://a.b.haiilo.example.", ["10.1.1.1"], "ok"),
        (TENANTS, "https://haiilo.example", ["10.1.1.1"], "non_public_address"),
        (TENANTS, "http://a.haiilo.example", ["10.1.1.1"], "https_required"),
        (TENANTS, "https://a.haiilo.example:8443", ["10.1.1.1"], "non_public_address"),
        (TENANTS, "https://tenant.haiilo.example.evil.com", ["10.1.1.1"], "non_public_address"),
        (TENANTS, "https://evilhaiilo.example", ["10.1.1.1"], "non_public_address"),
        # listed tenants only
        (LISTED, "https://tenant.haiilo.example", ["10.1.1.1"], "ok"),
        (LISTED, "https://tenant.haiilo.example.evil.com", ["93.184.216.34"], "host_not_allowed"),
        (LISTED, "https://any.example", ["93.184.216.34"], "host_not_allowed"),
        # the api server
        (OPEN_API, "http://any.example:8080", ["93.184.216.34"], "ok"),
        (OPEN_API, "http://any.example", ["127.0.0.1"], "non_public_address"),
        (NET_API, "http://127.0.0.1:3001", ["127.0.0.1"], "ok"),
        (NET_API, "http://127.0.0.1:3002", ["127.0.0.1"], "non_public_address"),
        (NET_API, "http://127.0.0.9:3001", ["127.0.0.9"], "non_public_address"),
        (NET_API, "http://localhost:3001", ["127.0.0.1"], "deny_host"),
        (NET_API, "http://any.example", ["10.9.9.9"], "ok"),
        (NET_API, "http://any.example", ["::ffff:10.9.9.9"], "ok"),
        (NET_API, "http://any.example", ["10.9.9.9", "169.254.169.254"], "non_public_address"),
        (NET_API, "http://any.example", ["fd00::1"], "ok"),
        (NET_API, "http://10.0.0.1:22", ["10.0.0.1"], "port"),
        (NET_API, "http://127.0.0.2:6379", ["127.0.0.2"], "ok"),
        (NET_API, "http://10.0.0.1:6379", ["10.0.0.1"], "ok"),
        (NET_API, "http://any.example:6379", ["93.184.216.34"], "port"),
        (NET_API, "http://192.168.7.7", ["192.168.7.7"], "ok"),
        (HOST_API, "http://api.example", ["93.184.216.34"], "ok"),
        (HOST_API, "http://API.example.", ["93.184.216.34"], "ok"),
        (HOST_API, "http://a.api.example", [], "host_not_allowed"),
        (HOST_API, "http://a.apis.example", ["93.184.216.34"], "ok"),
        (HOST_API, "http://apis.example", [], "host_not_allowed"),
        (HOST_API, "http://xapis.example", [], "host_not_allowed"),
        (HOST_API, "http://api.example.evil.com", [], "host_not_allowed"),
        (HOST_API, "http://93.184.216.34", [], "host_not_allowed"),
        (HOST_API, "http://intranet.corp", ["10.0.0.1"], "ok"),
        (HOST_API, "http://intranet.corp", ["192.168.0.1"], "non_public_address"),
    ],
)
def test_a_policy_says_what_may_be_dialled(
    policy: Policy, url: str, addresses: list[str], expected: str
) -> None:
    assert verdict(policy, url, *addresses) == expected


@pytest.mark.parametrize(
    "entry",
    [
        *(
            "haiilo.example",
            "ftp://haiilo.example",
            "https://haiilo.example/path",
            "https://a@haiilo.example",
        ),
        *(
            "https://*",
            "https://*.",
            "https://*.10.0.0.1",
            "https://**.haiilo.example",
            "https://a.*.example",
        ),
        *("https://haiilo.example?x", "https://haiilo.example#x", "", "*"),
    ],
)
def test_a_malformed_origin_is_named_at_the_start(entry: str) -> None:
    with pytest.raises(ValueError, match="is not an origin") as caught:
        Policy.for_tenants([entry])
    assert repr(entry) in str(caught.value)


@pytest.mark.parametrize(
    "entry", ["*", "*.example", "http://api.example", "api.example:80", "a b", "..a", ""]
)
def test_a_malformed_host_is_named_at_the_start(entry: str) -> None:
    with pytest.raises(ValueError, match="is not a host name"):
        Policy.for_api(hosts=[entry])


@pytest.mark.parametrize(
    "entry",
    ["10.0.0.0/33", "10.0.0.1/8", "10", "localhost", "127.0.0.1/32:0", "127.0.0.1/32:99999", "::1/129", ""],
)
def test_a_malformed_net_is_named_at_the_start(entry: str) -> None:
    with pytest.raises(ValueError, match=r"is not a network|has a port"):
        Policy.for_api(nets=[entry])


def test_a_net_of_ipv6_takes_a_port_too() -> None:
    policy = Policy.for_api(nets=["::1/128:3001"])
    assert verdict(policy, "http://[::1]:3001", "::1") == "ok"
    assert verdict(policy, "http://[::1]:3002", "::1") == "non_public_address"
