"""Logged choices of the advisor: features of the request, the suggestion, and its probability.

A few numbers describe the topic of a request: too few to recover the words, enough to distinguish kinds of requests.
They are the first principal components of the sentence vectors of many commands. `training.advisor.topic_axes` computed
the axes once; they stay fixed, because a log is valid only for the axes that it was recorded with.
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
from reachy_agent_ros.learning.action_record import TOOL_CHOICE, ActionRecord

TOPICS = 16
"""Number of topic features. With 16, a classifier assigns 62 % of held-out commands to the right one of 19 kinds; with
all 384 dimensions it reaches 76 %, and with 16 random axes 41 %."""

FILE = Path(__file__).with_name("topics.npz")
"""File with the topic axes and their center."""

SHA256 = "622c7cced8b0c4b8e04129107a3fdeff4909a0b00217c490cf58185c30671477"
"""Checksum of the file: other axes would silently change the meaning of logged choices."""

_TOPIC, _FIT, _FAILURES = "topic.", "fit.", "failures."


@dataclass(frozen=True)
class Situation:
    """Features of one request, from which the advisor chooses a suggestion.

    Attributes:
        tools: Names of the candidate tools, unique, in order.
        fits: Similarity of each tool's description to the request, -1..1.
        failures: Share of each tool's recent calls that failed, 0..1.
        topics: Topic features of the request, from `topics`.
    """

    tools: tuple[str, ...]
    fits: tuple[float, ...]
    failures: tuple[float, ...]
    topics: tuple[float, ...]

    def __post_init__(self) -> None:
        """Validates the fields.

        Raises:
            AgentError: `INVALID_ARGUMENTS` for lengths that do not match; `NOT_FINITE`.
        """
        shapes = len(self.fits), len(self.failures), len(self.topics), len(set(self.tools))
        if shapes != (len(self.tools), len(self.tools), TOPICS, len(self.tools)):
            message = f"Invalid request: expected one fit and failure share for each tool, and {TOPICS} topics."
            raise AgentError(ErrorCode.INVALID_ARGUMENTS, message)
        if not np.isfinite((*self.fits, *self.failures, *self.topics)).all():
            raise AgentError(ErrorCode.NOT_FINITE, "Invalid request features: expected finite numbers.")

    @property
    def options(self) -> Sequence[str]:
        """Possible suggestions: first an empty name (no suggestion), then the names of the tools."""
        return "", *self.tools

    @property
    def context(self) -> dict[str, float]:
        """Features by name, as stored in an action record."""
        return {
            **{f"{_TOPIC}{index}": value for index, value in enumerate(self.topics)},
            **{f"{_FIT}{tool}": value for tool, value in zip(self.tools, self.fits, strict=True)},
            **{f"{_FAILURES}{tool}": value for tool, value in zip(self.tools, self.failures, strict=True)},
        }

    @classmethod
    def of_context(cls, context: Mapping[str, float]) -> Situation:
        """Restores a situation from the result of `context`.

        Raises:
            AgentError: Same as for the constructor.
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
    """Suggestion for a request, with the probability with which it was drawn.

    The language model that reads the suggestion makes the decision, with unknown probabilities. The advisor draws the
    suggestion with known probabilities. The suggestion is therefore the action to learn, and the language model is part
    of the environment.

    Attributes:
        situation: Features of the request.
        advised: Name of the suggested tool; empty for no suggestion.
        probability: Probability with which the suggestion was drawn.
    """

    situation: Situation
    advised: str
    probability: float

    def __post_init__(self) -> None:
        """Validates the fields.

        Raises:
            AgentError: `INVALID_ARGUMENTS` for an invalid probability or a tool that is not among the options.
        """
        if not 0.0 < self.probability <= 1.0:
            message = "Invalid advice probability: expected more than 0 and at most 1."
            raise AgentError(ErrorCode.INVALID_ARGUMENTS, message)
        if self.advised not in self.situation.options:
            message = f"Invalid advice: the tool {self.advised!r:.60} is not among the options."
            raise AgentError(ErrorCode.INVALID_ARGUMENTS, message)

    @property
    def index(self) -> int:
        """Index of the suggestion in the options of the situation."""
        return self.situation.options.index(self.advised)

    @property
    def action(self) -> dict[str, float]:
        """Suggestion as stored in an action record: the value is 1 for the suggested tool and 0 for the others."""
        return {tool: float(tool == self.advised) for tool in self.situation.tools}

    @classmethod
    def of_act(cls, act: ActionRecord) -> AdvisedChoice:
        """Restores the choice stored in an action record.

        Raises:
            AgentError: Same as for the constructors; `INVALID_ARGUMENTS` for another skill, more than one suggested
                tool, or a value other than 0 and 1.
        """
        advised = [tool for tool, value in act.action.items() if value]
        if (
            act.skill != TOOL_CHOICE
            or len(advised) > 1
            or any(value not in (0.0, 1.0) for value in act.action.values())
        ):
            raise AgentError(ErrorCode.INVALID_ARGUMENTS, "Invalid advice record: expected one advised tool or none.")
        return cls(Situation.of_context(act.context), "".join(advised), act.probability)


def topics(vector: Vectors) -> tuple[float, ...]:
    """Projects a sentence vector onto the topic axes.

    Args:
        vector: Unit vector of the sentence, shape [384].

    Returns:
        `TOPICS` numbers. For a typical command, their squares sum to 1.

    Raises:
        AgentError: `MODEL_UNAVAILABLE` if the axes are missing or do not match their checksum.
    """
    center, axes = _axes()
    return tuple(np.round((vector - center) @ axes, 3).tolist())


@cache
def _axes() -> tuple[Vector, Matrix]:
    check_sum(FILE, SHA256)
    with np.load(FILE, allow_pickle=False) as arrays:
        return arrays["centre"], arrays["axes"]
