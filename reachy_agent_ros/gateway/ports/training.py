"""Learning: what is trained, and the versions that came of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol


class Operation(StrEnum):
    """What can be decided about a policy's versions."""

    PIN = "pin"
    UNPIN = "unpin"
    ROLL_BACK = "roll_back"


@dataclass(frozen=True)
class PolicyVersion:
    """A version of a policy.

    Attributes:
        skill: What it is a policy of.
        version: Counts up from 1.
        parent: Version it was made from, 0 for none.
        algorithm: What made it.
        because: Why it was made.
        active: Whether it acts.
        pinned: Whether it goes on to act whatever is learned.
        created: s since the epoch.
        figures: What was measured of it, SI units.
        digest: SHA-256 of its weights.
    """

    skill: str
    version: int
    parent: int
    algorithm: str
    because: str
    active: bool
    pinned: bool
    created: float
    figures: Mapping[str, float]
    digest: str


@dataclass(frozen=True)
class TrainingStatus:
    """What the trainer does.

    Attributes:
        state: "idle", "recording", "training" or "evaluating".
        skill: Of what, or of what it did last; empty for nothing yet.
        policy_version: In use, empty for none.
        episode: Under way, from 1.
        episodes: Planned.
        mean_reward: -1..1, over the last episodes.
        detail: One line for people.
        latest: Version of the skill that was made last and was measured, None if there is none.
        best: Version of the skill that acts, None if none does.
        error: Why the training that was begun from here last came to nothing, empty if it did not.
    """

    state: str
    skill: str
    policy_version: str
    episode: int
    episodes: int
    mean_reward: float
    detail: str
    latest: PolicyVersion | None
    best: PolicyVersion | None
    error: str


class Training(Protocol):
    """Trains skills and sets which version acts. All raise `AgentError`."""

    async def status(self) -> TrainingStatus:
        """What goes on, and what came of the latest."""
        ...

    async def train(self, skill: str, algorithm: str, episodes: int, seed: int) -> TrainingStatus:
        """Begins training and returns when it goes on.

        Args:
            skill: Of demonstrations that were given.
            algorithm: Empty: the usual one.
            episodes: 0: the usual number.
            seed: Of everything by chance.
        """
        ...

    async def cancel(self) -> TrainingStatus:
        """Ends what was begun by `train`; its checkpoint stays. `NOT_FOUND` where nothing was."""
        ...

    async def policies(self, skill: str) -> Sequence[PolicyVersion]:
        """Versions by skill, oldest first; empty: of all skills."""
        ...

    async def set_policy(self, skill: str, operation: Operation, version: int) -> PolicyVersion:
        """Decides which version acts. Returns it.

        Args:
            skill: Whose.
            operation: What to do.
            version: 0: the one that acts; of a roll-back, the one it was made from.
        """
        ...
