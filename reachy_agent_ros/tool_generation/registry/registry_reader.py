"""What tools there are, as they lie on disk now."""

from __future__ import annotations

import difflib
import logging
from collections.abc import Callable, Sequence
from pathlib import Path

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.tool_generation.registry.manifest import Manifest
from reachy_agent_ros.tool_generation.registry.store import DamagedManifestError, Store
from reachy_agent_ros.tool_generation.registry.version import Usage

_log = logging.getLogger(__name__)


def warn(_name: str, sentence: str) -> None:
    """Writes what a person should know into the log, where nobody else tells it."""
    _log.warning("%s", sentence)


class RegistryReader:
    """The half of the registry that changes nothing, but for damaged manifests, which it sets aside.

    Args:
        folder: Where the tools lie; made if need be.
        tell: Takes a tool's name and a sentence for the person; in the thread that found it.

    Raises:
        AgentError: `STORAGE_FAILED`, here and from every method.
    """

    def __init__(self, folder: Path, tell: Callable[[str, str], None] = warn) -> None:
        self._store = Store(folder)
        self._tell = tell

    def stamp(self) -> object:
        """Unequal to what it was before as soon as anything but usage changed, in whichever process."""
        return self._store.stamp()

    def list(self) -> Sequence[Manifest]:
        """Every tool by name. Damaged ones are set aside and told; they keep nobody from the others."""
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
        """What is known of a tool.

        Raises:
            AgentError: `UNKNOWN_TOOL`.
        """
        manifest = self._manifest(name)
        if not manifest.versions:
            raise AgentError(ErrorCode.UNKNOWN_TOOL, f"There is no generated tool {name}.")
        return manifest

    def source_of(self, name: str, number: int = 0) -> str:
        """The source of a version, checked against its digest, to be read or proven.

        Args:
            name: The tool's.
            number: Version; 0 is the one that runs, or the newest where none does.

        Raises:
            AgentError: `UNKNOWN_TOOL`, `NOT_FOUND`; `STORAGE_FAILED`: it is not the text that was registered.
        """
        return self._store.source(self.get(name).version(number).digest)

    def source_to_run(self, name: str, number: int) -> str:
        """The source of a version that may run, read from disk and checked now.

        Raises:
            AgentError: As `source_of`; `TOOL_DISABLED`, `APPROVAL_REQUIRED`, `APPROVAL_DENIED`.
        """
        return self._store.source(self.get(name).runnable(number).digest)

    def holds(self, digest: str) -> bool:
        """Whether any version of any tool has this source."""
        return any(version.digest == digest for manifest in self.list() for version in manifest.versions)

    def diff(self, name: str, old: int, new: int = 0) -> str:
        """What changed from one version to another, as a unified diff; empty where nothing did.

        Raises:
            AgentError: As `source_of`.
        """
        manifest = self.get(name)
        versions = [manifest.version(old), manifest.version(new)]
        before, after = (self._store.source(version.digest).splitlines(keepends=True) for version in versions)
        old_title, new_title = (f"{name} version {version.number}" for version in versions)
        return "".join(difflib.unified_diff(before, after, old_title, new_title))

    def usage(self, name: str, number: int = 0) -> Usage:
        """How a version went; 0 is all of them together.

        Raises:
            AgentError: `UNKNOWN_TOOL`, `NOT_FOUND`.
        """
        manifest, usage = self.get(name), self._store.usage.of(name)
        if number:
            return usage.get(manifest.version(number).number, Usage())
        return sum((usage.get(version.number, Usage()) for version in manifest.versions), Usage())

    def _manifest(self, name: str) -> Manifest:
        try:
            return self._store.manifest(name)
        except DamagedManifestError as error:
            self._tell(name, error.message)
            raise
