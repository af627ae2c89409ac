"""What the advisor knows of a request when it gives advice: numbers, and which tools may fit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.learning.advisor.topics import TOPICS

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
