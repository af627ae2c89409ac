"""Proxy for a daemon. It never responds on one route, to simulate a delayed response."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from socketserver import BaseRequestHandler, ThreadingTCPServer
from typing import NamedTuple
from urllib.parse import urlsplit

_CHUNK = 1 << 16


class SilentRoute(NamedTuple):
    """Running proxy, with its URL and the requests that have no response yet."""

    url: str
    unanswered: Sequence[bytes]


@contextmanager
def silent_route(url: str, request: str) -> Iterator[SilentRoute]:
    """Runs the proxy during a `with` block.

    Args:
        url: URL of the server.
        request: Beginning of the requests without an answer, for example `POST /path`. Their connections stay open.
    """
    target = urlsplit(url)
    unanswered: list[bytes] = []

    class Handler(BaseRequestHandler):
        def handle(self) -> None:
            first = self.request.recv(_CHUNK)
            if first.startswith(request.encode()):
                unanswered.append(first)
                self.request.recv(_CHUNK)  # until the client gives up
                return
            with socket.create_connection((str(target.hostname), target.port or 80)) as upstream:
                upstream.sendall(first)
                threading.Thread(target=_pass_on, args=(upstream, self.request), daemon=True).start()
                _pass_on(self.request, upstream)

    with ThreadingTCPServer(("127.0.0.1", 0), Handler) as server:
        server.daemon_threads = True
        threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
        yield SilentRoute(f"http://127.0.0.1:{server.server_address[1]}", unanswered)
        server.shutdown()


def _pass_on(source: socket.socket, sink: socket.socket) -> None:
    with suppress(OSError):
        while chunk := source.recv(_CHUNK):
            sink.sendall(chunk)
    with suppress(OSError):
        sink.shutdown(socket.SHUT_RDWR)
