"""Language model server that returns scripted answers over HTTP on the loopback interface.

For tests of tools and agents: replaces only the model, not the client, the SDK or the connection.

    answers = [ScriptedAnswer(calls=(("move_head", {"yaw_deg": 20}),)), ScriptedAnswer("I turned.")]
    with ScriptedEndpoint(answers) as server:
        ...  # any client of an OpenAI-compatible endpoint, at server.url
        assert server.chats[0]["messages"][-1]["content"] == "look at the door"
        server.assert_complete()
"""

from __future__ import annotations

import contextlib
import json
import threading
import time
import uuid
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self

SELF_TEST_TOOL = "report_number"
"""Tool of the agent's self-test of a model, see `agent.model.endpoint_model`."""

PATIENCE = 30.0
"""Maximum time that an answer waits for its event, s, so that a test that never sets it still ends."""

_NO_IMAGES = "image input is not supported - hint: if this is unexpected, you may need to provide the mmproj"

_USAGE = {"prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 110}


@dataclass(frozen=True)
class ScriptedAnswer:
    """Scripted answer to a chat request.

    Attributes:
        text: Text of the answer.
        calls: Tool calls as name and arguments; a string for arguments is sent unchanged.
        finish: Finish reason; empty for the one that fits the answer.
        status: HTTP status; anything but 200 is an error with `text` as its message.
        breaks_off: Whether the connection is closed in the middle of the answer.
        delay: Time before the answer starts, s.
        waits_for: Event that the test sets to start the answer.
        raw: Body to send instead of a completion.
    """

    text: str = ""
    calls: tuple[tuple[str, Any], ...] = ()
    finish: str = ""
    status: int = 200
    breaks_off: bool = False
    delay: float = 0.0
    waits_for: threading.Event | None = None
    raw: str | None = None

    def message(self) -> dict[str, Any]:
        """Returns the message for a response that is not streamed."""
        message: dict[str, Any] = {"role": "assistant", "content": self.text or None}
        if self.calls:
            message["tool_calls"] = [_call(number, name, given) for number, (name, given) in enumerate(self.calls)]
        return message

    def deltas(self, index_always_zero: bool = False) -> Iterator[dict[str, Any]]:
        """Yields the deltas of a streamed response.

        The text is split into words, and the arguments of each call are split into two halves.
        """
        yield {"role": "assistant", "content": ""}
        for word in self.text.split(" ") if self.text else ():
            yield {"content": word + " "}
        for call in self.message().get("tool_calls", []):
            call["index"] *= not index_always_zero
            arguments = call["function"]["arguments"]
            half = len(arguments) // 2
            yield {"tool_calls": [{**call, "function": {**call["function"], "arguments": arguments[:half]}}]}
            yield {"tool_calls": [{"index": call["index"], "function": {"arguments": arguments[half:]}}]}

    @property
    def reason(self) -> str:
        """Finish reason in the OpenAI format: `finish` if it is set, otherwise `tool_calls` or `stop`."""
        return self.finish or ("tool_calls" if self.calls else "stop")

    def as_json(self) -> ScriptedAnswer:
        """Converts the answer to the JSON protocol for models without tool calls.

        Errors, raw answers, empty answers and answers that are already JSON do not change.
        """
        if self.status != 200 or self.raw is not None or not (self.calls or self.text) or self.text.startswith("{"):
            return self
        if not self.calls:
            return replace(self, text=json.dumps({"reply": self.text}))
        calls = [f'{{"tool": {json.dumps(name)}, "args": {_written(arguments)}}}' for name, arguments in self.calls]
        return replace(self, text=calls[0] if len(calls) == 1 else f'{{"calls": [{", ".join(calls)}]}}', calls=())


@dataclass
class ScriptedEndpoint:
    """HTTP server that returns scripted answers in order. It runs during a `with` block.

    Attributes:
        answers: Answers; more may be added at run time. If none are left, the server returns HTTP 500.
        port: Port to listen on; 0 for a free port.
        kind: Kind of server: `ollama`, `llama.cpp` or `openai`.
        supports_tools: Whether the server claims tool support of the model.
        refuses_tools: Whether a request with tools gets Ollama's HTTP 400.
        refuses_images: Whether a request with an image gets llama.cpp's HTTP 500, as from a text-only model.
        passes_self_test: Whether the model calls the tool of a self-test.
        json_protocol: Whether answers are JSON text, as from models without tool calls; such a model fails the
            self-test.
        index_always_zero: Whether all calls of a stream have index 0, as with some versions of Ollama.
        chats: Bodies of the chat requests, without self-tests.
        self_tests: Bodies of the self-test requests.
    """

    answers: list[ScriptedAnswer] = field(default_factory=list)
    port: int = 0
    kind: str = "openai"
    supports_tools: bool = True
    refuses_tools: bool = False
    refuses_images: bool = False
    passes_self_test: bool = True
    json_protocol: bool = False
    index_always_zero: bool = False
    chats: list[dict[str, Any]] = field(default_factory=list)
    self_tests: list[dict[str, Any]] = field(default_factory=list)

    def __enter__(self) -> Self:
        """Starts the server."""
        handler = type("Handler", (_Handler,), {"endpoint": self})
        self._server = ThreadingHTTPServer(("127.0.0.1", self.port), handler)
        self._server.daemon_threads = True
        self.port = self._server.server_port
        threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        """Stops the server."""
        self._server.shutdown()
        self._server.server_close()

    @property
    def url(self) -> str:
        """Base URL for a client."""
        return f"http://127.0.0.1:{self.port}/v1"

    def assert_complete(self) -> None:
        """Asserts that all answers were used.

        Raises:
            AssertionError: Answers are left.
        """
        if self.answers:
            raise AssertionError(f"{len(self.answers)} answers were never requested: {self.answers}")

    def get(self, path: str) -> Mapping[str, Any] | None:
        """Returns the content at a path of this kind of server, or None for an unknown path."""
        pages: dict[tuple[str, str], dict[str, Any]] = {
            ("ollama", "/api/ps"): {"models": []},
            ("llama.cpp", "/props"): {"chat_template_caps": {"supports_tools": self.supports_tools}},
        }
        everywhere = {"/v1/models": {"object": "list", "data": []}}
        return pages.get((self.kind, path)) or everywhere.get(path)

    def show(self, model: str) -> Mapping[str, Any] | None:
        """Returns Ollama's description of a model.

        Returns None for other kinds of servers and for a model with the name "missing".
        """
        if self.kind != "ollama" or model == "missing":
            return None
        capabilities = ["completion", "tools"] if self.supports_tools else ["completion"]
        return {"capabilities": capabilities, "model_info": {}}

    def answer(self, body: dict[str, Any]) -> ScriptedAnswer:
        """Records a chat request and returns its answer."""
        names = [tool["function"]["name"] for tool in body.get("tools", [])]
        is_self_test = names == [SELF_TEST_TOOL]
        (self.self_tests if is_self_test else self.chats).append(body)
        if self.refuses_tools and names:
            return ScriptedAnswer(f"{body['model']} does not support tools", status=400)
        if self.refuses_images and _has_image(body):
            return ScriptedAnswer(_NO_IMAGES, status=500)
        if is_self_test:
            passes = self.passes_self_test and not self.json_protocol
            return ScriptedAnswer(calls=((SELF_TEST_TOOL, {"number": 7}),)) if passes else ScriptedAnswer("Seven.")
        answer = self.answers.pop(0) if self.answers else ScriptedAnswer("the script is at its end", status=500)
        return answer.as_json() if self.json_protocol else answer


class _Handler(BaseHTTPRequestHandler):
    """Handles one connection. A subclass sets `endpoint`."""

    endpoint: ScriptedEndpoint
    protocol_version = "HTTP/1.1"

    def log_message(self, *_: Any) -> None:
        """Suppresses the log messages of the server."""

    def do_GET(self) -> None:
        """Responds to the paths with which a client identifies the kind of server."""
        self._page(self.endpoint.get(self.path))

    def do_POST(self) -> None:
        """Responds to a chat request, or with Ollama's description of a model."""
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        if self.path == "/api/show":
            self._page(self.endpoint.show(body["model"]))
            return
        answer = self.endpoint.answer(body)
        if answer.waits_for is not None:
            answer.waits_for.wait(PATIENCE)
        time.sleep(answer.delay)
        with contextlib.suppress(ConnectionError):  # a canceled turn closes the connection
            self._answer(answer, bool(body.get("stream")))

    def _answer(self, answer: ScriptedAnswer, streams: bool) -> None:
        if answer.status != 200:
            self._send(answer.status, json.dumps({"error": {"message": answer.text}}))
        elif answer.raw is not None:
            self._send(200, answer.raw)
        elif streams:
            self._stream(answer)
        else:
            self._complete(answer)

    def _complete(self, answer: ScriptedAnswer) -> None:
        choice = {"index": 0, "message": answer.message(), "finish_reason": answer.reason}
        text = _completion("chat.completion", choices=[choice], usage=_USAGE)
        self._send(200, text[: len(text) // 2] if answer.breaks_off else text, length=len(text))

    def _stream(self, answer: ScriptedAnswer) -> None:
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


def _has_image(body: dict[str, Any]) -> bool:
    contents = [message.get("content") for message in body["messages"]]
    return any(part.get("type") == "image_url" for content in contents if isinstance(content, list) for part in content)


def _completion(kind: str, **fields: Any) -> str:
    return json.dumps({"id": "scripted", "object": kind, "created": 0, "model": "scripted", **fields})


def _written(arguments: Any) -> str:
    return arguments if isinstance(arguments, str) else json.dumps(arguments)


def _call(index: int, name: str, arguments: Any) -> dict[str, Any]:
    function = {"name": name, "arguments": _written(arguments)}
    return {"index": index, "id": f"call_{uuid.uuid4().hex[:12]}", "type": "function", "function": function}
