"""Something that a policy decided and the robot did."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Act:
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
