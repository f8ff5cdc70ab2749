"""Which IP addresses are public: an own table, the standard library's, and decoding of embedded IPv4.

Neither alone is enough: `ipaddress.is_global` is True for multicast, site-local, NAT64 and 6to4 forms of
127.0.0.1 and Azure's host, on some Python versions and not on others.
Source: reference "GraphQL and HTTP egress", 4.1; lessons, security record (CVE-2026-44430, -49857).
"""

from __future__ import annotations

import ipaddress
from collections.abc import Iterator
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network

Address = IPv4Address | IPv6Address
Network = IPv4Network | IPv6Network

_DENIED_IPV4 = tuple(
    IPv4Network(text)
    for text in (
        "0.0.0.0/8",
        "10.0.0.0/8",
        "100.64.0.0/10",  # carrier-grade NAT, Alibaba's metadata
        "127.0.0.0/8",
        "168.63.129.16/32",  # Azure's host
        "169.254.0.0/16",
        "172.16.0.0/12",
        "192.0.0.0/24",  # Oracle's metadata
        "192.0.2.0/24",
        "192.88.99.0/24",  # 6to4 relays
        "192.168.0.0/16",
        "198.18.0.0/15",
        "198.51.100.0/24",
        "203.0.113.0/24",
        "224.0.0.0/4",
        "240.0.0.0/4",
    )
)
_GLOBAL_UNICAST = IPv6Network("2000::/3")
_DENIED_IPV6 = tuple(
    IPv6Network(text)
    for text in (
        "2001::/23",  # IETF protocol assignments, Teredo and ORCHID among them
        "2001:db8::/32",
        "3fff::/20",
    )
)
#: network -> how far right of the low end the embedded IPv4 address stands, in bits
_EMBEDDING = (
    (IPv6Network("::/96"), 0),  # IPv4-compatible
    (IPv6Network("::ffff:0:0:0/96"), 0),  # SIIT
    (IPv6Network("64:ff9b::/96"), 0),  # NAT64
    (IPv6Network("64:ff9b:1::/48"), 0),  # local-use NAT64
    (IPv6Network("2002::/16"), 80),  # 6to4
)
_ISATAP = frozenset({0x00005EFE, 0x02005EFE})


def refusal(address: Address) -> str | None:
    """Return why `address` may not be dialled, or None: `non_public_address` or `transition_address`.

    A transition address (NAT64, 6to4, ISATAP, …) of a public IPv4 address is refused too: whether it is
    routed, and to where, depends on the network this server stands in.
    """
    if isinstance(address, IPv6Address):
        if address.ipv4_mapped is not None:
            return refusal(address.ipv4_mapped)
        embedded = list(_embedded(address))
        if embedded:
            return "transition_address" if all(map(_is_public, embedded)) else "non_public_address"
    return None if _is_public(address) else "non_public_address"


def _embedded(address: IPv6Address) -> Iterator[IPv4Address]:
    """Yield the IPv4 addresses that a gateway would take out of `address`."""
    bits = int(address)
    for network, shift in _EMBEDDING:
        if address in network:
            yield IPv4Address((bits >> shift) & 0xFFFFFFFF)
    if (bits >> 32) & 0xFFFFFFFF in _ISATAP:
        yield IPv4Address(bits & 0xFFFFFFFF)


def _is_public(address: Address) -> bool:
    if isinstance(address, IPv4Address):
        return address.is_global and not any(address in network for network in _DENIED_IPV4)
    denied = any(address in network for network in _DENIED_IPV6)
    return address.is_global and address in _GLOBAL_UNICAST and not denied


def parse_address(text: str) -> Address | None:
    """Return the address that `text` spells, without a zone; None when it is a name or has a zone."""
    try:
        return ipaddress.ip_address(text) if "%" not in text else None
    except ValueError:
        return None
