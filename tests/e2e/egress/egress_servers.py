"""Servers that say exactly what a test tells them, over real sockets, with or without TLS."""

from __future__ import annotations

import contextlib
import socket
import ssl
import threading
from collections.abc import Callable, Iterator

Handler = Callable[["Peer"], None]


class Peer:
    """One accepted connection, as the server sees it."""

    def __init__(self, sock: socket.socket, server: Server) -> None:
        self.sock = sock
        self.server = server
        server.peers.append(sock)
        self._buffer = b""

    def read_request(self) -> bytes:
        """Return one request, head and body; b"" when the client has hung up."""
        while b"\r\n\r\n" not in self._buffer:
            if not self._receive():
                return b""
        head, _, rest = self._buffer.partition(b"\r\n\r\n")
        length = next(
            (int(line[15:]) for line in head.lower().split(b"\r\n") if line[:15] == b"content-length:"), 0
        )
        while len(rest) < length and self._receive():
            rest = self._buffer.partition(b"\r\n\r\n")[2]
        self._buffer = rest[length:]
        request = head + b"\r\n\r\n" + rest[:length]
        self.server.requests.append(request)
        return request

    def _receive(self) -> bool:
        data = self.sock.recv(65536)
        self._buffer += data
        return bool(data)

    def send(self, data: bytes) -> None:
        """Send `data`, all of it."""
        self.sock.sendall(data)

    def drip(self, data: bytes, *, every: float = 0.05) -> None:
        """Send `data` for ever, a piece every so many seconds, until the client is gone or the test over."""
        while not self.server.over.wait(every):
            self.send(data)

    def hang(self) -> None:
        """Say nothing until the test is over."""
        self.server.over.wait()

    def reset(self) -> None:
        """Close with a TCP reset."""
        self.sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\x01\x00\x00\x00\x00\x00\x00\x00")
        self.sock.close()


class Server:
    """Accepts connections and hands each to `handler` in its own thread; closes it when that returns."""

    def __init__(self, handler: Handler, tls: ssl.SSLContext | None, address: str) -> None:
        self.requests: list[bytes] = []
        self.connections = 0
        self.peers: list[socket.socket] = []
        self.over = threading.Event()
        self._handler = handler
        self._tls = tls
        self._listener = socket.create_server(
            (address, 0), family=socket.AF_INET6 if ":" in address else socket.AF_INET
        )
        self.port: int = self._listener.getsockname()[1]
        self._threads = [threading.Thread(target=self._accept)]
        self._threads[0].start()

    def _accept(self) -> None:
        while True:
            sock, _ = self._listener.accept()
            if self.over.is_set():
                sock.close()
                return
            self.connections += 1
            self._threads.append(threading.Thread(target=self._serve, args=(sock,)))
            self._threads[-1].start()

    def _serve(self, sock: socket.socket) -> None:
        sock.settimeout(20)
        with sock, contextlib.suppress(OSError):
            if self._tls is None:
                self._handler(Peer(sock, self))
                return
            with self._tls.wrap_socket(sock, server_side=True) as wrapped:
                self._handler(Peer(wrapped, self))

    def stop(self) -> None:
        """End the listener and all connections' threads."""
        self.over.set()
        with contextlib.suppress(OSError), socket.create_connection(self._listener.getsockname()[:2], 1):
            pass
        self._threads[0].join()
        self._listener.close()
        for sock in self.peers:
            # wakes a handler that waits for the client's next request
            with contextlib.suppress(OSError):
                socket.socket.shutdown(sock, socket.SHUT_RDWR)
        for thread in self._threads[1:]:
            thread.join(20)


@contextlib.contextmanager
def serving(
    handler: Handler, *, tls: ssl.SSLContext | None = None, address: str = "127.0.0.1"
) -> Iterator[Server]:
    """Run a server for the time of a `with` block."""
    server = Server(handler, tls, address)
    try:
        yield server
    finally:
        server.stop()


def ok(body: bytes = b"ok", *headers: str, status: str = "200 OK") -> bytes:
    """Return a whole answer with a length."""
    lines = [f"HTTP/1.1 {status}", f"Content-Length: {len(body)}", *headers]
    return "\r\n".join(lines).encode("latin-1") + b"\r\n\r\n" + body


def redirect(location: str, status: str = "302 Found") -> bytes:
    """Return a redirect to `location`."""
    return ok(b"moved", f"Location: {location}", status=status)


def always(answer: bytes) -> Handler:
    """Answer each request of each connection with `answer`."""

    def handler(peer: Peer) -> None:
        while peer.read_request():
            peer.send(answer)

    return handler


def once(answer: bytes) -> Handler:
    """Answer the first request of a connection, whatever that means, and close it."""

    def handler(peer: Peer) -> None:
        peer.read_request()
        peer.send(answer)

    return handler


def by_path(**answers: bytes) -> Handler:
    """Answer `/name` with the answer of that name."""

    def handler(peer: Peer) -> None:
        while request := peer.read_request():
            path = request.split(b" ", 2)[1].decode()
            peer.send(answers[path.strip("/").split("?")[0] or "root"])

    return handler
