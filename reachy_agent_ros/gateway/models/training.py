"""Training, and the policy versions that it produces."""

from __future__ import annotations

from enum import StrEnum
from typing import Literal, Protocol

from pydantic import BaseModel, Field

MAX_NUMBER = 2**32 - 1

TrainerState = Literal["idle", "recording", "training", "evaluating"]


class Operation(StrEnum):
    """Operation on a policy's versions."""

    PIN = "pin"
    UNPIN = "unpin"
    ROLL_BACK = "roll_back"


class PolicyModel(BaseModel):
    """Version of a policy."""

    skill: str
    version: int = Field(description="Number, from 1; 0: no version is active, so the skill is untrained.")
    parent: int = Field(description="Version from which this one was derived; 0 if none.")
    algorithm: str = Field(description="Algorithm that created the version.")
    because: str = Field(description="Reason for creating the version.")
    active: bool = Field(description="Whether the version is active.")
    pinned: bool = Field(description="Whether the version stays active regardless of later learning.")
    created: float = Field(description="Time of creation, seconds since the epoch.")
    figures: dict[str, float] = Field(description="Measured results, in SI units.")
    digest: str = Field(description="SHA-256 of the weights.")


class PoliciesAnswer(BaseModel):
    """List of policy versions."""

    policies: list[PolicyModel] = Field(description="Versions grouped by skill, oldest first.")


class PolicyRequest(BaseModel):
    """Operation to perform on the versions of a policy."""

    operation: Operation
    version: int = Field(
        0,
        ge=0,
        le=MAX_NUMBER,
        description="Version; 0: the active one or, for `roll_back`, the one from which it was derived, or none. "
        "Ignored for `unpin`.",
    )


class TrainingRequest(BaseModel):
    """Training to start."""

    skill: str = Field(min_length=1, max_length=100, description="Skill that has demonstrations.")
    algorithm: str = Field(
        "", max_length=40, description="Algorithm, listed in docs/guides/training.md; empty: the default."
    )
    episodes: int = Field(0, ge=0, le=MAX_NUMBER, description="Number of episodes; 0: the default.")
    seed: int = Field(0, ge=0, le=999, description="Random seed.")


class TrainingAnswer(BaseModel):
    """State of the trainer."""

    state: TrainerState
    skill: str = Field(description="Skill of the current or latest training; empty if none.")
    episode: int = Field(description="Number of finished episodes; 0 if no training runs.")
    episodes: int = Field(description="Number of planned episodes.")
    success_rate: float | None = Field(
        description="Success rate of the newest tested version in the fixed test, 0 to 1; null if unknown."
    )
    avg_reward: float | None = Field(
        description="Mean reward, -1 to 1: of the latest episodes during training, else in the test of the newest "
        "tested version."
    )
    best_checkpoint: str = Field(description="Active version as `skill/version`; empty if none.")
    figures: dict[str, float] = Field(description="Measured results of the newest tested version, in SI units.")
    detail: str = Field(description="One-line status for people.")
    error: str = Field(description="Reason why the last training started here failed; empty if it did not fail.")


class TrainingService(Protocol):
    """Service that trains skills and selects the active version of a policy. All methods raise `AgentError`."""

    async def status(self) -> TrainingAnswer:
        """Returns the state of the trainer and the result of the latest training."""

    async def train(self, asked: TrainingRequest) -> TrainingAnswer:
        """Starts training and returns once it is running."""

    async def cancel(self) -> TrainingAnswer:
        """Cancels the training that `train` started. Keeps its checkpoint. Raises `NOT_FOUND` if none is running."""

    async def policies(self, skill: str) -> PoliciesAnswer:
        """Returns the policy versions of a skill. If `skill` is empty, returns the versions of all skills."""

    async def set_policy(self, skill: str, asked: PolicyRequest) -> PolicyModel:
        """Pins, unpins or rolls back a skill's policy. Returns the active version."""

    async def delete_policy(self, skill: str) -> PolicyModel:
        """Deletes all versions of a skill's policy. Returns the untrained skill as version 0."""
