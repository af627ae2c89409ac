"""Files of the registry: a file for each source, and for each tool a manifest and a usage file.

The names of source files are digests.
"""

from __future__ import annotations

import hashlib
import json
import logging
import os
import re
from collections.abc import Mapping
from contextlib import AbstractContextManager
from dataclasses import asdict
from datetime import datetime
from pathlib import Path

from pydantic import TypeAdapter

from reachy_agent_ros.core.durable_file import make_folder, sync_folder, write_durably
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.storage.checked_json import checked_json, read_checked_json
from reachy_agent_ros.storage.file_lock import ReentrantLock
from reachy_agent_ros.storage.storing import storing
from reachy_agent_ros.tool_generation.registry.manifest import Manifest, manifest_text, read_manifest
from reachy_agent_ros.tool_generation.registry.version import Usage

_DIGEST = re.compile(r"[0-9a-f]{64}")

_USAGE_FORMAT = 1
"""Version of the file format, incremented when older programs cannot read the new format."""

_log = logging.getLogger(__name__)
_USAGE_ADAPTER = TypeAdapter(dict[int, Usage])

_NAME = re.compile(r"[a-z][a-z0-9_]{2,40}")


class Store:
    """File storage of the registry. It reads and writes files, but does not decide about their content.

    Every file is replaced completely, so reading needs no lock. A source is on disk before the manifest that names it.

    Args:
        folder: Folder of the files; created if necessary, readable only by its owner.

    Attributes:
        usage: Usage of the tools.

    Raises:
        AgentError: `STORAGE_FAILED`.
    """

    def __init__(self, folder: Path) -> None:
        self._manifests = folder / "manifests"
        self._sources = folder / "sources"
        self._aside = folder / "damaged"
        self.usage = UsageBook(folder / "usage")
        self._lock = ReentrantLock(folder / "lock")
        with storing("The tools' folder cannot be created"):
            for made in (folder, self._manifests, self._sources, self._aside, folder / "usage"):
                make_folder(made, 0o700)

    def alone(self) -> AbstractContextManager[None]:
        """Returns a reentrant lock that prevents other threads and processes from writing.

        Raises:
            AgentError: `STORAGE_FAILED`: another writer does not finish.
        """
        return self._lock.alone()

    def names(self) -> list[str]:
        """Returns the sorted names of all tools that have a manifest."""
        with storing("The tools cannot be listed"):
            return sorted(path.stem for path in self._manifests.glob("*.json") if _NAME.fullmatch(path.stem))

    def stamp(self) -> tuple[tuple[str, int, int], ...]:
        """Returns a value that changes whenever a process changes a manifest."""
        with storing("The tools cannot be listed"), os.scandir(self._manifests) as found:
            files = [(file.name, file.stat()) for file in found if file.name.endswith(".json")]
        return tuple(sorted((name, status.st_ino, status.st_mtime_ns) for name, status in files))

    def manifest(self, name: str) -> Manifest:
        """Returns the manifest of a tool. It is empty if the tool has no manifest.

        Raises:
            DamagedManifestError: The manifest was damaged, and is now set aside.
            AgentError: `UNKNOWN_TOOL`: invalid name; `STORAGE_FAILED`.
        """
        path = tool_file(self._manifests, name)
        try:
            return self._read(path)
        except ValueError:
            with self.alone():
                return self._read_or_set_aside(path)

    def write(self, manifest: Manifest) -> None:
        """Replaces a manifest. It is synced to disk before the method returns.

        Raises:
            AgentError: `STORAGE_FAILED`. The old manifest remains.
        """
        with storing(f"The tool {manifest.name} cannot be stored"):
            write_durably(tool_file(self._manifests, manifest.name), manifest_text(manifest))

    def source(self, digest: str) -> str:
        """Returns the source with a given digest.

        Raises:
            AgentError: `STORAGE_FAILED`: the source is missing or was changed.
        """
        with storing("A tool's source cannot be read"):
            content = self._source_path(digest).read_bytes()
        if hashlib.sha256(content).hexdigest() != digest:
            message = f"The source {digest[:12]} has changed since its verification. Register it again to run it."
            raise AgentError(ErrorCode.STORAGE_FAILED, message)
        return content.decode()

    def keep_source(self, source: str, digest: str) -> bool:
        """Writes a source with its digest as the name, and syncs it to disk. Returns whether the source is new.

        Raises:
            AgentError: `STORAGE_FAILED`.
        """
        path = self._source_path(digest)
        with storing("A tool's source cannot be stored"):
            new = not path.exists()
            if new or path.read_bytes() != source.encode():
                write_durably(path, source)
        return new

    def drop_source(self, digest: str) -> None:
        """Deletes the source with a given digest."""
        with storing("A tool's source cannot be deleted"):
            self._source_path(digest).unlink(missing_ok=True)
            sync_folder(self._sources)

    def _read(self, path: Path) -> Manifest:
        with storing(f"The tool {path.stem} cannot be read"):
            content = path.read_bytes() if path.exists() else None
        if content is None:
            return Manifest(path.stem)
        manifest = read_manifest(content.decode(), path.stem)
        if manifest.name != path.stem:
            raise ValueError(f"it is the manifest of {manifest.name}")
        return manifest

    def _read_or_set_aside(self, path: Path) -> Manifest:
        """Reads a damaged manifest again, and renames it if it is still damaged.

        Another process may have repaired the manifest in the meantime.
        """
        try:
            return self._read(path)
        except ValueError:
            kept = self._aside / f"{path.stem}-{datetime.now():%Y-%m-%dT%H-%M-%S.%f}.json"
            with storing(f"The damaged manifest {path} cannot be set aside"):
                path.rename(kept)
                sync_folder(path.parent)
        message = f"The manifest of the tool {path.stem} is damaged. It was moved to {kept}; the tool does not run."
        raise DamagedManifestError(path.stem, message)

    def _source_path(self, digest: str) -> Path:
        if not _DIGEST.fullmatch(digest):
            raise AgentError(ErrorCode.STORAGE_FAILED, f"Invalid digest of a source: {digest!r:.80}.")
        return self._sources / f"{digest}.py"


