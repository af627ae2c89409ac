"""Feedback on the robot's actions, and the rewards derived from it."""

from __future__ import annotations

from typing import Literal, Protocol

from pydantic import BaseModel, Field

MAX_TEXT = 2_000
MAX_NAME = 100

Sign = Literal[-1, 0, 1]


class FeedbackRequest(BaseModel):
    """Feedback as text, as a number, or both."""

    episode_id: str = Field(
        "",
        max_length=36,
        description="Turn that the feedback is about (`trace_id` of a chat); empty: the most likely one.",
    )
    feedback_text: str = Field("", max_length=MAX_TEXT, description="Feedback in plain words.")
    rating: float | None = Field(None, ge=-1.0, le=1.0, description="Rating from -1 to 1; null: derived from the text.")
    person: str = Field("", max_length=MAX_NAME, description="Name of the person.")


class FeedbackAnswer(BaseModel):
    """Reward derived from feedback."""

    status: Literal["stored", "stopped"] = Field(
        description="`stored`: the feedback is on disk. `stopped`: it stopped the robot, but was not stored."
    )
    reward: float = Field(description="Reward, from -1 to 1.")
    sign: Sign
    confidence: float = Field(description="Confidence in the reward, from 0 to 1.")
    axes: list[str] = Field(description="Requested corrections, listed in docs/guides/feedback.md.")
    stop: bool = Field(description="Whether the feedback stopped the robot, which has confirmed the stop.")
    judged: str = Field(description="Skill or tool that the feedback is about; empty if none.")
    episode_id: str = Field(description="Turn that the feedback is about; empty if none.")
    policy_version: str = Field(description="Policy version that acted.")
    question: str = Field(description="Question from the robot; empty if none.")
    feedback_id: str = Field(description="Id of the feedback; empty if nothing was stored.")


class RewardEntry(BaseModel):
    """Reward for one action from one piece of feedback."""

    feedback_id: str
    act_id: str
    skill: str = Field(description="Name of the skill or tool.")
    given: float = Field(description="Time of the feedback, seconds since the epoch.")
    weight: float = Field(description="Share of the feedback that is assigned to this action, 0 to 1.")
    sign: Sign
    rating: float = Field(description="Rating, from -1 to 1.")
    confidence: float = Field(description="Confidence in the rating, from 0 to 1.")
    axes: list[str]
    stop: bool
    policy_version: str


class JudgementModel(BaseModel):
    """Stored feedback."""

    feedback_id: str
    source: Literal["text", "speech", "button", "rating", "implicit"]
    text: str
    given: float = Field(description="Time of the feedback, seconds since the epoch.")
    turn_id: str = Field(description="Turn that the sender specified; empty if none.")
    rating: float | None = Field(description="Rating from the sender; null if none.")
    person: str
    rewards: list[RewardEntry] = Field(description="Rewards derived from the feedback, largest share first.")


class JudgementsAnswer(BaseModel):
    """List of stored feedback."""

    feedback: list[JudgementModel] = Field(description="Feedback, newest first.")


class RewardsAnswer(BaseModel):
    """List of rewards."""

    rewards: list[RewardEntry] = Field(description="Rewards, newest first.")


class FeedbackService(Protocol):
    """Service that stores and lists feedback. All methods raise `AgentError`; `since` is in seconds since the epoch."""

    def stop_if_urgent(self, text: str, who: str) -> bool:
        """Stops the robot immediately if an unparsed text asks for a stop. Returns whether it did.

        `who` is the caller for the audit log. The middle of a text of more than 20,000 characters may be checked later.
        """

    async def give(self, asked: FeedbackRequest) -> FeedbackAnswer:
        """Stores and scores feedback. Raises `NO_DATA` if no action can be rated and the feedback is not a stop."""

    async def judgments(self, since: float, limit: int) -> JudgementsAnswer:
        """Returns the latest feedback given after `since`."""

    async def rewards(self, since: float, limit: int, skill: str) -> RewardsAnswer:
        """Returns the latest rewards given after `since` for a skill. If `skill` is empty, includes all skills."""
