"""A language model server that says what was written for it, over real HTTP on loopback.

For tests of one's own tools and agents: nothing of the client, the SDK or the wire is replaced, only the model.

    with ScriptedEndpoint([Answer(calls=(("move_head", {"yaw_deg": 20}),)), Answer("I turned.")]) as server:
        ...  # whatever talks to an OpenAI-compatible endpoint, at server.url
        assert server.chats[0]["messages"][-1]["content"] == "look at the door"
        server.assert_complete()
"""

from __future__ import annotations

import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from http.server import ThreadingHTTPServer
from typing import Any, Self

from reachy_agent_ros.testing.endpoint_handler import EndpointHandler
from reachy_agent_ros.testing.scripted_answer import Answer as Answer  # the two are used together

SELF_TEST_TOOL = "report_number"
"""Tool of the mind's self-test of a model: see `agent.model.probe`."""


@dataclass
class ScriptedEndpoint:
    """Serves answers in order, for a `with` block.

    Attributes:
        answers: What it says; more may be added while it runs. When they are used up it answers with HTTP 500.
        port: Where it listens; 0 for a free port.
        kind: Which server it is: `ollama`, `llama.cpp` or `openai`.
        supports_tools: What it claims about the model.
        refuses_tools: Whether a request with tools gets Ollama's HTTP 400.
        passes_self_test: Whether the model calls the tool of a self-test.
        json_protocol: Whether answers are written as JSON text, as models do that cannot call tools; such a model
            does not pass the self-test.
        index_always_zero: Whether all calls of a stream come as number 0, as some versions of Ollama have it.
        chats: Bodies of the chat requests, those of self-tests apart.
        self_tests: Bodies of those.
    """

    answers: list[Answer] = field(default_factory=list)
    port: int = 0
    kind: str = "openai"
    supports_tools: bool = True
    refuses_tools: bool = False
    passes_self_test: bool = True
    json_protocol: bool = False
    index_always_zero: bool = False
    chats: list[dict[str, Any]] = field(default_factory=list)
    self_tests: list[dict[str, Any]] = field(default_factory=list)

    def __enter__(self) -> Self:
        """Begins to listen."""
        handler = type("Handler", (EndpointHandler,), {"endpoint": self})
        self._server = ThreadingHTTPServer(("127.0.0.1", self.port), handler)
        self._server.daemon_threads = True
        self.port = self._server.server_port
        threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        """Stops listening."""
        self._server.shutdown()
        self._server.server_close()

    @property
    def url(self) -> str:
        """Base URL for a client."""
        return f"http://127.0.0.1:{self.port}/v1"

    def assert_complete(self) -> None:
        """Fails when not all that was written has been said.

        Raises:
            AssertionError: With the answers that are left.
        """
        if self.answers:
            raise AssertionError(f"{len(self.answers)} answers were never asked for: {self.answers}")

    def get(self, path: str) -> Mapping[str, Any] | None:
        """What a server of this kind has at a path, None if nothing."""
        pages: dict[tuple[str, str], dict[str, Any]] = {
            ("ollama", "/api/ps"): {"models": []},
            ("llama.cpp", "/props"): {"chat_template_caps": {"supports_tools": self.supports_tools}},
        }
        everywhere = {"/v1/models": {"object": "list", "data": []}}
        return pages.get((self.kind, path)) or everywhere.get(path)

    def show(self, model: str) -> Mapping[str, Any] | None:
        """What Ollama tells of a model, None where this is no Ollama or has no such model."""
        if self.kind != "ollama" or model == "missing":
            return None
        capabilities = ["completion", "tools"] if self.supports_tools else ["completion"]
        return {"capabilities": capabilities, "model_info": {}}

    def answer(self, body: dict[str, Any]) -> Answer:
        """Records a chat request and takes its answer from the script."""
        names = [tool["function"]["name"] for tool in body.get("tools", [])]
        is_self_test = names == [SELF_TEST_TOOL]
        (self.self_tests if is_self_test else self.chats).append(body)
        if self.refuses_tools and names:
            return Answer(f"{body['model']} does not support tools", status=400)
        if is_self_test:
            passes = self.passes_self_test and not self.json_protocol
            return Answer(calls=((SELF_TEST_TOOL, {"number": 7}),)) if passes else Answer("Seven.")
        answer = self.answers.pop(0) if self.answers else Answer("the script is at its end", status=500)
        return answer.as_json() if self.json_protocol else answer
