"""Registry of verified tools on disk, with their versions, reviews and usage."""

from __future__ import annotations

import difflib
import logging
import time
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from pathlib import Path

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.core.sanitised_text import sanitised
from reachy_agent_ros.tool_generation.registry.manifest import Disabling, Manifest
from reachy_agent_ros.tool_generation.registry.store import DamagedManifestError, Store
from reachy_agent_ros.tool_generation.registry.version import LONGEST_TEXT, Usage, Version, VersionRecord, VersionState
from reachy_agent_ros.tool_generation.validation.names import require_free_name
from reachy_agent_ros.tool_generation.validation.program import Program
from reachy_agent_ros.tool_generation.verdict import VerificationStage

_log = logging.getLogger(__name__)

LONGEST_FAILURE = 300
"""Maximum number of characters in a stored error message: enough to distinguish failures."""

_NOT_ITS_FAULT = (
    ErrorCode.CANCELED,
    ErrorCode.SHUTTING_DOWN,
    ErrorCode.SANDBOX_UNAVAILABLE,
    ErrorCode.STORAGE_FAILED,
)


def _warn(_name: str, sentence: str) -> None:
    """Logs a notice. Used by registries that have no callback for notices to the user."""
    _log.warning("%s", sentence)


class Registry:
    """Stores tools by name and version.

    Safe for threads and processes. Changes have been synced to disk when a method returns.

    Args:
        folder: Folder of the tools; created if necessary.
        taken: Returns the names of all other tools, which tools in this registry must not have or imitate.
        tell: Called with the name of a tool that was disabled after a run or whose manifest cannot be read, and a
            message for the person, in the thread that detected it.

    Raises:
        AgentError: `STORAGE_FAILED`, also from every method. In that case, no manifest has changed, except in `delete`.
    """

    def __init__(
        self,
        folder: Path,
        taken: Callable[[], Collection[str]] = tuple,
        tell: Callable[[str, str], None] = _warn,
    ) -> None:
        self._store = Store(folder)
        self._taken = taken
        self._tell = tell

    def stamp(self) -> object:
        """Returns a value that changes whenever a process changes the registry. Changes of the usage do not count."""
        return self._store.stamp()

    def list(self) -> Sequence[Manifest]:
        """Returns all tools, sorted by name.

        Manifests that cannot be read are left out and reported; damaged ones are also moved to another folder.
        """
        found = []
        for name in self._store.names():
            try:
                manifest = self._manifest(name)
            except AgentError as error:
                if not isinstance(error, DamagedManifestError):
                    self._tell(name, error.message)
                continue
            if manifest.versions:
                found.append(manifest)
        return found

    def get(self, name: str) -> Manifest:
        """Returns the manifest of a tool.

        Raises:
            AgentError: `UNKNOWN_TOOL`.
        """
        manifest = self._manifest(name)
        if not manifest.versions:
            raise AgentError(ErrorCode.UNKNOWN_TOOL, f"There is no generated tool {name}.")
        return manifest

    def source_of(self, name: str, number: int = 0) -> str:
        """Returns the source of a version after verifying its digest. The version may not be allowed to run.

        Args:
            name: Name of the tool.
            number: Version; 0 for the active version, or the newest if none is active.

        Raises:
            AgentError: `UNKNOWN_TOOL`, `NOT_FOUND`; `STORAGE_FAILED`: the source was changed on disk.
        """
        return self._store.source(self.get(name).version(number).digest)

    def source_to_run(self, name: str, number: int) -> str:
        """Reads the source of a version from disk and verifies it. Raises an error if the version may not run.

        Raises:
            AgentError: See `source_of`; also `TOOL_DISABLED`, `APPROVAL_REQUIRED`, `APPROVAL_DENIED`.
        """
        return self._store.source(self.get(name).runnable(number).digest)

    def holds(self, digest: str) -> bool:
        """Returns whether a version of any tool has a source with this digest."""
        return any(version.digest == digest for manifest in self.list() for version in manifest.versions)

    def diff(self, name: str, old: int, new: int = 0) -> str:
        """Returns the differences between two versions as a unified diff. The number 0 has the meaning of `source_of`.

        Raises:
            AgentError: See `source_of`.
        """
        manifest = self.get(name)
        versions = [manifest.version(old), manifest.version(new)]
        before, after = (self._store.source(version.digest).splitlines(keepends=True) for version in versions)
        old_title, new_title = (f"{name} version {version.number}" for version in versions)
        return "".join(difflib.unified_diff(before, after, old_title, new_title))

    def usage(self, name: str, number: int = 0) -> Usage:
        """Returns the usage of a version. The number 0 stands for all versions together.

        Raises:
            AgentError: `UNKNOWN_TOOL`, `NOT_FOUND`.
        """
        manifest, usage = self.get(name), self._store.usage.of(name)
        if number:
            return usage.get(manifest.version(number).number, Usage())
        return sum((usage.get(version.number, Usage()) for version in manifest.versions), Usage())

    def register(self, program: Program, record: VersionRecord) -> int:
        """Stores a program that has passed all stages as the newest version of its tool. Returns the version number.

        The version becomes active, unless its record says that a person must approve it.

        Raises:
            AgentError: `VALIDATION_FAILED`: the program failed a stage; or an error of `require_free_name`.
        """
        failed = [one.stage for one in record.verdicts if not one.ok and one.stage is not VerificationStage.REVIEW]
        if failed:
            message = f"{program.name} cannot be registered: it failed the stage {failed[0]}."
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
                if new:  # leave no source that is not registered
                    self._store.drop_source(version.digest)
                raise
        return version.number

    def approve(self, name: str, number: int, comment: str = "", decided_by: str = "") -> None:
        """Approves a version that waits for review. The version becomes active.

        Args:
            name: Name of the tool.
            number: Version.
            comment: Comment of the person.
            decided_by: Person who decided, and the channel.

        Raises:
            AgentError: `UNKNOWN_TOOL`, `NOT_FOUND`; `INVALID_GOAL`: the version does not wait for review.
        """
        self._review(name, number, VersionState.APPROVED, comment, decided_by)

    def reject(self, name: str, number: int, comment: str = "", decided_by: str = "") -> None:
        """Rejects a version that waits for review. The version never runs.

        Raises:
            AgentError: See `approve`.
        """
        self._review(name, number, VersionState.REJECTED, comment, decided_by)

    def roll_back(self, name: str, number: int = 0) -> int:
        """Activates another approved version. Returns the number of the version that was active before.

        The number 0 stands for the previous version.

        Raises:
            AgentError: `UNKNOWN_TOOL`, `NOT_FOUND`; `INVALID_GOAL`: the version was not approved, or no earlier one
                was.
        """
        return self._change(name, lambda tool: tool.rolled_back(number)).active

    def set_enabled(self, name: str, enabled: bool, reason: str = "A person disabled it.") -> None:
        """Disables or enables a tool. Enabling it resets the count of its failures.

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
        """Deletes a tool with all its versions. Running calls continue.

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
        """Counts a run of a tool.

        If the tool exceeded its capabilities or fails repeatedly, it is disabled and reported.

        Runs that were canceled, could not start or could not store a file are not counted, and neither are runs of a
        deleted version.

        Args:
            name: Name of the tool.
            number: Version that ran.
            error: Error of the run; None if it succeeded.
            elapsed: Duration, s.

        Returns:
            Message for the caller if this run disabled the tool, otherwise "".
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

    def _manifest(self, name: str) -> Manifest:
        try:
            return self._store.manifest(name)
        except DamagedManifestError as error:
            self._tell(name, error.message)
            raise

    def _review(self, name: str, number: int, state: VersionState, comment: str, decided_by: str) -> None:
        words, who = sanitised(comment, LONGEST_TEXT), sanitised(decided_by, LONGEST_TEXT)
        self._change(name, lambda tool: tool.reviewed(number, state, words, who))

    def _change(self, name: str, change: Callable[[Manifest], Manifest]) -> Manifest:
        """Replaces a manifest and returns the previous manifest."""
        with self._store.alone():
            before = self.get(name)
            after = change(before)
            if after != before:
                self._store.write(after)
        return before


def _version(number: int, program: Program, record: VersionRecord) -> Version:
    return Version(
        number=number,
        digest=program.digest,
        created=round(time.time(), 3),
        state=VersionState.WAITING if record.needs_review else VersionState.APPROVED,
        record=record.sanitised(),
        summary=sanitised(program.summary),
        needs=program.needs,
        limits=program.limits,
    )
