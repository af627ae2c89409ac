"""One advice as it was logged: what was known, what was advised, and how likely that was."""

from __future__ import annotations

from dataclasses import dataclass

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.learning.act import Act
from reachy_agent_ros.learning.advisor.situation import Situation

SKILL = "tool_choice"
"""Of the acts, and under which the versions lie among the policies."""


@dataclass(frozen=True)
class Choice:
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
    def of_act(cls, act: Act) -> Choice:
        """The choice of an act.

        Raises:
            AgentError: As the constructors; `INVALID_ARGUMENTS` for another skill, or more than one advice.
        """
        advised = [tool for tool, value in act.action.items() if value]
        if act.skill != SKILL or len(advised) > 1 or any(value not in (0.0, 1.0) for value in act.action.values()):
            raise AgentError(ErrorCode.INVALID_ARGUMENTS, "This act is no advice of one tool, or of none.")
        return cls(Situation.of_context(act.context), "".join(advised), act.probability)
