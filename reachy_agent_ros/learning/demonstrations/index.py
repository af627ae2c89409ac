"""Index of demonstrations, one per folder: begins, adds, lists, finds and deletes them."""

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
"""What a skill may be called."""

PROMPT_LENGTH = 2000


def demonstrations_directory() -> Path:
    """Where they are usually kept."""
    return state_directory() / "demonstrations"


class Demonstrations:
    """Begins, lists and deletes them; several processes may do so at once.

    Args:
        folder: Where they are; made if need be.

    Attributes:
        folder: Likewise.
        refused: Those that could not be used when they were listed last, by identifier, with the reason.

    Raises:
        AgentError: `STORAGE_FAILED`.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.refused: dict[str, str] = {}
        self._told: set[str] = set()
        with storing("The folder of demonstrations cannot be made"):
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
        """Begins a recording.

        Args:
            skill: Name of the skill: small letters, digits and underscores.
            prompt: What is shown, in words.
            method: How.
            goal: The goal's id.
            namespace: Of the topics.
            limit: s after which it takes nothing more; `LONGEST` at most.

        Raises:
            AgentError: `INVALID_GOAL`: an invalid name of a skill, or too long a prompt; `STORAGE_FAILED`.
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
        """Makes one of a bag, all of it or nothing.

        Args:
            source: The bag; it stays as it is.
            about: What is known of it.
            between: Seconds from its first message on that are taken.
            topics: Names of its topics by channel, where they are other ones than ours.

        Returns:
            The demonstration, with its duration and quality.

        Raises:
            AgentError: `NO_DATA`: no posture would be in it; what `opened` raises; `STORAGE_FAILED`.
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
            with storing("The demonstration cannot be put in its place"):
                bag.rename(self.path(about))
                sync_folder(self.folder)
        finally:
            shutil.rmtree(draft, ignore_errors=True)
        return about

    def listed(self, skill: str = "") -> list[Demonstration]:
        """All of them, the newest first. What a recorder that died has left is made whole on the way.

        One that cannot be used stays where it is, and is reported in the log and by `refused`.

        Args:
            skill: Only of this one.
        """
        self.refused = {}
        found = [self._read(path.parent) for path in self.folder.glob(f"*/{FILE}") if path.parent.name[0] != "."]
        return sorted(
            (one for one in found if one is not None and skill in ("", one.skill)),
            key=lambda one: one.began,
            reverse=True,
        )

    def find(self, beginning: str) -> Demonstration:
        """The one whose identifier begins so.

        Raises:
            AgentError: `NOT_FOUND`; `INVALID_ARGUMENTS` where several do; `STORAGE_FAILED` for one that is damaged, or
                that a later version of this program wrote.
        """
        there_are = {one.identifier: one for one in self.listed()}
        for identifier, reason in self.refused.items():
            if beginning and identifier.startswith(beginning):
                raise AgentError(ErrorCode.STORAGE_FAILED, reason)
        words = {identifier: one.skill for identifier, one in there_are.items()}
        return there_are[by_beginning(words, beginning, "demonstration")]

    def bag(self, demonstration: Demonstration) -> Bag:
        """Its record, which is read only if it is as it was recorded."""
        return Bag(self.path(demonstration), demonstration.digest)

    def path(self, demonstration: Demonstration) -> Path:
        """Its folder, which `ros2 bag` takes."""
        return self.folder / demonstration.identifier

    def delete(self, demonstration: Demonstration) -> None:
        """Takes it off the disk.

        Raises:
            AgentError: `STORAGE_FAILED`, also where it is being recorded.
        """
        path = self.path(demonstration)
        with locked(path / LOCK, patience=0.0), storing("The demonstration cannot be deleted"):
            gone = path.with_name(f".{path.name}.deleted")  # a crash leaves no half of it under its name
            path.rename(gone)
            sync_folder(self.folder)
            shutil.rmtree(gone)

    def _read(self, path: Path) -> Demonstration | None:
        """None where another process has just deleted it, or where it cannot be used."""
        try:
            about = from_json((path / FILE).read_text(encoding="utf-8", errors="replace"))
        except FileNotFoundError:
            return None
        except (OSError, AgentError) as error:
            self._refuse(path.name, error.message if isinstance(error, AgentError) else f"It cannot be read: {error}.")
            return None
        if about.ended:
            return about
        try:
            with locked(path / LOCK, patience=0.0):
                return self._made_whole(path, about)
        except AgentError:
            return about  # somebody records it

    def _refuse(self, identifier: str, reason: str) -> None:
        self.refused[identifier] = f"{identifier}: {reason}"
        if identifier not in self._told:
            self._told.add(identifier)
            _log.error("The demonstration %s", self.refused[identifier])

    def _made_whole(self, path: Path, about: Demonstration) -> Demonstration:
        """Gives a bag that has no end what is left of it, with an index, so that `ros2 bag` reads it too."""
        whole = path.with_name(f".{path.name}.whole")
        shutil.rmtree(whole, ignore_errors=True)
        with storing("The demonstration cannot be made whole"):
            length = rewritten(path, whole / path.name)
            quality = measured_quality(whole / path.name, cut=True)
            ended = replace(about, duration=length, quality=quality, digest=digest_of(whole / path.name))
            for file in (whole / path.name).iterdir():
                file.replace(path / file.name)
            write_description(path, ended)
            shutil.rmtree(whole)
        return ended


def require_named(skill: str, prompt: str) -> None:
    """Refuses what cannot be kept.

    Raises:
        AgentError: `INVALID_GOAL`: an invalid name of a skill, or too long a prompt.
    """
    if not SKILL.fullmatch(skill):
        message = f"Invalid name of a skill {skill!r:.80}: expected lowercase letters, digits and underscores."
        raise AgentError(ErrorCode.INVALID_GOAL, message)
    if len(prompt) > PROMPT_LENGTH:
        raise AgentError(ErrorCode.INVALID_GOAL, f"A prompt has {PROMPT_LENGTH} characters at most.")
