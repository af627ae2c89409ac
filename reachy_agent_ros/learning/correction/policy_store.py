"""Policy store: the versions of every skill, which of them acts, and rolling back while the robot runs.

A version is a folder with its weights and a record of them; one file per skill says which version acts. Every file is
replaced as a whole, weights before the record with their digest.
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
"""Versions of a skill that stay on disk, besides the first and the one that acts."""

_FORMAT = 1
_NAME = re.compile(r"[a-z][a-z0-9_]{1,60}")

_Content = TypeVar("_Content")

Weights = Mapping[str, NDArray[Any]]
"""Arrays by name, of numbers only: nothing that is read here can run."""


@dataclass(frozen=True)
class PolicyRecord:
    """One version, as it is stored.

    Attributes:
        skill: What it is a policy of.
        version: Counts up from 1; never given twice for one skill.
        algorithm: What made it, as in "coach" or "ppo".
        created: When, s since the epoch.
        parent: Version it was made from, 0 where it was made from nothing.
        because: Why it was made, in one sentence.
        seed: Of the chance in it, None where there was none.
        figures: What was measured of it, by name.
        digest: SHA-256 of the file of its weights, hexadecimal.
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
    """Which versions of a skill there are, and which one acts.

    Attributes:
        last: Newest number that was ever given, 0 before the first.
        active: The one that acts, 0 where none does.
        pinned: Whether it goes on to act whatever is learnt.
    """

    last: int = 0
    active: int = 0
    pinned: bool = False


@dataclass(frozen=True)
class VersionComparison:
    """Two versions side by side.

    Attributes:
        figures: What was measured of each, None where it was not.
        weights: Greatest absolute difference of each array that both have in the same shape.
    """

    figures: Mapping[str, tuple[float | None, float | None]]
    weights: Mapping[str, float]


_RECORD, _STANDING = TypeAdapter(PolicyRecord), TypeAdapter(Standing)