class DamagedManifestError(AgentError):
    """Error `STORAGE_FAILED` for a damaged manifest, which has been moved to another folder.

    Args:
        name: Name of the tool.
        message: Error message.
    """

    def __init__(self, name: str, message: str) -> None:
        super().__init__(ErrorCode.STORAGE_FAILED, message)
        self.name = name


class UsageBook:
    """Usage files, one for each tool, so that a run does not change the manifest.

    Args:
        folder: Folder of the files.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def of(self, name: str) -> Mapping[int, Usage]:
        """Returns the usage of a tool by version.

        The result is empty if the file is damaged, because damage must not disable a tool.

        Raises:
            AgentError: `STORAGE_FAILED`: the file cannot be read, or a later version of this program wrote it.
        """
        path = tool_file(self._folder, name)
        with storing(f"The usage of {name} cannot be read"):
            content = path.read_text("utf-8", "replace") if path.exists() else "{}"
        try:
            return _USAGE_ADAPTER.validate_json(_content(content, name))
        except ValueError:
            _log.warning("The usage file of %s is damaged. Counting restarts at zero.", name)
            return {}

    def write(self, name: str, usage: Mapping[int, Usage]) -> None:
        """Replaces the usage of a tool. It is synced to disk before the method returns.

        Raises:
            AgentError: `STORAGE_FAILED`.
        """
        with storing(f"The usage of {name} cannot be stored"):
            content = {number: asdict(one) for number, one in usage.items()}
            write_durably(tool_file(self._folder, name), checked_json("usage", content, _USAGE_FORMAT))

    def drop(self, name: str) -> None:
        """Deletes the usage of a tool.

        Raises:
            AgentError: `STORAGE_FAILED`.
        """
        with storing(f"The usage of {name} cannot be deleted"):
            tool_file(self._folder, name).unlink(missing_ok=True)
            sync_folder(self._folder)


def tool_file(folder: Path, name: str) -> Path:
    """Returns the path of a tool's file. Rejects invalid names.

    No other function converts names to paths.

    Raises:
        AgentError: `UNKNOWN_TOOL`: invalid name.
    """
    if not _NAME.fullmatch(name):
        raise AgentError(ErrorCode.UNKNOWN_TOOL, f"There is no tool {name!r:.60}: invalid name.")
    return folder / f"{name}.json"


def _content(text: str, name: str) -> str:
    """Returns the usage from the text of a file. Files of earlier versions contain the usage without a checksum."""
    document = json.loads(text)
    if isinstance(document, dict) and "format" not in document:
        return text
    return read_checked_json("usage", text, _USAGE_FORMAT, f"The usage of {name}")
