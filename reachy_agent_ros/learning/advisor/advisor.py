"""Tool advisor, which suggests a tool for a request at random with a known probability."""

from __future__ import annotations

import threading
from collections import defaultdict
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from reachy_agent_ros.core.embedding import SentenceEmbedder, Vectors
from reachy_agent_ros.learning.action_record import TOOL_CHOICE
from reachy_agent_ros.learning.advisor.advice_policy import SILENT, AdvicePolicy, explored
from reachy_agent_ros.learning.advisor.choice import AdvisedChoice, Situation, topics
from reachy_agent_ros.learning.correction.policy_store import PolicyStore
from reachy_agent_ros.tools.protocol.tools import ToolDescription

EXPLORATION = 0.05
"""Share of requests for which a uniformly random option is drawn, among requests with several suitable tools."""

MOST = 2
"""Maximum number of tools to choose from: with more, each tool would be tried too rarely."""

_FEWEST = 2
"""Minimum number of suitable tools for a suggestion."""

LEAST_FIT = 0.15
"""Minimum similarity of a tool's description to the request: most small talk is not similar to any tool."""

_FORGETTING = 0.2
"""Weight of the latest call in the moving average of a tool's failures."""


class Advice(NamedTuple):
    """Suggestion that was drawn at random for one request.

    Attributes:
        choice: The choice with its probability; None if too few tools are suitable, or if the policy never makes a
            suggestion and there is no exploration.
        version: Version of the policy, empty if there is none.
    """

    choice: AdvisedChoice | None
    version: str


class ToolAdvisor:
    """Advisor that suggests tools. Thread-safe.

    A rollback or a pin in the policy store takes effect at the next request.

    Args:
        policies: Store with the versions of the policy.
        embedder: Function that returns the sentence embedder.
        exploration: Share of requests with a uniformly random option, 0..1.
        seed: Random seed; None for a random one.

    Raises:
        AgentError: `STORAGE_FAILED`, `POLICY_REJECTED` or `MODEL_UNAVAILABLE`, from `advise`.
    """

    def __init__(
        self,
        policies: PolicyStore,
        embedder: Callable[[], SentenceEmbedder],
        exploration: float = EXPLORATION,
        seed: int | None = None,
    ) -> None:
        self._policies = policies
        self._embedder = embedder
        self._exploration = exploration
        self._rng = np.random.default_rng(seed)
        self._lock = threading.Lock()
        self._known: dict[str, Vectors] = {}
        self._failures: defaultdict[str, float] = defaultdict(float)
        self._stamp: object = None
        self._policy, self._version = SILENT, ""

    def advise(self, text: str, tools: Sequence[ToolDescription]) -> Advice:
        """Draws a random suggestion for a request, according to the policy.

        Args:
            text: The request.
            tools: Candidate tools.
        """
        with self._lock:
            self._look()
            if not self._exploration and self._policy.shared is None:
                return Advice(None, self._version)
            situation = self._situation(text, tools)
            if len(situation.tools) < _FEWEST:
                return Advice(None, self._version)
            likely = explored(self._policy.probabilities(situation), self._exploration)
            option = int(self._rng.choice(len(likely), p=likely))
            return Advice(AdvisedChoice(situation, situation.options[option], float(likely[option])), self._version)

    def note_call(self, tool: str, worked: bool) -> None:
        """Records whether a call to a tool succeeded."""
        with self._lock:
            self._failures[tool] += _FORGETTING * ((not worked) - self._failures[tool])

    def _situation(self, text: str, tools: Sequence[ToolDescription]) -> Situation:
        said = self._embedder().embed([text])[0]
        fits = {tool.name: float(self._vector(tool) @ said) for tool in tools}
        some = sorted((name for name in fits if fits[name] >= LEAST_FIT), key=lambda name: -fits[name])[:MOST]
        return Situation(
            tuple(some),
            tuple(round(fits[name], 3) for name in some),
            tuple(round(self._failures[name], 3) for name in some),
            topics(said),
        )

    def _vector(self, tool: ToolDescription) -> Vectors:
        about = f"{tool.name.replace('_', ' ')}: {tool.description}"
        if about not in self._known:
            self._known[about] = self._embedder().embed([about])[0]
        return self._known[about]

    def _look(self) -> None:
        stamp = self._policies.stamp(TOOL_CHOICE)
        if stamp == self._stamp:
            return
        active = self._policies.standing(TOOL_CHOICE).active
        policy = (
            AdvicePolicy.from_arrays(self._policies.weights(self._policies.inspect(TOOL_CHOICE))) if active else SILENT
        )
        self._policy, self._version, self._stamp = policy, str(active) if active else "", stamp
