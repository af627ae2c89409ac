"""Proven tools on disk: versions, what may run, and how it went."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection
from dataclasses import replace
from pathlib import Path

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.core.sanitised_text import sanitised
from reachy_agent_ros.tool_generation.program import Program
from reachy_agent_ros.tool_generation.registry.manifest import Disabling, Manifest
from reachy_agent_ros.tool_generation.registry.registry_reader import RegistryReader, warn
from reachy_agent_ros.tool_generation.registry.version import LONGEST_TEXT, Record, State, Usage, Version
from reachy_agent_ros.tool_generation.validation.tool_names import require_free_name
from reachy_agent_ros.tool_generation.verdict import Stage

LONGEST_FAILURE = 300
"""Characters of a failure that are kept: enough to tell one from another."""

_NOT_ITS_FAULT = (
    ErrorCode.CANCELED,
    ErrorCode.SHUTTING_DOWN,
    ErrorCode.SANDBOX_UNAVAILABLE,
    ErrorCode.STORAGE_FAILED,
)


class Registry(RegistryReader):
    """Any thread and several processes may use one folder. What a method has told is on disk.

    Args:
        folder: Where the tools lie; made if need be.
        taken: Gives the names of all other tools, which no tool here may bear or imitate.
        tell: Takes a tool's name and a sentence for the person, when a tool was disabled for failing or its manifest
            was found damaged; in the thread that found it.

    Raises:
        AgentError: `STORAGE_FAILED`, here and from every method; nothing has changed then.
    """

    def __init__(
        self,
        folder: Path,
        taken: Callable[[], Collection[str]] = tuple,
        tell: Callable[[str, str], None] = warn,
    ) -> None:
        super().__init__(folder, tell)
        self._taken = taken

    def register(self, program: Program, record: Record) -> int:
        """Keeps a program that passed every stage, as the newest version of its name. Returns its number.

        It runs from now on, unless its record says that a person has to approve it.

        Raises:
            AgentError: `VALIDATION_FAILED`: it did not pass a stage; what `require_free_name` raises.
        """
        failed = [one.stage for one in record.verdicts if not one.ok and one.stage is not Stage.REVIEW]
        if failed:
            message = f"{program.name} cannot be registered: it did not pass the stage {failed[0]}."
            raise AgentError(ErrorCode.VALIDATION_FAILED, message)
        with self._store.alone():
            others = {one.name for one in self.list()} - {program.name}
            require_free_name(program.name, others.union(self._taken()))
            manifest = self._manifest(program.name)
            version = _version(manifest.last + 1, program, record)
            new = self._store.keep_source(program.source, version.digest)
            try:
                self._store.write(manifest.with_version(version))
            except AgentError:
                if new:  # nothing is left of what was not registered
                    self._store.drop_source(version.digest)
                raise
        return version.number

    def approve(self, name: str, number: int, comment: str = "", decided_by: str = "") -> None:
        """Notes a person's yes to a version that waits; it runs from now on.

        Args:
            name: The tool's.
            number: Version.
            comment: The person's own words.
            decided_by: Who decided, and in which way.

        Raises:
            AgentError: `UNKNOWN_TOOL`, `NOT_FOUND`; `INVALID_GOAL`: it does not wait.
        """
        self._review(name, number, State.APPROVED, comment, decided_by)

    def reject(self, name: str, number: int, comment: str = "", decided_by: str = "") -> None:
        """Notes a person's no to a version that waits; it never runs.

        Raises:
            AgentError: As `approve`.
        """
        self._review(name, number, State.REJECTED, comment, decided_by)

    def roll_back(self, name: str, number: int = 0) -> int:
        """Makes another approved version the one that runs; 0 is the one before. Returns the one that ran until now.

        Raises:
            AgentError: `UNKNOWN_TOOL`, `NOT_FOUND`; `INVALID_GOAL`: it was not approved, or there is none before.
        """
        return self._change(name, lambda tool: tool.rolled_back(number)).active

    def set_enabled(self, name: str, enabled: bool, reason: str = "A person disabled it.") -> None:
        """Takes a tool out of use, or puts it back; failures of before then no longer count.

        Raises:
            AgentError: `UNKNOWN_TOOL`.
        """
        if enabled:
            runs = {number: usage.runs for number, usage in self._store.usage.of(name).items()}
            self._change(name, lambda tool: tool.enabled_again(runs))
        else:
            disabling = Disabling(sanitised(reason, LONGEST_TEXT))
            self._change(name, lambda tool: replace(tool, disabled=disabling))

    def delete(self, name: str) -> None:
        """Forgets a tool with all its versions. What is running goes on with its own text.

        Raises:
            AgentError: `UNKNOWN_TOOL`.
        """
        with self._store.alone():
            gone = self._change(name, lambda tool: Manifest(tool.name, tool.last)).versions
            self._store.usage.drop(name)
            kept = {version.digest for manifest in self.list() for version in manifest.versions}
            for digest in {version.digest for version in gone} - kept:
                self._store.drop_source(digest)

    def note_run(self, name: str, number: int, error: AgentError | None, elapsed: float) -> str:
        """Counts a run. A tool that overstepped or keeps failing is disabled, and the person is told.

        A run that was cancelled, or that could not begin, says nothing of the tool and is not counted; nor is one of a
        version that was deleted meanwhile.

        Args:
            name: The tool's.
            number: Version that ran.
            error: How it failed, None if it did not.
            elapsed: s it took.

        Returns:
            What whoever called it should know besides: that this run has disabled it. Empty where it has not.
        """
        if error is not None and error.code in _NOT_ITS_FAULT:
            return ""
        with self._store.alone():
            manifest = self._manifest(name)
            if number not in [version.number for version in manifest.versions]:
                return ""
            usage = dict(self._store.usage.of(name))
            message = None if error is None else sanitised(error.message, LONGEST_FAILURE)
            noted = usage.get(number, Usage()).with_run(message, elapsed, time.time())
            self._store.usage.write(name, {**usage, number: noted})
            disabling = manifest.disabling(number, noted, error)
            if disabling is not None:
                self._store.write(replace(manifest, disabled=disabling))
        if disabling is None:
            return ""
        told = f"The tool {name} is disabled now. {disabling.reason}"
        self._tell(name, told)
        return told

    def _review(self, name: str, number: int, state: State, comment: str, decided_by: str) -> None:
        words, who = sanitised(comment, LONGEST_TEXT), sanitised(decided_by, LONGEST_TEXT)
        self._change(name, lambda tool: tool.reviewed(number, state, words, who))

    def _change(self, name: str, change: Callable[[Manifest], Manifest]) -> Manifest:
        """Replaces a manifest; returns what it was before."""
        with self._store.alone():
            before = self.get(name)
            after = change(before)
            if after != before:
                self._store.write(after)
        return before


def _version(number: int, program: Program, record: Record) -> Version:
    return Version(
        number=number,
        digest=program.digest,
        created=round(time.time(), 3),
        state=State.WAITING if record.needs_review else State.APPROVED,
        record=record.sanitised(),
        summary=sanitised(program.summary),
        needs=program.needs,
        limits=program.limits,
    )
