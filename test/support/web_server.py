"""Local HTTP server whose responses a test defines."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


@dataclass
class Answer:
    """HTTP response of the server. It is delayed until `after` is set."""

    body: bytes = b""
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    after: threading.Event | None = None


@contextmanager
def serving(answer: Callable[[str], Answer]) -> Iterator[str]:
    """Serves GET and POST requests during a `with` block, and yields the server URL.

    The path and the query of a request determine the response.
    """

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            sent = answer(self.path)
            if sent.after is not None:
                sent.after.wait(30.0)
            with suppress(ConnectionError):  # the client may have disconnected
                self.send_response(sent.status)
                for name, value in {"Content-Length": str(len(sent.body)), **sent.headers}.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(sent.body)

        def do_POST(self) -> None:
            self.do_GET()

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
