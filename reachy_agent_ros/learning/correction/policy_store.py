"""Versions of every skill's policy: which there are, which one acts, and going back while the robot runs."""

from __future__ import annotations

import time
from collections.abc import Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from pathlib import Path

import numpy as np

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.core.paths import state_directory
from reachy_agent_ros.learning.correction.policy_files import (
    PolicyFiles,
    PolicyRecord,
    Standing,
    VersionComparison,
    Weights,
)
from reachy_agent_ros.storage.file_lock import ReentrantLock

KEPT = 200
"""Versions of a skill that stay on disk, besides the first and the one that acts."""


class PolicyStore:
    """Any thread and several processes may use one folder. What a method has told is on disk.

    Args:
        folder: Where the policies lie, made if need be; None is `policies` in the state directory.

    Raises:
        AgentError: `STORAGE_FAILED`, here and from every method; nothing has changed then. `NOT_FOUND`, from every
            method that is given a skill or a version that there is not.
    """

    def __init__(self, folder: Path | None = None) -> None:
        place = folder or state_directory() / "policies"
        self._files = PolicyFiles(place)
        self._lock = ReentrantLock(place / "lock")

    def alone(self) -> AbstractContextManager[None]:
        """Keeps others from changing anything meanwhile, in this process and in others."""
        return self._lock.alone()

    def skills(self) -> Sequence[str]:
        """Names of all skills that have a policy."""
        return self._files.skills()

    def list(self, skill: str) -> Sequence[PolicyRecord]:
        """Every version of a skill, oldest first."""
        return [self._files.record(skill, version) for version in self._files.versions(skill)]

    def standing(self, skill: str) -> Standing:
        """Which version acts, and whether it is pinned."""
        return self._files.standing(skill)

    def stamp(self, skill: str) -> object:
        """Unequal to what it was before as soon as another version acts, whoever did it."""
        return self._files.stamp(skill)

    def inspect(self, skill: str, version: int = 0) -> PolicyRecord:
        """What is known of a version; 0 is the one that acts."""
        return self._files.record(skill, version or self._files.standing(skill).active)

    def weights(self, record: PolicyRecord) -> Weights:
        """The weights of a version, checked against their digest."""
        return self._files.weights(record)

    def compare(self, skill: str, old: int, new: int = 0) -> VersionComparison:
        """Two versions side by side; 0 is the one that acts."""
        records = self.inspect(skill, old), self.inspect(skill, new)
        before, after = (self.weights(record) for record in records)
        names = dict.fromkeys((*records[0].figures, *records[1].figures))
        return VersionComparison(
            {name: (records[0].figures.get(name), records[1].figures.get(name)) for name in names},
            {
                name: float(np.max(np.abs(after[name] - before[name]), initial=0.0))
                for name in before
                if name in after and before[name].shape == after[name].shape
            },
        )

    def save(self, record: PolicyRecord, weights: Weights, acting: bool = True) -> PolicyRecord:
        """Keeps a new version, which acts from now on unless another one is pinned. Returns it with its number.

        Args:
            record: Of it; its version, moment and digest are not looked at.
            weights: Its arrays.
            acting: Whether it may act; else what acted before goes on.
        """
        with self.alone():
            standing = self._files.standing(record.skill)
            number = standing.last + 1
            saved = self._files.write(replace(record, version=number, created=round(time.time(), 3)), weights)
            active = number if acting and not standing.pinned else standing.active
            self._files.write_standing(record.skill, replace(standing, last=number, active=active))
            self._prune(record.skill, active)
        return saved

    def pin(self, skill: str, version: int = 0) -> None:
        """Makes a version act whatever is learnt from now on; 0 is the one that acts."""
        with self.alone():
            wanted = self.inspect(skill, version).version
            self._files.write_standing(skill, replace(self._files.standing(skill), active=wanted, pinned=True))

    def unpin(self, skill: str) -> None:
        """Lets what is learnt from now on act; the pinned version acts until then."""
        with self.alone():
            self.inspect(skill)
            self._files.write_standing(skill, replace(self._files.standing(skill), pinned=False))

    def roll_back(self, skill: str, version: int = 0) -> int:
        """Makes an earlier version act; 0 is the one from which the present one was made. Returns its number.

        Raises:
            AgentError: `INVALID_GOAL`: there is none before, or one is pinned.
        """
        with self.alone():
            standing = self._files.standing(skill)
            if standing.pinned:
                message = f"Version {standing.active} of {skill} is pinned: unpin it first."
                raise AgentError(ErrorCode.INVALID_GOAL, message)
            wanted = version or self._files.record(skill, standing.active).parent
            if not wanted:
                raise AgentError(ErrorCode.INVALID_GOAL, f"There is no version of {skill} before the one that acts.")
            self._files.weights(self._files.record(skill, wanted))  # damage is found before it acts
            self._files.write_standing(skill, replace(standing, active=wanted))
        return wanted

    def forget(self, skill: str) -> None:
        """Deletes every version of a skill, and where it stands: it is as if nobody had ever taught it."""
        with self.alone():
            self._files.forget(skill)

    def _prune(self, skill: str, active: int) -> None:
        versions = self._files.versions(skill)
        for version in versions[1:-KEPT]:
            if version != active:
                self._files.drop(skill, version)
