"""Port for training, and for the demonstrations that it learns from."""

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


class TrainingService(Protocol):
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


@dataclass(frozen=True)
class PosturePoint:
    """A posture at a moment of what is shown.

    Attributes:
        time: s from its beginning.
        head: Position, m, and roll, pitch and yaw, rad, in `head_base`.
        antennas: Right and left, rad.
        body_yaw: rad.
    """

    time: float
    head: tuple[float, float, float, float, float, float]
    antennas: tuple[float, float]
    body_yaw: float


@dataclass(frozen=True)
class Shown:
    """One demonstration.

    Attributes:
        demo_id: Of it.
        skill: What is shown.
        prompt: In words.
        method: "hand" or "teleoperation".
        person: Who shows it, empty if unknown.
        began: s since the epoch.
        duration: s, None while it is recorded.
        samples: Messages in it, None likewise.
        rate: Postures a second, None likewise.
        cut: Whether its end is missing.
        origin: What it was made from, empty where it was recorded.
    """

    demo_id: str
    skill: str
    prompt: str
    method: str
    person: str
    began: float
    duration: float | None
    samples: int | None
    rate: float | None
    cut: bool
    origin: str


class DemonstrationService(Protocol):
    """Takes, records and lists demonstrations. All raise `AgentError`."""

    async def add(self, skill: str, prompt: str, person: str, moments: Sequence[PosturePoint]) -> Shown:
        """Keeps what a program shows: on disk when this returns.

        Args:
            skill: What is shown; empty: named after the prompt.
            prompt: In words.
            person: Who.
            moments: In the order of time; the body moves straight from one to the next.
        """
        ...

    async def record(self, skill: str, prompt: str, method: str, duration: float) -> None:
        """Begins a recording and returns when it goes on.

        Args:
            skill: What is shown.
            prompt: In words.
            method: "hand" or "teleoperation".
            duration: s at most; 0: until `finish`, five minutes at most.
        """
        ...

    async def finish(self) -> Shown:
        """Ends the recording; it stays. `NOT_FOUND` where none goes on."""
        ...

    async def listed(self, skill: str) -> Sequence[Shown]:
        """All of them, newest first.

        Args:
            skill: Only of this one; empty: of all.
        """
        ...
