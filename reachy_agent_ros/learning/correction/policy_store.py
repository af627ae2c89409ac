"""Store of the policy versions of every skill. The active version can be changed at run time.

Each version is a folder with the weights and a record. For each skill, one file names the active version. All files are
replaced atomically. The weights are written before the record that contains their digest.
"""

from __future__ import annotations

import hashlib
import io
import re
import shutil
import time
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray
from pydantic import TypeAdapter

from reachy_agent_ros.core.durable_file import make_folder, sync_folder, write_durably
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.core.paths import state_directory
from reachy_agent_ros.storage.checked_json import checked_json, read_checked_json
from reachy_agent_ros.storage.file_lock import ReentrantLock
from reachy_agent_ros.storage.packed_arrays import read_arrays
from reachy_agent_ros.storage.storing import storing

KEPT = 200
"""Number of versions kept on disk for each skill, in addition to the first and the active version."""

_FORMAT = 1
_NAME = re.compile(r"[a-z][a-z0-9_]{1,60}")

_Content = TypeVar("_Content")

Weights = Mapping[str, NDArray[Any]]
"""Numeric arrays by name. Pickled objects are not allowed, so that loading never runs code."""


@dataclass(frozen=True)
class PolicyRecord:
    """Stored record of one policy version.

    Attributes:
        skill: Name of the skill.
        version: Version number, counted from 1 and not reused within a skill until all its versions are deleted.
        algorithm: Training algorithm, for example "coach" or "ppo".
        created: Creation time, s since the epoch.
        parent: Version that this one was derived from; 0 if none.
        because: Sentence that explains why the version was created.
        seed: Random seed; None if there was none.
        figures: Measured values by name.
        digest: SHA-256 of the weights file, hexadecimal.
    """

    skill: str
    version: int
    algorithm: str
    created: float
    parent: int = 0
    because: str = ""
    seed: int | None = None
    figures: Mapping[str, float] = field(default_factory=dict)
    digest: str = ""


@dataclass(frozen=True)
class Standing:
    """Numbers of the newest and the active version of a skill, and whether the active version is pinned.

    Attributes:
        last: Highest version number assigned so far; 0 before the first and after the deletion of all versions.
        active: Active version; 0 if there is none.
        pinned: Whether the active version stays active when new versions are saved.
    """

    last: int = 0
    active: int = 0
    pinned: bool = False


@dataclass(frozen=True)
class VersionComparison:
    """Comparison of two policy versions.

    Attributes:
        figures: Measured values of both versions by name; None if not measured.
        weights: Greatest absolute difference of each array that both versions have with the same shape.
    """

    figures: Mapping[str, tuple[float | None, float | None]]
    weights: Mapping[str, float]


_RECORD, _STANDING = TypeAdapter(PolicyRecord), TypeAdapter(Standing)


