"""A simulated agent that chooses tools with advice and gets ratings: the world of the environment `tool_choice`.

Its model knows how well a tool fits but not how often it fails; people rate the results. The true value of any advice
is known exactly.
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
"""Difference of fit that makes the model take one tool e times as often as another."""

_BLAMED = 0.5
"""Loss, in units of fit, at which people stop praising."""

_RANDOM = 0.1
"""Share of ratings that are about something else."""


class _Request(NamedTuple):
    situation: Situation
    expected: Vector  # rating of each option


class AdvisedAgent:
    """One world.

    Args:
        seed: Seed of the requests, the model and the people.
        compliance: Probability that the model follows advice that differs from its own choice.
    """

    def __init__(self, seed: int, compliance: float = 0.7) -> None:
        self._rng = np.random.default_rng(seed)
        self._compliance = compliance

    def logged(self, count: int, policy: AdvicePolicy, exploration: float) -> tuple[list[AdvisedChoice], Vector]:
        """So many judged choices, with their ratings, under a policy.

        Args:
            count: How many.
            policy: What advises.
            exploration: Share of requests in which any advice is drawn alike.
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
        """The true mean rating under each of some policies, over the same requests."""
        drawn = [self._request() for _ in range(requests)]
        return [
            float(np.mean([policy.probabilities(one.situation) @ one.expected for one in drawn])) for policy in policies
        ]

    def _request(self) -> _Request:
        drawn = {each.name: each.draw(Split.TEST, self._rng) for each in TOOL_CHOICE.parameters}
        context = TOOL_CHOICE.context(drawn, self._rng)
        fits, failures = np.array(context[: len(TOOLS)]), np.array(context[len(TOOLS) :])
        some = np.argsort(-fits)[:_CANDIDATES]
        topics = self._rng.normal(0.0, TOPICS**-0.5, TOPICS)  # says nothing here, as it may of many tools
        situation = Situation(
            tuple(TOOLS[index] for index in some), tuple(fits[some]), tuple(failures[some]), tuple(topics)
        )
        likely = np.exp(fits / _DECISIVENESS)
        alone = float(likely / likely.sum() @ self._deserved(context))
        advised = self._compliance * self._deserved(context)[some] + (1.0 - self._compliance) * alone
        return _Request(situation, (1.0 - _RANDOM) * np.concatenate(([alone], advised)))

    @staticmethod
    def _deserved(context: list[float]) -> Vector:
        """Mean rating of each tool: 1 for the best one, less for what is lost by another."""
        actions = (2.0 * np.eye(len(TOOLS)) - 1.0).tolist()
        lost = np.array([TOOL_CHOICE.error(context, action) for action in actions])
        return 1.0 - 2.0 * np.minimum(lost / _BLAMED, 1.0)

    def _rating(self, request: _Request, option: int) -> float:
        """Praise or blame, with the mean that is expected."""
        return float(np.where(self._rng.random() < (1.0 + request.expected[option]) / 2.0, 1.0, -1.0))
