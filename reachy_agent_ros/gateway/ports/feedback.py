"""What people think of what the robot did."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True)
class Opinion:
    """What a person gives.

    Attributes:
        text: Their words, empty for a rating alone.
        rating: -1..1, None where they gave none.
        turn_id: Turn it is about; empty: it is found out.
        person: Who, empty if unknown.
    """

    text: str = ""
    rating: float | None = None
    turn_id: str = ""
    person: str = ""


@dataclass(frozen=True)
class Worth:
    """What a judgement is worth.

    Attributes:
        feedback_id: Of the judgement, empty where nothing was there to judge.
        turn_id: Turn it is about, empty if none.
        skill: What it is about, empty likewise.
        sign: -1, 0 or 1.
        rating: -1..1.
        confidence: 0..1.
        axes: Corrections it asks for.
        stop: Whether it stopped the robot.
        policy_version: The one that acted.
        question: What the robot would like to know, empty for nothing.
        stored: Whether it is on disk.
    """

    feedback_id: str
    turn_id: str
    skill: str
    sign: int
    rating: float
    confidence: float
    axes: Sequence[str]
    stop: bool
    policy_version: str
    question: str
    stored: bool


@dataclass(frozen=True)
class GivenReward:
    """What one act got of one judgement.

    Attributes:
        feedback_id: The judgement.
        act_id: What was done.
        skill: Skill or tool.
        given: s since the epoch.
        weight: Of the judgement that the act gets, 0..1.
        sign: -1, 0 or 1.
        rating: -1..1.
        confidence: 0..1.
        axes: Corrections it asks for.
        stop: Whether it was an urgent stop.
        policy_version: The one that acted.
    """

    feedback_id: str
    act_id: str
    skill: str
    given: float
    weight: float
    sign: int
    rating: float
    confidence: float
    axes: Sequence[str]
    stop: bool
    policy_version: str


@dataclass(frozen=True)
class GivenFeedback:
    """A judgement that is stored.

    Attributes:
        feedback_id: Of it.
        source: "text", "speech", "button", "rating" or "implicit".
        text: The person's words.
        given: s since the epoch.
        turn_id: Turn it was said to be about, empty if none was named.
        rating: As the person gave it, None where they gave none.
        person: Who, empty if unknown.
        rewards: What was made of it.
    """

    feedback_id: str
    source: str
    text: str
    given: float
    turn_id: str
    rating: float | None
    person: str
    rewards: Sequence[GivenReward]


class FeedbackService(Protocol):
    """Takes judgements, and shows those that were given. All raise `AgentError`."""

    def stop_if_urgent(self, text: str) -> bool:
        """Stops the robot at once if the text asks for it. Returns whether it did.

        Args:
            text: Anything, before it is parsed.
        """
        ...

    async def give(self, opinion: Opinion) -> Worth:
        """Has a judgement stored and scored."""
        ...

    async def judgements(self, since: float, limit: int) -> Sequence[GivenFeedback]:
        """Latest judgements, newest first.

        Args:
            since: s since the epoch.
            limit: At most so many.
        """
        ...

    async def rewards(self, since: float, limit: int, skill: str) -> Sequence[GivenReward]:
        """Latest rewards, newest first; as `judgements`.

        Args:
            since: s since the epoch.
            limit: At most so many.
            skill: Only of this one; empty: of all.
        """
        ...
