"""Fake model server that streams an answer piece by piece at a fixed rate, and records when one piece is sent."""

from __future__ import annotations

import json
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


class PacedModel:
    """HTTP server that returns the same answer to every request, streamed if requested. Runs during a `with` block.

    Args:
        pieces: Pieces of the answer, in order.
        marked: Index of the piece whose sending is recorded.
        pace: Time between two pieces, s.
        native: Whether it passes the self-test of native tool calls.
    """

    def __init__(self, pieces: list[str], marked: int, pace: float, native: bool) -> None:
        self.sent: list[float] = []
        model = self

        class Handler(BaseHTTPRequestHandler):
            def log_message(self, *_: Any) -> None:
                """Suppresses the log output of the server."""

            def do_GET(self) -> None:
                self._send(
                    {"object": "list", "data": [{"id": "paced", "object": "model"}]}
                    if self.path == "/v1/models"
                    else None
                )

            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                if not body.get("stream"):
                    self._send(_whole("".join(pieces), native and "tools" in body))
                    return
                self.send_response(200)
                self.send_header("Content-Type", "text/event-stream")
                self.end_headers()
                for number, piece in enumerate(pieces):
                    if number == marked:
                        model.sent.append(time.monotonic())
                    self._event({"index": 0, "delta": {"content": piece}, "finish_reason": None})
                    time.sleep(pace)
                self._event({"index": 0, "delta": {}, "finish_reason": "stop"})
                self.wfile.write(b"data: [DONE]\n\n")

            def _event(self, choice: dict[str, Any]) -> None:
                self.wfile.write(f"data: {json.dumps(_completion('chat.completion.chunk', choice))}\n\n".encode())
                self.wfile.flush()

            def _send(self, page: dict[str, Any] | None) -> None:
                self.send_response(200 if page else 404)
                self.end_headers()
                self.wfile.write(json.dumps(page or {}).encode())

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_port}/v1"

    def __enter__(self) -> PacedModel:
        """Starts the server."""
        threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        """Stops the server."""
        self._server.shutdown()
        self._server.server_close()


def _whole(text: str, calls: bool) -> dict[str, Any]:
    """Returns the complete answer without streaming: the tool call that the self-test expects, or a text."""
    function = {"name": "report_number", "arguments": '{"number": 7}'}
    called = [{"id": "a", "type": "function", "function": function}] if calls else None
    message = {"role": "assistant", "content": None if calls else text, "tool_calls": called}
    return _completion("chat.completion", {"index": 0, "message": message, "finish_reason": "stop"})


def _completion(kind: str, choice: dict[str, Any]) -> dict[str, Any]:
    return {"id": "paced", "object": kind, "created": 0, "model": "paced", "choices": [choice]}
