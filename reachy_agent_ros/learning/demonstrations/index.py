"""Collection of demonstrations in separate folders, with recording, import, listing, search and deletion."""

from __future__ import annotations

import logging
import math
import re
import shutil
import time
import uuid
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from reachy_agent_ros.core.durable_file import make_folder, sync_folder
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.core.identifier import by_beginning
from reachy_agent_ros.core.names import NAMESPACE
from reachy_agent_ros.core.paths import state_directory
from reachy_agent_ros.learning.demonstrations.bag import Bag, measured_quality
from reachy_agent_ros.learning.demonstrations.bag_file import digest_of, opened
from reachy_agent_ros.learning.demonstrations.bag_writer import rewritten
from reachy_agent_ros.learning.demonstrations.demonstration import (
    FILE,
    Demonstration,
    Method,
    from_json,
    write_description,
)
from reachy_agent_ros.learning.demonstrations.recording import LOCK, LONGEST, DemonstrationRecorder
from reachy_agent_ros.storage.file_lock import locked
from reachy_agent_ros.storage.storing import storing

_log = logging.getLogger(__name__)

SKILL = re.compile(r"[a-z][a-z0-9_]{1,60}")
"""Pattern of valid skill names."""

PROMPT_LENGTH = 2000


def demonstrations_directory() -> Path:
    """Returns the default folder of demonstrations."""
    return state_directory() / "demonstrations"


