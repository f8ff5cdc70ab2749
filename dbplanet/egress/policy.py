"""What may be dialled: an immutable value, made once from the settings and shared by all sessions."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from ipaddress import ip_network
from typing import NamedTuple

from .addresses import Address, Network, parse_address, refusal
from .errors import EgressError, blocked
from .urls import Target, check_url

#: browsers' forbidden ports, and databases and daemons that answer to anything that looks like text
DENIED_PORTS = frozenset(
    {1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104}
    | {109, 110, 111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514}
    | {515, 526, 530, 531, 532, 540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723}
    | {2049, 2375, 2379, 3306, 3659, 4045, 4190, 5060, 5061, 5432, 6000, 6379, 6566, 6665, 6666, 6667, 6668}
    | {6669, 6679, 6697, 9200, 10080, 11211, 27017}
)
#: names that mean this machine or this network; a second line, the address check decides
_DENIED_NAMES = (".localhost", ".local", ".internal", ".home.arpa", ".lan", ".corp", ".onion")
_NET = re.compile(r"(.+/\d+|[^:]+)(?::(\d+))?")


class OriginPattern(NamedTuple):
    """One origin (`https://host:port`), or every subdomain of `suffix` (`https://*.suffix`)."""

    scheme: str
    host: str
    port: int

    def matches(self, target: Target) -> bool:
        """Tell whether `target` is this origin, or a subdomain of it where the pattern says so."""
        return (self.scheme, self.port) == (target.scheme, target.port) and _matches(self.host, target.host)


class ExemptNet(NamedTuple):
    """A network that may be dialled though it is not public; `port` None means every port."""

    network: Network
    port: int | None


@dataclass(frozen=True)
class Policy:
    """Which targets and addresses may be dialled. Make one with `for_tenants` or `for_api`."""

    https_only: bool = True
    exempt_origins: tuple[OriginPattern, ...] = ()
    exclusive: bool = False
    allowed_hosts: tuple[str, ...] = ()
    exempt_nets: tuple[ExemptNet, ...] = ()
    redirect_across_origins: bool = False

    @classmethod
    def for_tenants(cls, exempt: Iterable[str] = (), *, exclusive: bool = False) -> Policy:
        """Return the policy for base URLs that callers name: https and public addresses only.

        `exempt` are origins (`http://10.0.0.5:8080`) or patterns (`https://*.example.com`, which does not
        match `example.com` itself) of the operator: free of the rules about https, names, ports and public
        addresses. With `exclusive` nothing else may be dialled. Raises ValueError naming a bad entry.
        """
        return cls(exempt_origins=tuple(_origin_pattern(text) for text in exempt), exclusive=exclusive)

    @classmethod
    def for_api(cls, hosts: Iterable[str] = (), nets: Iterable[str] = ()) -> Policy:
        """Return the policy of the api server: http and https, public addresses, redirects across origins.

        When `hosts` are given (`example.com`, or `.example.com` for its subdomains), only these; `nets`
        (`10.0.0.0/8`, `127.0.0.1/32:3001`, `::1/128`) are free of the public-address rule, and with a
        port of the port rule as well. Raises ValueError naming a bad entry.
        """
        return cls(
            https_only=False,
            allowed_hosts=tuple(_host_pattern(text) for text in hosts),
            exempt_nets=tuple(_exempt_net(text) for text in nets),
            redirect_across_origins=True,
        )

    def is_exempt(self, target: Target) -> bool:
        """Tell whether the operator named `target`'s origin, so that only the URL rules hold for it."""
        return any(pattern.matches(target) for pattern in self.exempt_origins)

    def check_target(self, target: Target) -> None:
        """Raise EgressError when scheme, name, literal address or port may not be used, without a look-up."""
        if self.is_exempt(target):
            return
        if self.https_only and target.scheme != "https":
            raise EgressError("invalid_scheme", reason="https_required")
        if self.exclusive:
            raise blocked("host_not_allowed")
        self._check_name(target.host)
        if target.port in DENIED_PORTS and target.port not in {net.port for net in self.exempt_nets}:
            raise blocked("port")
        literal = parse_address(target.host)
        if literal is not None:
            self.check_address(target, literal)

    def _check_name(self, host: str) -> None:
        if self.allowed_hosts:
            if not any(_matches(pattern, host) for pattern in self.allowed_hosts):
                raise blocked("host_not_allowed")
        elif f".{host.removesuffix('.')}".endswith(_DENIED_NAMES):
            raise blocked("deny_host")

    def check_address(self, target: Target, address: Address) -> None:
        """Raise EgressError when `address`, which `target`'s name stands for, may not be dialled."""
        if self.is_exempt(target):
            return
        covering = [net for net in self.exempt_nets if _covers(net.network, address)]
        if any(net.port in (None, target.port) for net in covering):
            return
        reason = refusal(address)
        if reason is None and target.port in DENIED_PORTS:
            reason = "port"
        if reason is not None:
            raise blocked(reason)


def _matches(pattern: str, host: str) -> bool:
    """Compare by labels: `.example.com` is every subdomain, anything else one exact name."""
    host = host.removesuffix(".")
    return host.endswith(pattern) and len(host) > len(pattern) if pattern.startswith(".") else host == pattern


def _covers(network: Network, address: Address) -> bool:
    mapped = getattr(address, "ipv4_mapped", None)
    return address in network or (mapped is not None and mapped in network)


def _origin_pattern(text: str) -> OriginPattern:
    wildcard = "://*." in text
    try:
        target, url, _ = check_url(text.replace("://*.", "://", 1))
    except EgressError as error:
        raise ValueError(f"{text!r} is not an origin such as https://host or https://*.suffix") from error
    if url.split("://", 1)[1].rstrip("/").count("/") or "?" in url or "#" in url:
        raise ValueError(f"{text!r} is not an origin: it has a path, query or fragment")
    if wildcard and parse_address(target.host):
        raise ValueError(f"{text!r} is not an origin: an address has no subdomains")
    host = target.host.removesuffix(".")
    return OriginPattern(target.scheme, f".{host}" if wildcard else host, target.port)


def _host_pattern(text: str) -> str:
    try:
        target, url, _ = check_url(f"https://{text.removeprefix('.')}")
    except EgressError as error:
        raise ValueError(f"{text!r} is not a host name or .suffix") from error
    if url.lower() != f"https://{target._replace(port=443).authority}":
        raise ValueError(f"{text!r} is not a host name or .suffix: it has a port, path or query")
    host = target.host.removesuffix(".")
    return f".{host}" if text.startswith(".") else host


def _exempt_net(text: str) -> ExemptNet:
    try:
        match = _NET.fullmatch(text) if not parse_address(text) else None
        network = ip_network(match[1] if match else text)
    except ValueError as error:
        raise ValueError(f"{text!r} is not a network such as 10.0.0.0/8 or 127.0.0.1/32:3001") from error
    port = int(match[2]) if match and match[2] else None
    if port is not None and not 0 < port < 65536:
        raise ValueError(f"{text!r} has a port that is not between 1 and 65535")
    return ExemptNet(network, port)
