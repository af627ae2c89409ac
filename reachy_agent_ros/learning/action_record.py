"""Acts: what a policy decided and the robot did, with all that is needed to learn from it later."""

from __future__ import annotations

import math
import time
import uuid
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

from reachy_agent_ros.core.errors import ErrorCode


@dataclass(frozen=True)
class ActionRecord:
    """One decision, with all that is needed to learn from a judgement of it later.

    Attributes:
        act_id: Random.
        turn_id: Turn of conversation it belongs to, None where there is none.
        skill: Skill or tool.
        context: What the policy knew, by name, SI units.
        action: What it chose, by name, SI units.
        probability: Of that choice under the policy, for learning off-policy; 1 where it was certain.
        policy_version: Which policy chose.
        began: Wall clock, s since the epoch.
        ended: Likewise; infinite while it runs.
        outcome: How it ended, by name: numbers only.
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


class ActJournal:
    """Tells each act when it begins and again when it has ended. Any thread may use it.

    Args:
        tell: Takes it.
    """

    def __init__(self, tell: Callable[[ActionRecord], object]) -> None:
        self._tell = tell

    def begin(self, act: ActionRecord) -> ActionRecord:
        """Tells that it begins now. Returns it without an end."""
        begun = replace(act, began=time.time(), ended=math.inf)
        self._tell(begun)
        return begun

    def end(self, act: ActionRecord, error: ErrorCode = ErrorCode.NONE) -> None:
        """Tells that it has ended, and how."""
        ended = max(time.time(), act.began)  # a wall clock may be set back
        success = float(error is ErrorCode.NONE)
        outcome = {"elapsed": ended - act.began, "success": success, "error_code": float(error)}
        self._tell(replace(act, ended=ended, outcome=outcome))