class PolicyStore:
    """Reads and writes versions; several threads and processes may use one folder. A method returns once it is on disk.

    Args:
        folder: Where the policies lie, made if need be; None is `policies` in the state directory.

    Raises:
        AgentError: `STORAGE_FAILED`, here and from every method; nothing has changed then. `NOT_FOUND`, from every
            method that is given a skill or a version that does not exist.
    """

    def __init__(self, folder: Path | None = None) -> None:
        self._folder = folder or state_directory() / "policies"
        with storing("The folder of policies cannot be made"):
            make_folder(self._folder, 0o700)
        self._lock = ReentrantLock(self._folder / "lock")

    def alone(self) -> AbstractContextManager[None]:
        """Keeps others from changing anything meanwhile, in this process and in others."""
        return self._lock.alone()

    def skills(self) -> Sequence[str]:
        """Names of all skills that have a policy, in order."""
        with storing("The policies cannot be looked through"):
            return sorted(path.parent.name for path in self._folder.glob("*/standing.json"))

    def list(self, skill: str) -> Sequence[PolicyRecord]:
        """Every version of a skill, oldest first."""
        return [self.inspect(skill, version) for version in self._versions(skill)]

    def standing(self, skill: str) -> Standing:
        """Which version acts, and whether it is pinned."""
        path = self._standing_file(skill)
        return self._read(path, "standing", _STANDING) if path.exists() else Standing()

    def stamp(self, skill: str) -> object:
        """Changes whenever another version acts or a pin is set, by whichever process."""
        try:
            status = self._standing_file(skill).stat()
        except FileNotFoundError:
            return 0, 0
        return status.st_ino, status.st_mtime_ns

    def inspect(self, skill: str, version: int = 0) -> PolicyRecord:
        """What is known of a version; 0 is the one that acts."""
        number = version or self.standing(skill).active
        path = self._version(skill, number) / "policy.json"
        if path.exists():
            return self._read(path, "policy", _RECORD)
        if number:
            raise AgentError(ErrorCode.NOT_FOUND, f"The skill {skill} has no version {number}.")
        raise AgentError(ErrorCode.NOT_FOUND, f"Nothing acts for the skill {skill} yet.")

    def weights(self, record: PolicyRecord) -> dict[str, NDArray[Any]]:
        """The arrays of a version, checked against their digest."""
        path = self._version(record.skill, record.version) / "weights.npz"
        with storing(f"The weights of {record.skill} cannot be read"):
            content = path.read_bytes()
        if hashlib.sha256(content).hexdigest() != record.digest:
            raise _damaged(path)
        try:
            return read_arrays(content)
        except ValueError:  # its digest is right: the process that wrote it wrote something else
            raise _damaged(path) from None

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
            standing = self.standing(record.skill)
            number = standing.last + 1
            saved = self._write(replace(record, version=number, created=round(time.time(), 3)), weights)
            active = number if acting and not standing.pinned else standing.active
            self._write_standing(record.skill, replace(standing, last=number, active=active))
            self._prune(record.skill, active)
        return saved

    def pin(self, skill: str, version: int = 0) -> None:
        """Makes a version act whatever is learnt from now on; 0 is the one that acts."""
        with self.alone():
            wanted = self.inspect(skill, version).version
            self._write_standing(skill, replace(self.standing(skill), active=wanted, pinned=True))

    def unpin(self, skill: str) -> None:
        """Lets what is learnt from now on act; the pinned version acts until then."""
        with self.alone():
            self.inspect(skill)
            self._write_standing(skill, replace(self.standing(skill), pinned=False))

    def roll_back(self, skill: str, version: int = 0) -> int:
        """Makes an earlier version act; 0 is the one from which the present one was made. Returns its number.

        Raises:
            AgentError: `INVALID_GOAL`: no version is before it, or one is pinned.
        """
        with self.alone():
            standing = self.standing(skill)
            if standing.pinned:
                message = f"Version {standing.active} of {skill} is pinned: unpin it first."
                raise AgentError(ErrorCode.INVALID_GOAL, message)
            wanted = version or self.inspect(skill, standing.active).parent
            if not wanted:
                raise AgentError(ErrorCode.INVALID_GOAL, f"There is no version of {skill} before the one that acts.")
            self.weights(self.inspect(skill, wanted))  # damage is found before it acts
            self._write_standing(skill, replace(standing, active=wanted))
        return wanted

    def forget(self, skill: str) -> None:
        """Deletes every version of a skill, and which one acts: it is as if nobody had ever taught it."""
        with self.alone(), storing(f"What was taught of {skill} cannot be deleted"):
            self._standing_file(skill).unlink(missing_ok=True)  # first, so that nobody looks for a version that is gone
            if self._skill(skill).exists():
                shutil.rmtree(self._skill(skill))
                sync_folder(self._folder)

    def _prune(self, skill: str, active: int) -> None:
        with storing(f"An old policy of {skill} cannot be deleted"):
            for version in self._versions(skill)[1:-KEPT]:
                if version != active:
                    shutil.rmtree(self._version(skill, version))

    def _versions(self, skill: str) -> Sequence[int]:
        """Numbers of the versions that are on disk, oldest first."""
        with storing(f"The policies of {skill} cannot be looked through"):
            found = self._skill(skill).glob("*/policy.json")
            return sorted(int(path.parent.name) for path in found if path.parent.name.isdecimal())

    def _write(self, record: PolicyRecord, weights: Weights) -> PolicyRecord:
        """Writes a version. Returns the record with its digest."""
        content = io.BytesIO()
        np.savez(content, allow_pickle=False, **dict(weights))
        complete = replace(record, digest=hashlib.sha256(content.getvalue()).hexdigest())
        folder = self._version(record.skill, record.version)
        with storing(f"A policy of {record.skill} cannot be stored"):
            write_durably(folder / "weights.npz", content.getvalue())
            write_durably(folder / "policy.json", checked_json("policy", asdict(complete), _FORMAT))
        return complete

    def _write_standing(self, skill: str, standing: Standing) -> None:
        with storing(f"Which policy of {skill} acts cannot be stored"):
            write_durably(self._standing_file(skill), checked_json("standing", asdict(standing), _FORMAT))

    @staticmethod
    def _read(path: Path, name: str, adapter: TypeAdapter[_Content]) -> _Content:
        with storing(f"{path} cannot be read"):
            content = path.read_bytes()
        try:
            return adapter.validate_json(read_checked_json(name, content.decode(), _FORMAT, str(path)), strict=True)
        except ValueError:
            raise _damaged(path) from None

    def _skill(self, skill: str) -> Path:
        """The only place where a skill's name becomes a path: no such name leads out of the folder."""
        if not _NAME.fullmatch(skill):
            raise AgentError(
                ErrorCode.NOT_FOUND,
                f"Invalid skill name {skill!r:.60}: expected a-z, 0-9 and _.",
            )
        return self._folder / skill

    def _standing_file(self, skill: str) -> Path:
        return self._skill(skill) / "standing.json"

    def _version(self, skill: str, version: int) -> Path:
        return self._skill(skill) / str(version)


def _damaged(path: Path) -> AgentError:
    return AgentError(ErrorCode.STORAGE_FAILED, f"{path} is damaged; it is not used. Roll back to another version.")
