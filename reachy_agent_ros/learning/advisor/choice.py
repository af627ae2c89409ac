"""Logged choices of the advisor: what was known of a request, what was advised, and how likely that was.

What a request is about is known in a few numbers: too few to read the words from, enough to tell kinds of requests
apart. They are the first principal components of many commands' sentence vectors. `training.advisor.topic_axes` found
them once, because what was logged under one set of axes means nothing under another.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np

from reachy_agent_ros.core.embedding import Vectors
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.core.pose import Matrix, Vector
from reachy_agent_ros.core.weights import check_sum
from reachy_agent_ros.learning.action_record import ActionRecord

SKILL = "tool_choice"
"""Of the acts, and under which the versions lie among the policies."""

TOPICS = 16
"""With so many, 62 % of held-out commands are told apart into 19 kinds; with all 384 numbers 76 %, with random axes
41 %."""

FILE = Path(__file__).with_name("topics.npz")
"""Axes of the topics, and their center."""

SHA256 = "622c7cced8b0c4b8e04129107a3fdeff4909a0b00217c490cf58185c30671477"
"""Of it: other axes would make what was logged mean something else, and nobody would notice."""

_TOPIC, _FIT, _FAILURES = "topic.", "fit.", "failures."


@dataclass(frozen=True)
class Situation:
    """One request.

    Attributes:
        tools: Names of those that may be advised, each once, in order.
        fits: How like the request each one's description is, -1..1.
        failures: Share of each one's latest calls that failed, 0..1.
        topics: What the request is about, as `topics` tells.
    """

    tools: tuple[str, ...]
    fits: tuple[float, ...]
    failures: tuple[float, ...]
    topics: tuple[float, ...]

    def __post_init__(self) -> None:
        """Refuses what nothing can be learned from.

        Raises:
            AgentError: `INVALID_ARGUMENTS`: another shape; `NOT_FINITE`.
        """
        shapes = len(self.fits), len(self.failures), len(self.topics), len(set(self.tools))
        if shapes != (len(self.tools), len(self.tools), TOPICS, len(self.tools)):
            message = "A request needs one fit and one share of failures for each of its tools, and its topics."
            raise AgentError(ErrorCode.INVALID_ARGUMENTS, message)
        if not np.isfinite((*self.fits, *self.failures, *self.topics)).all():
            raise AgentError(ErrorCode.NOT_FINITE, "A request has a number that is not finite.")

    @property
    def options(self) -> Sequence[str]:
        """What may be advised: nothing, which is the empty name, or one of the tools."""
        return "", *self.tools

    @property
    def context(self) -> dict[str, float]:
        """The numbers by name, for an act."""
        return {
            **{f"{_TOPIC}{index}": value for index, value in enumerate(self.topics)},
            **{f"{_FIT}{tool}": value for tool, value in zip(self.tools, self.fits, strict=True)},
            **{f"{_FAILURES}{tool}": value for tool, value in zip(self.tools, self.failures, strict=True)},
        }

    @classmethod
    def of_context(cls, context: Mapping[str, float]) -> Situation:
        """The request of an act.

        Raises:
            AgentError: As the constructor.
        """
        tools = tuple(name.removeprefix(_FIT) for name in context if name.startswith(_FIT))
        return cls(
            tools,
            tuple(context[f"{_FIT}{tool}"] for tool in tools),
            tuple(context.get(f"{_FAILURES}{tool}", np.nan) for tool in tools),
            tuple(context.get(f"{_TOPIC}{index}", np.nan) for index in range(TOPICS)),
        )


@dataclass(frozen=True)
class AdvisedChoice:
    """One advice.

    The model that hears it decides, and nobody knows its probabilities. Those of the advice are known exactly, because
    the advisor draws it: it is the advice that is learned, and the model is a part of the world.

    Attributes:
        situation: What was known.
        advised: The tool; empty for no advice.
        probability: With which it was drawn.
    """

    situation: Situation
    advised: str
    probability: float

    def __post_init__(self) -> None:
        """Refuses what nothing can be learned from.

        Raises:
            AgentError: `INVALID_ARGUMENTS`: an invalid probability, or a tool that is not among the options.
        """
        if not 0.0 < self.probability <= 1.0:
            message = "The probability of an advice is above 0 and at most 1."
            raise AgentError(ErrorCode.INVALID_ARGUMENTS, message)
        if self.advised not in self.situation.options:
            message = f"The tool {self.advised!r:.60} was advised, but is not among the options."
            raise AgentError(ErrorCode.INVALID_ARGUMENTS, message)

    @property
    def index(self) -> int:
        """Place of the advice among the options."""
        return self.situation.options.index(self.advised)

    @property
    def action(self) -> dict[str, float]:
        """For an act: 1 for the tool that was advised, 0 for the others that may fit."""
        return {tool: float(tool == self.advised) for tool in self.situation.tools}

    @classmethod
    def of_act(cls, act: ActionRecord) -> AdvisedChoice:
        """The choice of an act.

        Raises:
            AgentError: As the constructors; `INVALID_ARGUMENTS` for another skill, or more than one advice.
        """
        advised = [tool for tool, value in act.action.items() if value]
        if act.skill != SKILL or len(advised) > 1 or any(value not in (0.0, 1.0) for value in act.action.values()):
            raise AgentError(ErrorCode.INVALID_ARGUMENTS, "This act does not advise one tool or none.")
        return cls(Situation.of_context(act.context), "".join(advised), act.probability)


def topics(vector: Vectors) -> tuple[float, ...]:
    """A sentence's place on the axes.

    Args:
        vector: Unit vector of the sentence, shape [384].

    Returns:
        16 numbers whose sum of squares is 1 for the usual command.

    Raises:
        AgentError: `MODEL_UNAVAILABLE`: the axes are missing or others than the pinned ones.
    """
    centre, axes = _axes()
    return tuple(np.round((vector - centre) @ axes, 3).tolist())


@cache
def _axes() -> tuple[Vector, Matrix]:
    check_sum(FILE, SHA256)
    with np.load(FILE, allow_pickle=False) as arrays:
        return arrays["centre"], arrays["axes"]
