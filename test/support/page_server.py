"""HTTP server that serves fixed pages."""

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


class Pages:
    """HTTP server of fixed pages, used as a context manager.

    A page that is a list of lines is sent line by line.

    Attributes:
        pages: JSON content by path.
        url: Base URL of an OpenAI-compatible interface on this server.
    """

    def __init__(self) -> None:
        self.pages: dict[str, Any] = {}

        class Handler(BaseHTTPRequestHandler):
            pages = self.pages

            def log_message(self, *_: Any) -> None:
                pass

            def do_GET(self) -> None:
                page = self.pages.get(self.path)
                lines = page if isinstance(page, list) else [json.dumps(page)]
                self.send_response(404 if page is None else 200)
                self.end_headers()
                self.wfile.write("\n".join(lines).encode())

            def do_POST(self) -> None:
                self.rfile.read(int(self.headers["Content-Length"]))
                self.do_GET()

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, args=(0.02,), daemon=True).start()
        self.url = f"http://127.0.0.1:{self.server.server_port}/v1"

    def __enter__(self) -> "Pages":
        return self

    def __exit__(self, *_: object) -> None:
        self.server.shutdown()
        self.server.server_close()
