"""Logged choices of the advisor: what was known of a request, what was advised, and how likely that was."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.learning.action_record import ActionRecord
from reachy_agent_ros.learning.advisor.topics import TOPICS

SKILL = "tool_choice"
"""Of the acts, and under which the versions lie among the policies."""

_TOPIC, _FIT, _FAILURES = "topic.", "fit.", "failures."


@dataclass(frozen=True)
class Situation:
    """One request.

    Attributes:
        tools: Names of those that may be advised, each once, in order.
        fits: How like the request each one's description is, -1..1.
        failures: Share of each one's latest calls that failed, 0..1.
        topics: What the request is about, as `topics.topics` tells.
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
            raise AgentError(ErrorCode.NOT_FINITE, "A request has a number that is none.")

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
            AgentError: `INVALID_ARGUMENTS`: a probability that is none, or a tool that was not there to be advised.
        """
        if not 0.0 < self.probability <= 1.0:
            message = "The probability of an advice is above 0 and at most 1."
            raise AgentError(ErrorCode.INVALID_ARGUMENTS, message)
        if self.advised not in self.situation.options:
            message = f"The tool {self.advised!r:.60} was advised, which is none of those that may fit."
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
            raise AgentError(ErrorCode.INVALID_ARGUMENTS, "This act is no advice of one tool, or of none.")
        return cls(Situation.of_context(act.context), "".join(advised), act.probability)
