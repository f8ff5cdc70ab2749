"""A forward proxy that knows no names: what is not an address it cannot reach."""

from __future__ import annotations

import contextlib
import ipaddress
import socket
import threading

from e2e.egress.egress_servers import Peer


class Proxy:
    """Handler of a proxy's connections; `lines` are the request lines it got."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    def __call__(self, peer: Peer) -> None:
        head = peer.read_request()
        line = head.split(b"\r\n")[0].decode()
        self.lines.append(line)
        method, target, _ = line.split(" ")
        authority, _, path = target.removeprefix("http://").partition("/")
        host, _, port = authority.rpartition(":")
        with socket.create_connection((str(ipaddress.ip_address(host)), int(port)), 5) as upstream:
            if method == "CONNECT":
                peer.send(b"HTTP/1.1 200 Connection established\r\n\r\n")
            else:
                upstream.sendall(head.replace(target.encode(), f"/{path}".encode(), 1))
            back = threading.Thread(target=_pump, args=(upstream, peer.sock))
            back.start()
            _pump(peer.sock, upstream)
            back.join()


def _pump(source: socket.socket, sink: socket.socket) -> None:
    with contextlib.suppress(OSError):
        while data := source.recv(65536):
            sink.sendall(data)
    with contextlib.suppress(OSError):
        sink.shutdown(socket.SHUT_WR)
