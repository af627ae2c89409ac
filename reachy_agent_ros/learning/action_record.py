"""Action records: the decisions of a policy and their outcomes, as training data."""

from __future__ import annotations

import math
import time
import uuid
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

from reachy_agent_ros.core.errors import ErrorCode

TOOL_CHOICE = "tool_choice"
"""Skill in the records of choices between tools. People judge the action and not the choice."""

CALLED = "called."
"""Prefix of the outcomes that count the calls of each tool of a turn, in the order of their first calls."""


@dataclass(frozen=True)
class ActionRecord:
    """Record of one decision of a policy, with all data that is needed to learn from later feedback.

    Attributes:
        act_id: Random identifier.
        turn_id: Conversation turn that the action belongs to; None if there is none.
        skill: Name of the skill or tool.
        context: Inputs of the policy by name, SI units.
        action: Chosen parameters by name, SI units.
        probability: Probability of that choice under the policy, for off-policy learning; 1 if deterministic.
        policy_version: Version of the policy that made the choice.
        began: Start, wall clock, s since the epoch.
        ended: End, wall clock, s since the epoch; infinite while the action runs.
        outcome: Results by name, numbers only.
    """

    act_id: uuid.UUID
    turn_id: uuid.UUID | None
    skill: str
    context: Mapping[str, float]
    action: Mapping[str, float]
    probability: float
    policy_version: str
    began: float
    ended: float
    outcome: Mapping[str, float] = field(default_factory=dict)

    @property
    def tool(self) -> str:
        """Skill or tool that people see: for a choice between tools, the first tool called; "" if none was called."""
        if self.skill != TOOL_CHOICE:
            return self.skill
        called = (name.removeprefix(CALLED) for name in self.outcome if name.startswith(CALLED))
        return next(called, "")


class ActJournal:
    """Journal that reports each action twice: when it begins and when it ends. Thread-safe.

    Args:
        tell: Callback that receives each record.
    """

    def __init__(self, tell: Callable[[ActionRecord], object]) -> None:
        self._tell = tell

    def begin(self, act: ActionRecord) -> ActionRecord:
        """Reports the start of an action. Returns its record, which has no end time yet."""
        begun = replace(act, began=time.time(), ended=math.inf)
        self._tell(begun)
        return begun

    def end(self, act: ActionRecord, error: ErrorCode = ErrorCode.NONE) -> None:
        """Reports the end of an action, with its duration, success and error code."""
        ended = max(time.time(), act.began)  # the wall clock may have been set back
        success = float(error is ErrorCode.NONE)
        outcome = {"elapsed": ended - act.began, "success": success, "error_code": float(error)}
        self._tell(replace(act, ended=ended, outcome=outcome))
