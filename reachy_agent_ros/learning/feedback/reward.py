"""What a judgement is worth to a learner, and which acts it is about."""

from __future__ import annotations

import uuid
from dataclasses import dataclass

from reachy_agent_ros.learning.act import Act
from reachy_agent_ros.learning.score import Score


@dataclass(frozen=True)
class Credit:
    """How much of a judgement an act deserves.

    Attributes:
        act: The act.
        weight: Above 0; those of one judgement add up to 1.
    """

    act: Act
    weight: float


@dataclass(frozen=True)
class Reward:
    """A judgement as a learner uses it; on disk, or in the spool beside the database, once anybody has it.

    Attributes:
        feedback_id: The judgement that it was made from.
        given: When that was given, s since the epoch.
        score: What it is worth.
        credits: The acts it is about, the likeliest first; never empty.
    """

    feedback_id: uuid.UUID
    given: float
    score: Score
    credits: tuple[Credit, ...]

    @property
    def act(self) -> Act:
        """The likeliest one."""
        return self.credits[0].act

    @property
    def policy_version(self) -> str:
        """Which policy chose that act."""
        return self.act.policy_version