class Demonstrations:
    """Collection of demonstrations. Several processes may use it.

    Args:
        folder: Folder of the demonstrations, created if missing.

    Attributes:
        folder: Folder of the demonstrations.
        refused: Reason why each unusable demonstration was rejected at the last listing, by identifier.

    Raises:
        AgentError: `STORAGE_FAILED`.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.refused: dict[str, str] = {}
        self._told: set[str] = set()
        with storing("Cannot create the folder of demonstrations"):
            make_folder(folder, 0o700)

    def record(
        self,
        skill: str,
        prompt: str,
        method: Method,
        goal: uuid.UUID | None = None,
        namespace: str = NAMESPACE,
        limit: float = LONGEST,
    ) -> DemonstrationRecorder:
        """Starts recording a demonstration.

        Args:
            skill: Name of the skill, which must match `SKILL`.
            prompt: Description of the motion in words.
            method: Method of demonstration.
            goal: ID of the action goal.
            namespace: Namespace of the topics.
            limit: Time after which messages are ignored, s; at most `LONGEST`.

        Raises:
            AgentError: `INVALID_GOAL` for an invalid skill name or a prompt that is too long; `STORAGE_FAILED`.
        """
        require_named(skill, prompt)
        identifier = str(uuid.uuid4())
        about = Demonstration(identifier, skill, prompt, method, "", goal, time.time())
        return DemonstrationRecorder(self.folder / identifier, about, namespace, min(limit, LONGEST))

    def add(
        self,
        source: Path,
        about: Demonstration,
        between: tuple[float, float] = (0.0, math.inf),
        topics: Mapping[str, str] | None = None,
    ) -> Demonstration:
        """Copies a demonstration from a bag to the collection, atomically.

        Args:
            source: The bag; not changed.
            about: Description.
            between: Part to use, s after the first message.
            topics: Topic of the bag for each channel whose name differs.

        Returns:
            Description with duration and quality.

        Raises:
            AgentError: `NO_DATA` if the part contains too few postures; the other errors of `Bag.trajectory`;
                `STORAGE_FAILED`.
        """
        draft = self.folder / f".{about.identifier}.draft"
        bag = draft / about.identifier
        try:
            with opened(source) as origin:
                cut = origin.cut
            duration = rewritten(source, bag, between, topics)
            Bag(bag).trajectory()
            quality = measured_quality(bag, cut)
            about = replace(about, duration=duration, quality=quality, digest=digest_of(bag))
            write_description(bag, about)
            with storing("Cannot store the demonstration"):
                bag.rename(self.path(about))
                sync_folder(self.folder)
        finally:
            shutil.rmtree(draft, ignore_errors=True)
        return about

    def listed(self, skill: str = "") -> list[Demonstration]:
        """Lists demonstrations, newest first. Repairs recordings that a crash has interrupted.

        Unusable demonstrations stay on disk and are reported in the log and in `refused`.

        Args:
            skill: Skill to select; empty for all skills.
        """
        self.refused = {}
        found = [self._read(path.parent) for path in self.folder.glob(f"*/{FILE}") if path.parent.name[0] != "."]
        return sorted(
            (one for one in found if one is not None and skill in ("", one.skill)),
            key=lambda one: one.began,
            reverse=True,
        )

    def find(self, beginning: str) -> Demonstration:
        """Finds the demonstration whose identifier starts with `beginning`.

        Raises:
            AgentError: `NOT_FOUND`; `INVALID_ARGUMENTS` if several match; `STORAGE_FAILED` if the demonstration is
                damaged or was written by a later version of this program.
        """
        there_are = {one.identifier: one for one in self.listed()}
        for identifier, reason in self.refused.items():
            if beginning and identifier.startswith(beginning):
                raise AgentError(ErrorCode.STORAGE_FAILED, reason)
        words = {identifier: one.skill for identifier, one in there_are.items()}
        return there_are[by_beginning(words, beginning, "demonstration")]

    def bag(self, demonstration: Demonstration) -> Bag:
        """Returns the bag of a demonstration. The bag is compared with its digest when it is read."""
        return Bag(self.path(demonstration), demonstration.digest)

    def path(self, demonstration: Demonstration) -> Path:
        """Returns the folder of a demonstration, which `ros2 bag` can read as a bag."""
        return self.folder / demonstration.identifier

    def delete(self, demonstration: Demonstration) -> None:
        """Deletes a demonstration.

        Raises:
            AgentError: `STORAGE_FAILED`, also if the demonstration is still being recorded.
        """
        path = self.path(demonstration)
        with locked(path / LOCK, patience=0.0), storing("Cannot delete the demonstration"):
            gone = path.with_name(
                f".{path.name}.deleted"
            )  # after a crash, no partly deleted folder keeps the original name
            path.rename(gone)
            sync_folder(self.folder)
            shutil.rmtree(gone)

    def _read(self, path: Path) -> Demonstration | None:
        """Reads a demonstration. Returns None if it is unusable or has just been deleted by another process."""
        try:
            about = from_json((path / FILE).read_text(encoding="utf-8", errors="replace"))
        except FileNotFoundError:
            return None
        except (OSError, AgentError) as error:
            self._refuse(path.name, error.message if isinstance(error, AgentError) else f"Cannot read it: {error}.")
            return None
        if about.ended:
            return about
        try:
            with locked(path / LOCK, patience=0.0):
                return self._made_whole(path, about)
        except AgentError:
            return about  # still being recorded, or cannot be repaired

    def _refuse(self, identifier: str, reason: str) -> None:
        self.refused[identifier] = f"{identifier}: {reason}"
        if identifier not in self._told:
            self._told.add(identifier)
            _log.error("Unusable demonstration %s", self.refused[identifier])

    def _made_whole(self, path: Path, about: Demonstration) -> Demonstration:
        """Repairs a truncated bag: rewrites the readable part with an index, because `ros2 bag` requires an index."""
        whole = path.with_name(f".{path.name}.whole")
        shutil.rmtree(whole, ignore_errors=True)
        with storing("Cannot repair the demonstration"):
            length = rewritten(path, whole / path.name)
            quality = measured_quality(whole / path.name, cut=True)
            ended = replace(about, duration=length, quality=quality, digest=digest_of(whole / path.name))
            for file in (whole / path.name).iterdir():
                file.replace(path / file.name)
            write_description(path, ended)
            shutil.rmtree(whole)
        return ended


def require_named(skill: str, prompt: str) -> None:
    """Validates the skill name and prompt of a demonstration.

    Raises:
        AgentError: `INVALID_GOAL` for an invalid skill name or a prompt that is too long.
    """
    if not SKILL.fullmatch(skill):
        message = f"Invalid skill name {skill!r:.80}: expected a letter a-z, then 1 to 60 of a-z, 0-9 and _."
        raise AgentError(ErrorCode.INVALID_GOAL, message)
    if len(prompt) > PROMPT_LENGTH:
        raise AgentError(ErrorCode.INVALID_GOAL, f"Prompt too long: expected at most {PROMPT_LENGTH} characters.")
