"""The HTTP side of a scripted model server."""

from __future__ import annotations

import contextlib
import json
import time
from http.server import BaseHTTPRequestHandler
from typing import TYPE_CHECKING, Any

from reachy_agent_ros.testing.scripted_answer import Answer

if TYPE_CHECKING:
    from reachy_agent_ros.testing.scripted_endpoint import ScriptedEndpoint

PATIENCE = 30.0
"""s that an answer waits for its event at most, so that a test that forgets it still ends."""

_USAGE = {"prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 110}


class EndpointHandler(BaseHTTPRequestHandler):
    """Serves one connection; a subclass says of which `endpoint`."""

    endpoint: ScriptedEndpoint
    protocol_version = "HTTP/1.1"

    def log_message(self, *_: Any) -> None:
        """Stays quiet."""

    def do_GET(self) -> None:
        """Serves what tells which server this is."""
        self._page(self.endpoint.get(self.path))

    def do_POST(self) -> None:
        """Serves a chat request, or Ollama's question about a model."""
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        if self.path == "/api/show":
            self._page(self.endpoint.show(body["model"]))
            return
        answer = self.endpoint.answer(body)
        if answer.waits_for is not None:
            answer.waits_for.wait(PATIENCE)
        time.sleep(answer.delay)
        with contextlib.suppress(ConnectionError):  # a cancelled turn hangs up
            self._answer(answer, bool(body.get("stream")))

    def _answer(self, answer: Answer, streams: bool) -> None:
        if answer.status != 200:
            self._send(answer.status, json.dumps({"error": {"message": answer.text}}))
        elif answer.raw is not None:
            self._send(200, answer.raw)
        elif streams:
            self._stream(answer)
        else:
            self._complete(answer)

    def _complete(self, answer: Answer) -> None:
        choice = {"index": 0, "message": answer.message(), "finish_reason": answer.reason}
        text = _completion("chat.completion", choices=[choice], usage=_USAGE)
        self._send(200, text[: len(text) // 2] if answer.breaks_off else text, length=len(text))

    def _stream(self, answer: Answer) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Connection", "close")
        self.end_headers()
        deltas = list(answer.deltas(self.endpoint.index_always_zero))
        for delta in deltas[: len(deltas) // 2] if answer.breaks_off else deltas:
            self._chunk(choices=[{"index": 0, "delta": delta, "finish_reason": None}])
        if not answer.breaks_off:
            self._chunk(choices=[{"index": 0, "delta": {}, "finish_reason": answer.reason}])
            self._chunk(choices=[], usage=_USAGE)
            self._event("[DONE]")
        self.close_connection = True

    def _chunk(self, **fields: Any) -> None:
        self._event(_completion("chat.completion.chunk", **fields))

    def _event(self, data: str) -> None:
        self.wfile.write(f"data: {data}\n\n".encode())
        self.wfile.flush()

    def _page(self, page: Any) -> None:
        self._send(200 if page else 404, json.dumps(page or {"error": "not found"}))

    def _send(self, status: int, text: str, length: int | None = None) -> None:
        content = text.encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(length or len(content)))
        self.end_headers()
        self.wfile.write(content)
        if length is not None and length > len(content):
            self.close_connection = True


def _completion(kind: str, **fields: Any) -> str:
    return json.dumps({"id": "scripted", "object": kind, "created": 0, "model": "scripted", **fields})
