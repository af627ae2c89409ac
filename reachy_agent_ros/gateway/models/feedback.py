"""Feedback on what the robot did, and the rewards made from it."""

from __future__ import annotations

from typing import Literal, Protocol

from pydantic import BaseModel, Field

MAX_TEXT = 2_000
MAX_NAME = 100

Sign = Literal[-1, 0, 1]


class FeedbackRequest(BaseModel):
    """A judgement: words, a number, or both."""

    episode_id: str = Field("", max_length=36, description="Turn it is about (`trace_id` of a chat); empty: the last.")
    feedback_text: str = Field("", max_length=MAX_TEXT, description="In your own words.")
    rating: float | None = Field(None, ge=-1.0, le=1.0, description="From -1 to 1; null: the words tell.")
    person: str = Field("", max_length=MAX_NAME, description="Who gives it.")


class FeedbackAnswer(BaseModel):
    """What a judgement is worth."""

    status: Literal["stored", "stopped"] = Field(
        description="`stored`: it is on disk. `stopped`: the robot was stopped, and nothing was there to judge."
    )
    reward: float = Field(description="From -1 to 1.")
    sign: Sign
    confidence: float = Field(description="From 0 to 1.")
    axes: list[str] = Field(description="Corrections it asks for, as docs/concepts/learning.md lists them.")
    stop: bool = Field(description="Whether it stopped the robot, as the robot confirmed.")
    judged: str = Field(description="Skill or tool it is about; empty for none.")
    episode_id: str = Field(description="Turn it is about; empty for none.")
    policy_version: str = Field(description="Version that acted.")
    question: str = Field(description="What the robot would like to know; empty for nothing.")
    feedback_id: str = Field(description="Of the judgement; empty where nothing was stored.")


class RewardEntry(BaseModel):
    """What one act got of one judgement."""

    feedback_id: str
    act_id: str
    skill: str = Field(description="Skill or tool.")
    given: float = Field(description="Seconds since the epoch.")
    weight: float = Field(description="Of the judgement that the act gets, 0 to 1.")
    sign: Sign
    rating: float = Field(description="From -1 to 1.")
    confidence: float = Field(description="From 0 to 1.")
    axes: list[str]
    stop: bool
    policy_version: str


class JudgementModel(BaseModel):
    """A judgement that is stored."""

    feedback_id: str
    source: Literal["text", "speech", "button", "rating", "implicit"]
    text: str
    given: float = Field(description="Seconds since the epoch.")
    turn_id: str = Field(description="Turn it was said to be about; empty if none was named.")
    rating: float | None = Field(description="As the person gave it; null where they gave none.")
    person: str
    rewards: list[RewardEntry] = Field(description="What was made of it, the act that got most first.")


class JudgementsAnswer(BaseModel):
    """Latest judgements."""

    feedback: list[JudgementModel] = Field(description="Newest first.")


class RewardsAnswer(BaseModel):
    """Latest rewards."""

    rewards: list[RewardEntry] = Field(description="Newest first.")


class FeedbackService(Protocol):
    """Stores feedback and lists it. All methods raise `AgentError`; `since` is in s since the epoch."""

    def stop_if_urgent(self, text: str) -> bool:
        """Stops the robot at once if a text, not parsed yet, asks for it; returns whether it did."""

    async def give(self, asked: FeedbackRequest) -> FeedbackAnswer:
        """Stores and scores feedback; `NO_DATA` if there is no action to judge and it was no stop."""

    async def judgements(self, since: float, limit: int) -> JudgementsAnswer:
        """Returns the latest feedback given after `since`."""

    async def rewards(self, since: float, limit: int, skill: str) -> RewardsAnswer:
        """Returns the latest rewards given after `since`, of one skill or, if it is empty, of all."""
