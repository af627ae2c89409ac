"""Policy files: how versions lie on disk, a folder a version, and one file that says which of them acts."""

from __future__ import annotations

import hashlib
import io
import re
import shutil
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray
from pydantic import TypeAdapter

from reachy_agent_ros.core.durable_file import make_folder, sync_folder, write_durably
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.storage.checked_json import checked_json, read_checked_json
from reachy_agent_ros.storage.packed_arrays import read_arrays
from reachy_agent_ros.storage.storing import storing

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


class PolicyFiles:
    """Reads and writes; every file is replaced as a whole, weights before the record that names their digest.

    Args:
        folder: Where all policies lie; made if need be.

    Raises:
        AgentError: `STORAGE_FAILED`, here and from every method; what was there is as it was.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        with storing("The folder of policies cannot be made"):
            make_folder(folder, 0o700)

    def skills(self) -> list[str]:
        """Names of all skills that have a policy, in order."""
        with storing("The policies cannot be looked through"):
            return sorted(path.parent.name for path in self._folder.glob("*/standing.json"))

    def stamp(self, skill: str) -> tuple[int, int]:
        """Another one whenever another version acts or a pin is set, by whichever process."""
        try:
            status = self._standing_file(skill).stat()
        except FileNotFoundError:
            return 0, 0
        return status.st_ino, status.st_mtime_ns

    def standing(self, skill: str) -> Standing:
        """Which versions there are."""
        path = self._standing_file(skill)
        if not path.exists():
            return Standing()
        return self._read(path, "standing", _STANDING)

    def write_standing(self, skill: str, standing: Standing) -> None:
        """Replaces it; on disk when it returns."""
        with storing(f"Which policy of {skill} acts cannot be stored"):
            write_durably(self._standing_file(skill), checked_json("standing", asdict(standing), _FORMAT))

    def record(self, skill: str, version: int) -> PolicyRecord:
        """What is known of a version.

        Raises:
            AgentError: Also `NOT_FOUND`.
        """
        path = self._version(skill, version) / "policy.json"
        if not path.exists():
            which = (
                f"The skill {skill} has no version {version}."
                if version
                else f"Nothing acts for the skill {skill} yet."
            )
            raise AgentError(ErrorCode.NOT_FOUND, which)
        return self._read(path, "policy", _RECORD)

    def write(self, record: PolicyRecord, weights: Weights) -> PolicyRecord:
        """Writes a version; on disk when it returns. Returns the record with its digest."""
        content = io.BytesIO()
        np.savez(content, allow_pickle=False, **dict(weights))
        complete = replace(record, digest=hashlib.sha256(content.getvalue()).hexdigest())
        folder = self._version(record.skill, record.version)
        with storing(f"A policy of {record.skill} cannot be stored"):
            write_durably(folder / "weights.npz", content.getvalue())
            write_durably(folder / "policy.json", checked_json("policy", asdict(complete), _FORMAT))
        return complete

    def weights(self, record: PolicyRecord) -> dict[str, NDArray[Any]]:
        """The arrays of a version, checked against their digest."""
        path = self._version(record.skill, record.version) / "weights.npz"
        with storing(f"The weights of {record.skill} cannot be read"):
            content = path.read_bytes()
        if hashlib.sha256(content).hexdigest() != record.digest:
            raise self._damaged(path)
        try:
            return read_arrays(content)
        except ValueError:  # its digest is right: whoever wrote it wrote something else
            raise self._damaged(path) from None

    def versions(self, skill: str) -> list[int]:
        """Numbers of the versions that are on disk, oldest first."""
        with storing(f"The policies of {skill} cannot be looked through"):
            found = self._skill(skill).glob("*/policy.json")
            return sorted(int(path.parent.name) for path in found if path.parent.name.isdecimal())

    def drop(self, skill: str, version: int) -> None:
        """Deletes a version."""
        with storing(f"An old policy of {skill} cannot be deleted"):
            shutil.rmtree(self._version(skill, version))

    def forget(self, skill: str) -> None:
        """Deletes all of a skill; first what says which version acts, so that nobody looks for one that is gone."""
        with storing(f"What was taught of {skill} cannot be deleted"):
            self._standing_file(skill).unlink(missing_ok=True)
            if self._skill(skill).exists():
                shutil.rmtree(self._skill(skill))
                sync_folder(self._folder)

    def _read(self, path: Path, name: str, adapter: TypeAdapter[_Content]) -> _Content:
        with storing(f"{path} cannot be read"):
            content = path.read_bytes()
        try:
            return adapter.validate_json(read_checked_json(name, content.decode(), _FORMAT, str(path)), strict=True)
        except ValueError:
            raise self._damaged(path) from None

    @staticmethod
    def _damaged(path: Path) -> AgentError:
        return AgentError(ErrorCode.STORAGE_FAILED, f"{path} is damaged; it is not used. Roll back to another version.")

    def _skill(self, skill: str) -> Path:
        """The only place where a skill's name becomes a path: no such name leads out of the folder."""
        if not _NAME.fullmatch(skill):
            raise AgentError(ErrorCode.NOT_FOUND, f"There is no skill {skill!r:.60}, and none can have that name.")
        return self._folder / skill

    def _standing_file(self, skill: str) -> Path:
        return self._skill(skill) / "standing.json"

    def _version(self, skill: str, version: int) -> Path:
        return self._skill(skill) / str(version)
