"""A language model server that says what the test wrote, over HTTP on loopback, and records what it was asked."""

from __future__ import annotations

import contextlib
import json
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

SELF_TEST_TOOL = "report_number"


@dataclass(frozen=True)
class Answer:
    """One answer to a chat request.

    Attributes:
        text: What the model says.
        calls: Tool calls, as name and arguments; a string for arguments is sent as it is.
        finish: The finish reason; by default the one that fits.
        status: HTTP status; anything but 200 is an error with `text` as its message.
        breaks_off: Whether the connection is closed in the middle.
        waits_for: Set by the test to let the answer begin.
        raw: Sent as the body, instead of a completion.
    """

    text: str = ""
    calls: tuple[tuple[str, Any], ...] = ()
    finish: str = ""
    status: int = 200
    breaks_off: bool = False
    waits_for: threading.Event | None = None
    raw: str | None = None

    @property
    def message(self) -> dict[str, Any]:
        message: dict[str, Any] = {"role": "assistant", "content": self.text or None}
        if self.calls:
            message["tool_calls"] = [
                {"index": number, "id": f"id{id(self)}{number}", "type": "function", "function": _function(*call)}
                for number, call in enumerate(self.calls)
            ]
        return message

    @property
    def reason(self) -> str:
        return self.finish or ("tool_calls" if self.calls else "stop")


@dataclass
class ScriptedEndpoint:
    """Serves answers in order, for a `with` block.

    Attributes:
        answers: What it says; when they are used up it answers with HTTP 500.
        port: Where it listens; 0 for a free port.
        kind: Which server it is: `ollama`, `llama.cpp` or `openai`.
        supports_tools: What it claims about the model.
        refuses_tools: Whether a request with tools gets Ollama's HTTP 400.
        passes_self_test: Whether the model calls the tool of a self-test.
        chats: Bodies of the chat requests, those of self-tests apart.
        self_tests: Bodies of those.
    """

    answers: list[Answer] = field(default_factory=list)
    port: int = 0
    kind: str = "openai"
    supports_tools: bool = True
    refuses_tools: bool = False
    passes_self_test: bool = True
    chats: list[dict[str, Any]] = field(default_factory=list)
    self_tests: list[dict[str, Any]] = field(default_factory=list)

    def __enter__(self) -> ScriptedEndpoint:
        self._server = ThreadingHTTPServer(("127.0.0.1", self.port), _handler(self))
        self._server.daemon_threads = True
        self.port = self._server.server_port
        threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/v1"

    def get(self, path: str) -> dict[str, Any] | None:
        pages: dict[tuple[str, str], dict[str, Any]] = {
            ("ollama", "/api/version"): {"version": "0.12.0"},
            ("llama.cpp", "/props"): {"chat_template_caps": {"supports_tools": self.supports_tools}},
        }
        everywhere = {"/v1/models": {"object": "list", "data": []}}
        return pages.get((self.kind, path)) or everywhere.get(path)

    def show(self, model: str) -> dict[str, Any] | None:
        if self.kind != "ollama" or model == "missing":
            return None
        return {"capabilities": ["completion", "tools"] if self.supports_tools else ["completion"]}

    def answer(self, body: dict[str, Any]) -> Answer:
        names = [tool["function"]["name"] for tool in body.get("tools", [])]
        is_self_test = names == [SELF_TEST_TOOL]
        (self.self_tests if is_self_test else self.chats).append(body)
        if self.refuses_tools and names:
            return Answer(f"{body['model']} does not support tools", status=400)
        if is_self_test:
            return Answer(calls=((SELF_TEST_TOOL, {"number": 7}),)) if self.passes_self_test else Answer("Seven.")
        return self.answers.pop(0) if self.answers else Answer("the script is at its end", status=500)


def _function(name: str, arguments: Any) -> dict[str, Any]:
    return {"name": name, "arguments": arguments if isinstance(arguments, str) else json.dumps(arguments)}


def _handler(endpoint: ScriptedEndpoint) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, *_: Any) -> None:
            """Stays quiet."""

        def do_GET(self) -> None:
            page = endpoint.get(self.path)
            self._send(200 if page else 404, json.dumps(page or {"error": "not found"}))

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            if self.path == "/api/show":
                shown = endpoint.show(body["model"])
                self._send(200 if shown else 404, json.dumps(shown or {"error": "model not found"}))
                return
            answer = endpoint.answer(body)
            if answer.waits_for is not None:
                answer.waits_for.wait(30.0)
            if answer.status != 200:
                self._send(answer.status, json.dumps({"error": {"message": answer.text}}))
            elif answer.raw is not None:
                self._send(200, answer.raw)
            elif body.get("stream"):
                with contextlib.suppress(ConnectionError):  # a cancelled turn hangs up
                    self._stream(answer)
            else:
                self._complete(answer)

        def _complete(self, answer: Answer) -> None:
            choice = {"index": 0, "message": answer.message, "finish_reason": answer.reason}
            text = json.dumps(_completion("chat.completion", choices=[choice], usage=_USAGE))
            self._send(200, text[: len(text) // 2] if answer.breaks_off else text, length=len(text))

        def _stream(self, answer: Answer) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/event-stream")
            self.send_header("Connection", "close")
            self.end_headers()
            self.close_connection = True
            deltas = list(_deltas(answer))
            for delta in deltas[: len(deltas) // 2] if answer.breaks_off else deltas:
                choice = {"index": 0, "delta": delta, "finish_reason": None}
                self._event(_completion("chat.completion.chunk", choices=[choice]))
            if answer.breaks_off:
                return
            end = {"index": 0, "delta": {}, "finish_reason": answer.reason}
            self._event(_completion("chat.completion.chunk", choices=[end]))
            self._event(_completion("chat.completion.chunk", choices=[], usage=_USAGE))
            self.wfile.write(b"data: [DONE]\n\n")

        def _event(self, chunk: dict[str, Any]) -> None:
            self.wfile.write(f"data: {json.dumps(chunk)}\n\n".encode())
            self.wfile.flush()

        def _send(self, status: int, text: str, length: int | None = None) -> None:
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(length or len(text.encode())))
            self.end_headers()
            self.wfile.write(text.encode())
            if length is not None and length > len(text):
                self.close_connection = True

    return Handler


_USAGE = {"prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 110}


def _completion(kind: str, **fields: Any) -> dict[str, Any]:
    return {"id": "scripted", "object": kind, "created": 0, "model": "scripted", **fields}


def _deltas(answer: Answer) -> Iterator[dict[str, Any]]:
    yield {"role": "assistant", "content": ""}
    for word in answer.text.split(" ") if answer.text else ():
        yield {"content": word + " "}
    for call in answer.message.get("tool_calls", []):
        arguments = call["function"]["arguments"]
        half = len(arguments) // 2
        yield {"tool_calls": [{**call, "function": {**call["function"], "arguments": arguments[:half]}}]}
        yield {"tool_calls": [{"index": call["index"], "function": {"arguments": arguments[half:]}}]}
