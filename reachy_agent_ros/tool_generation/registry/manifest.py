"""Manifest of a tool and its file format.

A manifest lists the versions, their reviews, and the reason if the tool is disabled.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace

from pydantic import TypeAdapter

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.storage.checked_json import checked_json, read_checked_json
from reachy_agent_ros.tool_generation.registry.version import Usage, Version, VersionState

_FORMAT = 1
"""Version of the file format, incremented when older programs cannot read the new format."""


@dataclass(frozen=True)
class Disabling:
    """Reason why a tool is disabled.

    Attributes:
        reason: Reason in one sentence.
        failing: Whether the tool failed too often. Activating another version enables it again; otherwise a person must
            enable it.
        overstepped: Whether a run requested a capability that the tool does not have.
    """

    reason: str
    failing: bool = False
    overstepped: bool = False


@dataclass(frozen=True)
class Manifest:
    """Data of a tool without its sources.

    A manifest is immutable. Its methods return a changed copy.

    Attributes:
        name: Name of the tool.
        last: Highest version number so far, which is kept even after the tool is deleted.
        active: Number of the active version; 0 if none.
        versions: Versions, oldest first.
        disabled: Reason why the tool is disabled; None if it is enabled.
    """

    name: str
    last: int = 0
    active: int = 0
    versions: tuple[Version, ...] = ()
    disabled: Disabling | None = None

    def version(self, number: int) -> Version:
        """Returns the version with a number.

        The number 0 stands for the active version or, if no version is active, the newest version.

        Raises:
            AgentError: `NOT_FOUND`.
        """
        wanted = number or self.active or self.last
        for version in self.versions:
            if version.number == wanted:
                return version
        raise AgentError(ErrorCode.NOT_FOUND, f"The tool {self.name} has no version {wanted}.")

    def runnable(self, number: int) -> Version:
        """Returns the version with a number. Raises an error if it may not run.

        Raises:
            AgentError: `NOT_FOUND`; `TOOL_DISABLED`; `APPROVAL_REQUIRED` or `APPROVAL_DENIED` according to its review.
        """
        version = self.version(number)
        if self.disabled:
            raise AgentError(ErrorCode.TOOL_DISABLED, f"The tool {self.name} is disabled. {self.disabled.reason}")
        if version.state is VersionState.WAITING:
            message = f"Version {version.number} of {self.name} waits for a person's review."
            raise AgentError(ErrorCode.APPROVAL_REQUIRED, message)
        if version.state is VersionState.REJECTED:
            message = f"Version {version.number} of {self.name} was rejected by a person."
            raise AgentError(ErrorCode.APPROVAL_DENIED, message)
        return version

    def waiting(self, number: int) -> Version:
        """Returns the version with a number. Raises an error if it does not wait for review.

        Raises:
            AgentError: `NOT_FOUND`; `INVALID_GOAL`: the version does not wait.
        """
        version = self.version(number)
        if version.state is not VersionState.WAITING:
            message = f"Version {version.number} of {self.name} does not wait for review: it is {version.state}."
            raise AgentError(ErrorCode.INVALID_GOAL, message)
        return version

    def with_version(self, version: Version) -> Manifest:
        """Adds a version. It becomes active, unless a person must review it first."""
        grown = replace(self, last=version.number, versions=(*self.versions, version))
        return grown._running(version.number) if version.state is VersionState.APPROVED else grown

    def reviewed(self, number: int, state: VersionState, comment: str, decided_by: str) -> Manifest:
        """Records the review of a version. An approved version becomes active.

        Raises:
            AgentError: `NOT_FOUND`; `INVALID_GOAL`: the version does not wait for review.
        """
        version = self.waiting(number)
        decided = replace(version, state=state, comment=comment, decided_by=decided_by)
        changed = replace(self, versions=tuple(decided if one is version else one for one in self.versions))
        return changed._running(version.number) if state is VersionState.APPROVED else changed

    def rolled_back(self, number: int) -> Manifest:
        """Activates another approved version.

        The number 0 stands for the newest approved version before the active version.

        Raises:
            AgentError: `NOT_FOUND`; `INVALID_GOAL`: there is no earlier version, or the version was not approved.
        """
        version = self.version(number or self._before_active())
        if version.state is not VersionState.APPROVED:
            message = f"Version {version.number} of {self.name} cannot run: it is {version.state}."
            raise AgentError(ErrorCode.INVALID_GOAL, message)
        return self._running(version.number)

    def enabled_again(self, runs: Mapping[int, int]) -> Manifest:
        """Enables the tool. Earlier failures do not count any more.

        Args:
            runs: Number of runs so far by version.
        """
        versions = (replace(version, forgiven=runs.get(version.number, 0)) for version in self.versions)
        return replace(self, disabled=None, versions=tuple(versions))

    def disabling(self, number: int, usage: Usage, error: AgentError | None) -> Disabling | None:
        """Returns the reason why the tool must be disabled after a run, or None if nothing changes.

        The tool must be disabled if the run requested a capability that was not granted, or if the active version often
        fails.

        Args:
            number: Version that ran.
            usage: Usage of the version, including this run.
            error: Error of this run; None if it succeeded.
        """
        version = self.version(number)
        if error is not None and error.code is ErrorCode.NOT_REVIEWED:
            return Disabling(error.message, overstepped=True)
        if self.disabled or number != self.active or not usage.keeps_failing(version.forgiven):
            return None
        failures = f"{usage.recent.count(False)} of its last {len(usage.recent)} runs"
        return Disabling(f"It failed in {failures}, most often with: {usage.commonest_failure}", failing=True)

    def _before_active(self) -> int:
        earlier = [
            one.number for one in self.versions if one.state is VersionState.APPROVED and one.number < self.active
        ]
        if not earlier:
            message = f"The tool {self.name} has no approved version before the active one."
            raise AgentError(ErrorCode.INVALID_GOAL, message)
        return max(earlier)

    def _running(self, number: int) -> Manifest:
        stays = self.disabled is not None and not (self.disabled.failing and number != self.active)
        return replace(self, active=number, disabled=self.disabled if stays else None)


_ADAPTER = TypeAdapter(Manifest)


def manifest_text(manifest: Manifest) -> str:
    """Returns the content of the manifest's file, which is JSON with a checksum."""
    return checked_json("tool", asdict(manifest), _FORMAT)


def read_manifest(text: str, name: str) -> Manifest:
    """Parses a text from the function `manifest_text`.

    Raises:
        ValueError: The text is damaged, or this program did not write it.
        AgentError: `STORAGE_FAILED`: a later version of this program wrote it.
    """
    return _ADAPTER.validate_json(read_checked_json("tool", text, _FORMAT, f"The tool {name}"), strict=True)
