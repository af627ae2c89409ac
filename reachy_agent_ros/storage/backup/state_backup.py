"""Backup of the state directory to one file, and restoration from this file."""

from __future__ import annotations

import ctypes
import os
import shutil
import tempfile
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

import psutil

from reachy_agent_ros.core.durable_file import sync_folder
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.storage.backup.archive import BackupManifest, pack, unpack
from reachy_agent_ros.storage.backup.snapshot import snapshot
from reachy_agent_ros.storage.storing import storing

_AT_FDCWD = -100
"""Directory argument of renameat2(2) for paths relative to the working directory."""

_RENAME_EXCHANGE = 2


@dataclass(frozen=True)
class Backup:
    """Result of a backup.

    Attributes:
        manifest: Files of the backup.
        left_out: Skipped entries, such as links.
    """

    manifest: BackupManifest
    left_out: tuple[str, ...]


@dataclass(frozen=True)
class Restored:
    """Result of a restoration.

    Attributes:
        manifest: Files of the backup.
        kept: Path of the previous state; None if there was no state.
    """

    manifest: BackupManifest
    kept: Path | None


def back_up(state: Path, archive: Path) -> Backup:
    """Writes a backup of the state directory to a file. The robot may be running.

    The backup contains the state at a single moment.

    Args:
        state: State directory.
        archive: New file. Its file system needs room for two copies of the state.

    Raises:
        AgentError: `INVALID_ARGUMENTS`: the archive would be in the state directory; `STORAGE_FAILED`: as for
            `snapshot` and `pack`.
    """
    if archive.resolve().is_relative_to(state.resolve()):
        message = f"{archive} would be part of its own backup. Choose a path outside {state}, ideally on another disk."
        raise AgentError(ErrorCode.INVALID_ARGUMENTS, message)
    copy = _draft(archive)
    try:
        left_out = snapshot(state, copy)
        return Backup(pack(copy, archive), tuple(left_out))
    finally:
        shutil.rmtree(copy)


def restore(archive: Path, state: Path) -> Restored:
    """Replaces the current state with a backup. Moves the current state to a folder next to the state directory.

    Everything is checked and on disk before anything changes; then the two directories are exchanged atomically.

    Args:
        archive: File that `back_up` wrote.
        state: State directory; need not exist.

    Raises:
        AgentError: `INVALID_GOAL`: the robot is running with that state; `STORAGE_FAILED`: as for `unpack`, or the file
            system cannot exchange directories. Nothing has changed in either case.
    """
    draft = _draft(state)
    try:
        manifest = unpack(archive, draft)
        require_rest(state)
        return Restored(manifest, _put(draft, state))
    finally:
        shutil.rmtree(draft, ignore_errors=True)


def require_rest(state: Path) -> None:
    """Checks that no process of this user has a file in the state directory open.

    Such a process would continue to write to the old state.

    Raises:
        AgentError: `INVALID_GOAL`: a process has such a file open.
    """
    inside = f"{state.resolve()}{os.sep}"
    for process in psutil.process_iter():
        with suppress(psutil.Error):
            for file in process.open_files():
                if file.path.startswith(inside):
                    message = f"Process {process.pid} has {file.path} open. Stop the robot first: reachy-agent down."
                    raise AgentError(ErrorCode.INVALID_GOAL, message)


def exchange(one: Path, other: Path) -> None:
    """Exchanges the names of two folders atomically, so that both names always exist.

    Args:
        one: First folder.
        other: Second folder, on the same file system.

    Raises:
        OSError: The file system does not support it, or a folder is missing; the folders remain unchanged.
    """
    library = ctypes.CDLL(None, use_errno=True)
    if library.renameat2(_AT_FDCWD, os.fsencode(one), _AT_FDCWD, os.fsencode(other), _RENAME_EXCHANGE):
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code))


def _draft(path: Path) -> Path:
    """Creates a temporary folder on the same file system as `path`."""
    with storing(f"Cannot create a folder beside {path}"):
        path.parent.mkdir(parents=True, exist_ok=True)
        return Path(tempfile.mkdtemp(prefix=f".{path.name}.draft-", dir=path.parent))


def _put(draft: Path, state: Path) -> Path | None:
    with storing(f"{state} cannot be replaced"):
        if not state.exists() or not any(state.iterdir()):
            draft.rename(state)
            sync_folder(state.parent)
            return None
        # The draft takes the backup name before the exchange: no later failure can then lose the old state.
        kept = state.with_name(f"{state.name}.before-{datetime.now():%Y-%m-%dT%H-%M-%S.%f}")
        draft.rename(kept)
        try:
            exchange(kept, state)
        except OSError:
            shutil.rmtree(kept)
            raise
        sync_folder(state.parent)
        return kept
