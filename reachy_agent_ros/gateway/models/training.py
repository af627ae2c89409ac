"""Training, and the versions of the policies that it makes."""

from __future__ import annotations

from enum import StrEnum
from typing import Literal, Protocol

from pydantic import BaseModel, Field

MAX_NUMBER = 2**32 - 1

TrainerState = Literal["idle", "recording", "training", "evaluating"]


class Operation(StrEnum):
    """What can be decided about a policy's versions."""

    PIN = "pin"
    UNPIN = "unpin"
    ROLL_BACK = "roll_back"


class PolicyModel(BaseModel):
    """A version of a policy."""

    skill: str
    version: int
    parent: int = Field(description="Version it was made from; 0 for none.")
    algorithm: str = Field(description="What made it.")
    because: str = Field(description="Why it was made.")
    active: bool = Field(description="Whether it acts.")
    pinned: bool = Field(description="Whether it goes on to act whatever is learned.")
    created: float = Field(description="Seconds since the epoch.")
    figures: dict[str, float] = Field(description="What was measured of it, SI units.")
    digest: str = Field(description="SHA-256 of its weights.")


class PoliciesAnswer(BaseModel):
    """Versions of policies."""

    policies: list[PolicyModel] = Field(description="By skill, oldest first.")


class PolicyRequest(BaseModel):
    """A decision about a policy's versions."""

    operation: Operation
    version: int = Field(
        0, ge=0, le=MAX_NUMBER, description="0: the one that acts; of `roll_back`, the one it was made from."
    )


class TrainingRequest(BaseModel):
    """A skill to train."""

    skill: str = Field(min_length=1, max_length=100, description="Of demonstrations that were given.")
    algorithm: str = Field("", max_length=40, description="Empty: the usual one; docs/concepts/learning.md lists them.")
    episodes: int = Field(0, ge=0, le=MAX_NUMBER, description="0: the usual number.")
    seed: int = Field(0, ge=0, le=MAX_NUMBER, description="Of everything by chance.")


class TrainingAnswer(BaseModel):
    """What the trainer does."""

    state: TrainerState
    skill: str = Field(description="Of what, or of what it did last; empty for nothing yet.")
    episode: int = Field(description="Under way, from 1; 0 while nothing is trained.")
    episodes: int = Field(description="Planned.")
    success_rate: float | None = Field(description="Of the newest version in the fixed test, 0 to 1; null: none is.")
    avg_reward: float | None = Field(
        description="Over the last episodes while it trains, else of the newest version in the fixed test; -1 to 1."
    )
    best_checkpoint: str = Field(description="Version that acts, as `skill/version`; empty for none.")
    figures: dict[str, float] = Field(description="All that was measured of the newest version, SI units.")
    detail: str = Field(description="One line for people.")
    error: str = Field(description="Why the training begun here last came to nothing; empty if it did not.")


class TrainingService(Protocol):
    """Trains skills and selects the active version of a policy. All methods raise `AgentError`."""

    async def status(self) -> TrainingAnswer:
        """Returns what the trainer does, and the result of the latest training."""

    async def train(self, asked: TrainingRequest) -> TrainingAnswer:
        """Starts a training and returns when it runs."""

    async def cancel(self) -> TrainingAnswer:
        """Cancels the training that `train` started and keeps its checkpoint; `NOT_FOUND` if none runs."""

    async def policies(self, skill: str) -> PoliciesAnswer:
        """Returns the versions of one skill's policy or, if it is empty, of all."""

    async def set_policy(self, skill: str, asked: PolicyRequest) -> PolicyModel:
        """Selects the active version of a skill's policy and returns it."""
