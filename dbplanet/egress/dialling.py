"""The connect step: the only place where a name is resolved and a socket is opened.

Source: reference "GraphQL and HTTP egress", 4.2 item 4 and 4.5.
"""

from __future__ import annotations

import ipaddress
import logging
import socket
from collections.abc import Iterable

from .addresses import Address, parse_address
from .errors import EgressError, blocked
from .exchange import Exchange
from .lookups import LOOKUPS, OPERATOR_LOOKUPS
from .urls import Target

log = logging.getLogger(__name__)

MAX_ATTEMPTS = 4


def dial(exchange: Exchange, target: Target) -> socket.socket:
    """Return a socket connected to a checked address of `target`; a name is resolved once.

    Raises EgressError: blocked when any of the addresses is refused (a mixed answer is the mark of DNS
    rebinding), dns, refused, unreachable, connect_timeout, deadline.
    """
    exchange.rules.policy.check_target(target)
    opens_until = _connect_limit(exchange)
    addresses = checked_addresses(exchange, target, opens_until)
    return _connect_to_any(exchange, addresses, target.port, opens_until)


def dial_proxy(exchange: Exchange, host: str, port: int) -> socket.socket:
    """Return a socket connected to the operator's proxy, whose address is trusted. Raises EgressError."""
    opens_until = _connect_limit(exchange)
    try:
        addresses = _addresses(exchange, host, opens_until, trusted=True)
        return _connect_to_any(exchange, addresses, port, opens_until)
    except EgressError as error:
        if error.timeout:
            raise
        raise EgressError("proxy") from None


def proxied_host(exchange: Exchange, target: Target) -> str:
    """Return the host that a proxy is to be handed: a checked address, never a name it resolves again.

    Only the origins that the operator named go by name: no address rule holds for them.
    """
    policy = exchange.rules.policy
    policy.check_target(target)
    if policy.is_exempt(target):
        return target.host
    return str(checked_addresses(exchange, target, _connect_limit(exchange))[0])


def checked_addresses(exchange: Exchange, target: Target, until: float) -> list[Address]:
    """Return the addresses of `target`, every one of them permitted. Raises EgressError."""
    trusted = exchange.rules.policy.is_exempt(target)
    addresses = _addresses(exchange, target.host, until, trusted=trusted)
    for address in addresses:
        _check_address(exchange, target, address)
    return addresses


def _check_address(exchange: Exchange, target: Target, address: Address) -> None:
    try:
        exchange.rules.policy.check_address(target, address)
    except EgressError as error:
        # for the operator alone: the caller is not told what a name of the inner network stands for
        log.warning("refused to dial %s:%d at %s: %s", target.host, target.port, address, error.reason)
        raise


def _connect_limit(exchange: Exchange) -> float:
    return exchange.rules.clock() + min(exchange.require_time(), exchange.rules.limits.connect)


def _time_left(exchange: Exchange, until: float) -> float:
    left = until - exchange.rules.clock()
    if left <= 0:
        exchange.require_time()
        raise EgressError("connect_timeout")
    return left


def _addresses(exchange: Exchange, host: str, until: float, *, trusted: bool) -> list[Address]:
    literal = parse_address(host)
    if literal is not None:
        return [literal]
    try:
        lookups = (OPERATOR_LOOKUPS if trusted else LOOKUPS).get()
        texts = lookups.resolve(exchange.rules.resolver, host, _time_left(exchange, until))
    except TimeoutError:
        exchange.require_time()
        raise EgressError("connect_timeout") from None
    except (OSError, UnicodeError):
        raise EgressError("dns") from None
    return _parsed(texts)


def _parsed(texts: Iterable[str]) -> list[Address]:
    addresses = []
    for text in dict.fromkeys(texts):
        address = parse_address(text)
        if address is None:
            raise blocked("zone_id")
        addresses.append(address)
    if not addresses:
        raise EgressError("dns")
    return addresses


def _connect_to_any(exchange: Exchange, addresses: list[Address], port: int, until: float) -> socket.socket:
    """Try the addresses in turn, each with its share of the time, so that a dead first one does no harm."""
    failure = EgressError("unreachable")
    attempts = addresses[:MAX_ATTEMPTS]
    for index, address in enumerate(attempts):
        timeout = _time_left(exchange, until) / (len(attempts) - index)
        try:
            return _connect(address, port, timeout)
        except TimeoutError:
            failure = EgressError("connect_timeout")
        except ConnectionRefusedError:
            failure = EgressError("refused")
        except OSError:
            failure = EgressError("unreachable")
    exchange.require_time()
    raise failure


def _connect(address: Address, port: int, timeout: float) -> socket.socket:
    sock = socket.socket(socket.AF_INET if address.version == 4 else socket.AF_INET6, socket.SOCK_STREAM)
    try:
        sock.settimeout(timeout)
        sock.connect((str(address), port))
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        _require_peer(sock, address)
    except BaseException:
        sock.close()
        raise
    return sock


def _require_peer(sock: socket.socket, address: Address) -> None:
    if ipaddress.ip_address(sock.getpeername()[0]) != address:
        raise blocked("peer_mismatch")
