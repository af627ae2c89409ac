"""Graph behind the console, as tests set it up and query it."""

from __future__ import annotations

from typing import Any

import httpx

from reachy_agent_ros.testing.scripted_endpoint import ScriptedAnswer, ScriptedEndpoint
from support.waiting import wait_until

LIMIT = 30.0
"""Seconds within which anything here happens, even on a busy machine."""

HANDOFF = ScriptedAnswer(calls=(("transfer_to_robot", {}),))


class ConsoleGraph:
    """A running graph, for a `with` block.

    Args:
        url: Of its gateway.
        model: What its agent asks.

    Attributes:
        url: The same.
    """

    def __init__(self, url: str, model: ScriptedEndpoint) -> None:
        self.url = url
        self._model = model
        self._http = httpx.Client(base_url=f"{url}/api/v1", timeout=LIMIT)

    def __enter__(self) -> ConsoleGraph:
        return self

    def __exit__(self, *_: object) -> None:
        self._http.close()

    def script(self, *answers: ScriptedAnswer) -> None:
        """Sets the next answer of the model."""
        self._model.answers[:] = answers

    def get(self, path: str) -> Any:
        """A document of the gateway's."""
        return self._http.get(path).raise_for_status().json()

    def post(self, path: str) -> None:
        """Has it done, as another program would."""
        self._http.post(path).raise_for_status()

    def pid(self, node: str) -> int:
        """Of its process."""
        return next(int(each["pid"]) for each in self.get("/health")["nodes"] if each["name"] == node)

    def moved_within(self, duration: float) -> float:
        """How far any part of the head's pose, rad or m, is from where it was so many measured seconds ago."""
        first = self.get("/state")
        wait_until(lambda: self.get("/state")["stamp"] > first["stamp"] + duration, LIMIT, "new measurements")
        last = self.get("/state")
        return max(abs(one - other) for one, other in zip(first["head_pose"], last["head_pose"], strict=True))
