"""Simulated agent that chooses tools with the help of suggestions.

It receives ratings as in the task `tool_choice`.

The simulated model knows how well a tool fits but not how often it fails. Simulated people rate the results. The true
value of any suggestion is known exactly.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from reachy_agent_ros.core.pose import Vector
from reachy_agent_ros.learning.advisor.advice_policy import AdvicePolicy, explored
from reachy_agent_ros.learning.advisor.choice import TOPICS, AdvisedChoice, Situation
from reachy_agent_ros.learning.environments.contextual_tasks import TOOL_CHOICE, TOOLS
from reachy_agent_ros.learning.environments.specification import Split

_CANDIDATES = 2
_DECISIVENESS = 0.1
"""Difference in fit that makes the model choose one tool e times as often as another."""

_BLAMED = 0.5
"""Loss at which people stop giving praise, in units of fit."""

_RANDOM = 0.1
"""Share of ratings that do not refer to the choice of the tool."""


class _Request(NamedTuple):
    situation: Situation
    expected: Vector  # rating of each option


class AdvisedAgent:
    """Simulated agent with its model and its users.

    Args:
        seed: Seed of the requests, the model and the people.
        compliance: Probability that the model follows advice that differs from its own choice.
    """

    def __init__(self, seed: int, compliance: float = 0.7) -> None:
        self._rng = np.random.default_rng(seed)
        self._compliance = compliance

    def logged(self, count: int, policy: AdvicePolicy, exploration: float) -> tuple[list[AdvisedChoice], Vector]:
        """Simulates tool choices under a policy, and the ratings of these choices.

        Args:
            count: Number of choices.
            policy: Policy that makes the suggestions.
            exploration: Share of requests with a uniformly random suggestion, 0..1.
        """
        choices, ratings = [], []
        for _ in range(count):
            request = self._request()
            likely = explored(policy.probabilities(request.situation), exploration)
            option = int(self._rng.choice(len(likely), p=likely))
            choices.append(AdvisedChoice(request.situation, request.situation.options[option], float(likely[option])))
            ratings.append(self._rating(request, option))
        return choices, np.array(ratings)

    def value(self, policies: Sequence[AdvicePolicy], requests: int = 5000) -> list[float]:
        """Returns the true mean rating under each policy. All policies get the same requests."""
        drawn = [self._request() for _ in range(requests)]
        return [
            float(np.mean([policy.probabilities(one.situation) @ one.expected for one in drawn])) for policy in policies
        ]

    def _request(self) -> _Request:
        drawn = {each.name: each.draw(Split.TEST, self._rng) for each in TOOL_CHOICE.parameters}
        context = TOOL_CHOICE.context(drawn, self._rng)
        fits, failures = np.array(context[: len(TOOLS)]), np.array(context[len(TOOLS) :])
        some = np.argsort(-fits)[:_CANDIDATES]
        topics = self._rng.normal(0.0, TOPICS**-0.5, TOPICS)  # uninformative in this simulation, as for many real tools
        situation = Situation(
            tuple(TOOLS[index] for index in some), tuple(fits[some]), tuple(failures[some]), tuple(topics)
        )
        likely = np.exp(fits / _DECISIVENESS)
        alone = float(likely / likely.sum() @ self._deserved(context))
        advised = self._compliance * self._deserved(context)[some] + (1.0 - self._compliance) * alone
        return _Request(situation, (1.0 - _RANDOM) * np.concatenate(([alone], advised)))

    @staticmethod
    def _deserved(context: list[float]) -> Vector:
        """Returns the mean rating of each tool: 1 for the best tool, and less the worse another tool is, down to -1."""
        actions = (2.0 * np.eye(len(TOOLS)) - 1.0).tolist()
        lost = np.array([TOOL_CHOICE.error(context, action) for action in actions])
        return 1.0 - 2.0 * np.minimum(lost / _BLAMED, 1.0)

    def _rating(self, request: _Request, option: int) -> float:
        """Draws praise or blame at random, so that the mean is the expected rating."""
        return float(np.where(self._rng.random() < (1.0 + request.expected[option]) / 2.0, 1.0, -1.0))