class PolicyStore:
    """Store of policy versions. Several threads and processes may use it. Methods return when changes are on disk.

    Args:
        folder: Folder of the policies, created if missing; None for `policies` in the state directory.

    Raises:
        AgentError: `STORAGE_FAILED`, also from every method, in which case nothing is changed, except if a deletion
            fails. `NOT_FOUND` from every method for an invalid skill name, and from methods that need a version if it
            does not exist.
    """

    def __init__(self, folder: Path | None = None) -> None:
        self._folder = folder or state_directory() / "policies"
        with storing("Cannot create the policy folder"):
            make_folder(self._folder, 0o700)
        self._lock = ReentrantLock(self._folder / "lock")

    def alone(self) -> AbstractContextManager[None]:
        """Returns a context manager that prevents changes by other threads and processes."""
        return self._lock.alone()

    def skills(self) -> Sequence[str]:
        """Returns the sorted names of all skills that have a policy."""
        with storing("Cannot list the policies"):
            return sorted(path.parent.name for path in self._folder.glob("*/standing.json"))

    def list(self, skill: str) -> Sequence[PolicyRecord]:
        """Returns the records of all versions of a skill, oldest first."""
        return [self.inspect(skill, version) for version in self._versions(skill)]

    def standing(self, skill: str) -> Standing:
        """Returns the newest version and the active version of a skill, and whether the active version is pinned."""
        path = self._standing_file(skill)
        return self._read(path, "standing", _STANDING) if path.exists() else Standing()

    def stamp(self, skill: str) -> object:
        """Returns a value that changes whenever a process changes the active version or its pin."""
        try:
            status = self._standing_file(skill).stat()
        except FileNotFoundError:
            return 0, 0
        return status.st_ino, status.st_mtime_ns

    def inspect(self, skill: str, version: int = 0) -> PolicyRecord:
        """Returns the record of a version. Version 0 stands for the active version."""
        number = version or self.standing(skill).active
        path = self._version(skill, number) / "policy.json"
        if path.exists():
            return self._read(path, "policy", _RECORD)
        raise self.missing(skill, number)

    def active(self, skill: str) -> PolicyRecord:
        """Returns the record of the active version. For an untrained skill, returns a record with version 0."""
        if self.standing(skill).active:
            return self.inspect(skill)
        return PolicyRecord(skill, 0, "", 0.0, because="Untrained: no version is active.")

    def missing(self, skill: str, version: int) -> AgentError:
        """Returns the error for a missing version, with a list of the existing versions.

        Version 0 stands for the active version.
        """
        versions = self._versions(skill)
        if not versions:
            return AgentError(ErrorCode.NOT_FOUND, f"The skill {skill} has no versions.")
        wanted = f"version {version}" if version else "active version"
        return AgentError(ErrorCode.NOT_FOUND, f"The skill {skill} has no {wanted}. Versions: {_ranges(versions)}.")

    def weights(self, record: PolicyRecord) -> dict[str, NDArray[Any]]:
        """Reads the weights of a version and verifies their digest."""
        path = self._version(record.skill, record.version) / "weights.npz"
        with storing(f"Cannot read the weights of {record.skill}"):
            content = path.read_bytes()
        if hashlib.sha256(content).hexdigest() != record.digest:
            raise _damaged(path)
        try:
            return read_arrays(content)
        except ValueError:  # the digest matches, but the stored content itself is invalid
            raise _damaged(path) from None

    def compare(self, skill: str, old: int, new: int = 0) -> VersionComparison:
        """Compares two versions of a skill. 0 for `new` stands for the active version."""
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
        """Saves a new version. Activates it unless another version is pinned. Returns the record with its number.

        Args:
            record: Record of the version; its version number, creation time and digest are ignored.
            weights: Weights of the policy.
            acting: Whether to activate the new version; otherwise, the active version does not change.
        """
        with self.alone():
            standing = self.standing(record.skill)
            number = standing.last + 1
            saved = self._write(replace(record, version=number, created=round(time.time(), 3)), weights)
            active = number if acting and not standing.pinned else standing.active
            self._write_standing(record.skill, replace(standing, last=number, active=active))
            self._prune(record.skill, active)
        return saved

    def pin(self, skill: str, version: int = 0) -> None:
        """Activates and pins a version, which stays active when new versions are saved. 0 pins the active version."""
        with self.alone():
            wanted = self.inspect(skill, version).version
            self._write_standing(skill, replace(self.standing(skill), active=wanted, pinned=True))

    def unpin(self, skill: str) -> None:
        """Removes the pin. The pinned version stays active until a new version is saved."""
        with self.alone():
            self.inspect(skill)
            self._write_standing(skill, replace(self.standing(skill), pinned=False))

    def roll_back(self, skill: str, version: int = 0) -> int:
        """Activates an earlier version. Returns its number, or 0 if the skill is untrained after the change.

        Args:
            skill: Name of the skill.
            version: Version to activate; 0 for the parent of the active version, or for no version if it has none, so
                that the robot does what it did before the training.

        Raises:
            AgentError: `INVALID_GOAL` if the skill is untrained already or the active version is pinned.
        """
        with self.alone():
            standing = self.standing(skill)
            if standing.pinned:
                message = f"Version {standing.active} of {skill} is pinned: unpin it first."
                raise AgentError(ErrorCode.INVALID_GOAL, message)
            if not (version or standing.active) and standing.last:
                raise AgentError(ErrorCode.INVALID_GOAL, f"The skill {skill} is untrained already.")
            wanted = version or self.inspect(skill).parent
            if wanted:
                self.weights(self.inspect(skill, wanted))  # detects damage before activation
            self._write_standing(skill, replace(standing, active=wanted))
        return wanted

    def delete(self, skill: str) -> int:
        """Deletes all versions of a skill, even if one is pinned. Returns the number of deleted versions.

        Raises:
            AgentError: `NOT_FOUND` if there are none.
        """
        with self.alone():
            if not self._versions(skill):
                raise self.missing(skill, 0)
            return self.forget(skill)

    def forget(self, skill: str) -> int:
        """Deletes all versions of a skill. Returns the number of deleted versions, which may be 0."""
        with self.alone(), storing(f"Cannot delete the policies of {skill}"):
            versions = self._versions(skill)
            self._standing_file(skill).unlink(missing_ok=True)  # first, so that the file never names a deleted version
            if self._skill(skill).exists():
                shutil.rmtree(self._skill(skill))
                sync_folder(self._folder)
        return len(versions)

    def _prune(self, skill: str, active: int) -> None:
        with storing(f"Cannot delete an old policy of {skill}"):
            for version in self._versions(skill)[1:-KEPT]:
                if version != active:
                    shutil.rmtree(self._version(skill, version))

    def _versions(self, skill: str) -> Sequence[int]:
        """Returns the numbers of the versions on disk, oldest first."""
        with storing(f"Cannot list the policies of {skill}"):
            found = self._skill(skill).glob("*/policy.json")
            return sorted(int(path.parent.name) for path in found if path.parent.name.isdecimal())

    def _write(self, record: PolicyRecord, weights: Weights) -> PolicyRecord:
        """Writes a version to disk. Returns its record with the digest."""
        content = io.BytesIO()
        np.savez(content, allow_pickle=False, **dict(weights))
        complete = replace(record, digest=hashlib.sha256(content.getvalue()).hexdigest())
        folder = self._version(record.skill, record.version)
        with storing(f"Cannot store a policy of {record.skill}"):
            write_durably(folder / "weights.npz", content.getvalue())
            write_durably(folder / "policy.json", checked_json("policy", asdict(complete), _FORMAT))
        return complete

    def _write_standing(self, skill: str, standing: Standing) -> None:
        with storing(f"Cannot store the active version of {skill}"):
            write_durably(self._standing_file(skill), checked_json("standing", asdict(standing), _FORMAT))

    @staticmethod
    def _read(path: Path, name: str, adapter: TypeAdapter[_Content]) -> _Content:
        with storing(f"Cannot read {path}"):
            content = path.read_bytes()
        try:
            return adapter.validate_json(read_checked_json(name, content.decode(), _FORMAT, str(path)), strict=True)
        except ValueError:
            raise _damaged(path) from None

    def _skill(self, skill: str) -> Path:
        """Returns the folder of a skill. Rejects names that lead to a path outside the store."""
        if not _NAME.fullmatch(skill):
            raise AgentError(
                ErrorCode.NOT_FOUND,
                f"Invalid skill name {skill!r:.60}: expected a letter a-z, then 1 to 60 of a-z, 0-9 and _.",
            )
        return self._folder / skill

    def _standing_file(self, skill: str) -> Path:
        return self._skill(skill) / "standing.json"

    def _version(self, skill: str, version: int) -> Path:
        return self._skill(skill) / str(version)


def _ranges(versions: Sequence[int]) -> str:
    """Formats sorted version numbers as ranges: "1, 4 to 9"."""
    runs: list[list[int]] = []
    for version in versions:
        if runs and version == runs[-1][-1] + 1:
            runs[-1].append(version)
        else:
            runs.append([version])
    return ", ".join(str(run[0]) if len(run) == 1 else f"{run[0]} to {run[-1]}" for run in runs)


def _damaged(path: Path) -> AgentError:
    return AgentError(ErrorCode.STORAGE_FAILED, f"{path} is damaged and cannot be used. Roll back or delete the skill.")
