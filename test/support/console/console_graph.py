"""Running graph for tests of the web console, accessed through its gateway."""

from __future__ import annotations

from typing import Any

from reachy_agent_ros.testing.scripted_endpoint import ScriptedAnswer, ScriptedEndpoint
from support.nodes.gateway_client import http_client
from support.waiting import wait_until

HANDOFF = ScriptedAnswer(calls=(("transfer_to_robot", {}),))


class ConsoleGraph:
    """HTTP client of a running graph, used as a context manager.

    Args:
        url: URL of the gateway.
        model: Scripted model of the agent.

    Attributes:
        url: URL of the gateway.
    """

    def __init__(self, url: str, model: ScriptedEndpoint) -> None:
        self.url = url
        self._model = model
        self._http = http_client(f"{url}/api/v1")

    def __enter__(self) -> ConsoleGraph:
        return self

    def __exit__(self, *_: object) -> None:
        self._http.close()

    def script(self, *answers: ScriptedAnswer) -> None:
        """Sets the next responses of the model."""
        self._model.answers[:] = answers

    def get(self, path: str) -> Any:
        """Returns the JSON response of the gateway to a GET request."""
        return self._http.get(path).raise_for_status().json()

    def post(self, path: str, body: dict[str, Any] | None = None) -> None:
        """Sends a POST request to the gateway, as another program would."""
        self._http.post(path, json=body).raise_for_status()

    def delete(self, path: str) -> None:
        """Sends a DELETE request to the gateway, as another program would."""
        self._http.delete(path).raise_for_status()

    def chat(self, sentence: str) -> None:
        """Sends a message to the robot, as another client would, and waits for the end of the turn."""
        self._http.post("/chat", json={"message": sentence}).raise_for_status()

    def pid(self, node: str) -> int:
        """Returns the process id of a node."""
        return next(int(each["pid"]) for each in self.get("/health")["nodes"] if each["name"] == node)

    def moved_within(self, duration: float) -> float:
        """Returns the largest change of any head pose coordinate (rad or m) within a measured duration (s)."""
        first = self.get("/state")
        wait_until(lambda: self.get("/state")["stamp"] > first["stamp"] + duration, "new measurements")
        last = self.get("/state")
        return max(abs(one - other) for one, other in zip(first["head_pose"], last["head_pose"], strict=True))
