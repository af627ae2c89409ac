"""Servers on this machine that record every connection. No sandbox may be able to connect to them."""

from __future__ import annotations

import selectors
import socket
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

_GIANT = 8 << 20
"""Bytes of a response that no fetcher should read completely."""

_NOTING_TIME = 30.0
"""Seconds that the servers may take to record a contact."""


class CanaryServers:
    """Servers on TCP and UDP ports of the loopback interface, and on Unix sockets of two kinds.

    Args:
        folder: Folder of the named Unix socket.
        secret: Response over TCP.

    Attributes:
        contacts: Contacts by kind of server.
        tcp: Port; over HTTP it returns the secret.
        udp: Port.
        unix: Path.
        abstract: Name in the abstract namespace, without its NUL.
        allowed: Port of an allowed server: it redirects to the first one, to a file or to itself, or sends too much.
    """

    def __init__(self, folder: Path, secret: str) -> None:
        self.contacts: list[str] = []
        self.unix = str(folder / "socket")
        self.abstract = f"{folder.name}-abstract"
        self._secret = secret
        self._sockets: list[socket.socket] = []
        self._selector = selectors.DefaultSelector()
        self._closed = False
        self.tcp = self._open(socket.AF_INET, socket.SOCK_STREAM, ("127.0.0.1", 0), self._tell)
        with suppress(OSError):  # a machine without IPv6
            self._open(socket.AF_INET6, socket.SOCK_STREAM, ("::1", self.tcp), self._tell)
        self.udp = self._open(socket.AF_INET, socket.SOCK_DGRAM, ("127.0.0.1", 0), self._note)
        self._open(socket.AF_UNIX, socket.SOCK_STREAM, self.unix, self._note)
        self._open(socket.AF_UNIX, socket.SOCK_STREAM, f"\0{self.abstract}", self._note)
        self.allowed = self._open(socket.AF_INET, socket.SOCK_STREAM, ("127.0.0.1", 0), self._mislead)
        self._question, self._reader = socket.socketpair()
        self._sockets += [self._question, self._reader]
        self._selector.register(self._reader, selectors.EVENT_READ, lambda reader: reader.recv(1))
        self._answered = threading.Event()
        self._thread = threading.Thread(target=self._serve, name="canary servers", daemon=True)
        self._thread.start()

    def settle(self) -> None:
        """Waits until all connections up to now are recorded.

        Raises:
            TimeoutError: The servers do not respond.
        """
        self._answered.clear()
        self._question.send(b"?")
        if not self._answered.wait(_NOTING_TIME):
            raise TimeoutError(f"the canary servers did not answer within {_NOTING_TIME:g} s")

    def close(self) -> None:
        """Stops the servers."""
        self._closed = True
        self._thread.join()
        for one in self._sockets:
            one.close()
        self._selector.close()

    def _open(self, family: int, kind: int, place: object, serve: Callable[[socket.socket], None]) -> int:
        server = socket.socket(family, kind)
        self._sockets.append(server)
        server.bind(place)  # type: ignore[arg-type] # each family has its own
        if kind == socket.SOCK_STREAM:
            server.listen()
        self._selector.register(server, selectors.EVENT_READ, serve)
        name = server.getsockname()
        return int(name[1]) if isinstance(name, tuple) else 0

    def _serve(self) -> None:
        while not self._closed:
            ready = [key for key, _ in self._selector.select(0.05)]
            for key in ready:
                with suppress(OSError):  # the client has disconnected
                    key.data(key.fileobj)
            if any(key.fileobj is self._reader for key in ready):  # earlier contacts were ready as well
                self._answered.set()

    def _note(self, server: socket.socket) -> None:
        if server.type == socket.SOCK_DGRAM:
            self.contacts.append(f"UDP: {server.recv(100)!r}")
            return
        self.contacts.append(f"unix socket {server.getsockname()!r}")
        server.accept()[0].close()

    def _tell(self, server: socket.socket) -> None:
        with server.accept()[0] as visitor:
            visitor.settimeout(0.2)
            self.contacts.append("TCP")
            with suppress(TimeoutError):  # clients that send nothing get the response, too
                visitor.recv(4096)
            visitor.sendall(f"HTTP/1.0 200 OK\r\nContent-Type: text/plain\r\n\r\n{self._secret}".encode())

    def _mislead(self, server: socket.socket) -> None:
        with server.accept()[0] as visitor:
            visitor.settimeout(1.0)
            path = visitor.recv(4096).partition(b" ")[2].partition(b" ")[0].decode(errors="replace")
            places = {"/private": f"http://127.0.0.1:{self.tcp}/", "/file": "file:///etc/passwd", "/again": "/again"}
            if path in places:
                visitor.sendall(f"HTTP/1.0 302 Found\r\nLocation: {places[path]}\r\n\r\n".encode())
            else:
                visitor.sendall(b"HTTP/1.0 200 OK\r\n\r\n" + bytes(_GIANT))
