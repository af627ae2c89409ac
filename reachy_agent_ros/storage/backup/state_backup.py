"""The state directory in one file, and back."""

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
from reachy_agent_ros.storage.backup.archive import Manifest, pack, unpack
from reachy_agent_ros.storage.backup.snapshot import snapshot
from reachy_agent_ros.storage.storing import storing

_AT_FDCWD = -100
"""For renameat2(2): paths are as everywhere else."""

_RENAME_EXCHANGE = 2


@dataclass(frozen=True)
class Backup:
    """What was backed up.

    Attributes:
        manifest: The files.
        left_out: Links and the like, which no backup holds.
    """

    manifest: Manifest
    left_out: tuple[str, ...]


@dataclass(frozen=True)
class Restored:
    """What was restored.

    Attributes:
        manifest: The files.
        kept: Where the state lies now that was there before; None where there was none.
    """

    manifest: Manifest
    kept: Path | None


def back_up(state: Path, archive: Path) -> Backup:
    """Writes the state directory into a file, as it was at one moment; the robot may run meanwhile.

    Args:
        state: The directory.
        archive: The file, which there must not be yet; its folder has room for the state twice.

    Raises:
        AgentError: `INVALID_ARGUMENTS`: the file would lie in the directory; `STORAGE_FAILED`: what `snapshot` and
            `pack` raise.
    """
    if archive.resolve().is_relative_to(state.resolve()):
        message = f"{archive} would be a part of itself. Choose a place outside {state}, best on another disk."
        raise AgentError(ErrorCode.INVALID_ARGUMENTS, message)
    copy = _draft(archive)
    try:
        left_out = snapshot(state, copy)
        return Backup(pack(copy, archive), tuple(left_out))
    finally:
        shutil.rmtree(copy)


def restore(archive: Path, state: Path) -> Restored:
    """Puts the state of a backup in the place of the present one, which is kept beside it.

    Everything is checked and on disk before anything is changed; then the two change places in one step.

    Args:
        archive: What `back_up` wrote.
        state: The directory; there need not be one.

    Raises:
        AgentError: `INVALID_GOAL`: the robot runs on that state; `STORAGE_FAILED`: what `unpack` raises, or the file
            system cannot do it. Nothing has changed then.
    """
    draft = _draft(state)
    try:
        manifest = unpack(archive, draft)
        require_rest(state)
        return Restored(manifest, _put(draft, state))
    finally:
        shutil.rmtree(draft, ignore_errors=True)


def require_rest(state: Path) -> None:
    """Refuses a directory in which a process of this user has a file open: it would go on writing into the old one.

    Raises:
        AgentError: `INVALID_GOAL`.
    """
    inside = f"{state.resolve()}{os.sep}"
    for process in psutil.process_iter():
        with suppress(psutil.Error):
            for file in process.open_files():
                if file.path.startswith(inside):
                    message = f"Process {process.pid} has {file.path} open. End the robot first: reachy-agent down."
                    raise AgentError(ErrorCode.INVALID_GOAL, message)


def exchange(one: Path, other: Path) -> None:
    """Gives each of two folders the other's name at once: whoever looks finds the one or the other, never neither.

    Args:
        one: A folder.
        other: A folder of the same file system.

    Raises:
        OSError: The file system cannot do that, or one of them is missing; both are as they were.
    """
    library = ctypes.CDLL(None, use_errno=True)
    if library.renameat2(_AT_FDCWD, os.fsencode(one), _AT_FDCWD, os.fsencode(other), _RENAME_EXCHANGE):
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code))


def _draft(path: Path) -> Path:
    """A folder of its own on the file system of `path`."""
    with storing(f"Beside {path} nothing can be written"):
        path.parent.mkdir(parents=True, exist_ok=True)
        return Path(tempfile.mkdtemp(prefix=f".{path.name}.draft-", dir=path.parent))


def _put(draft: Path, state: Path) -> Path | None:
    with storing(f"{state} cannot be replaced"):
        if not state.exists() or not any(state.iterdir()):
            draft.rename(state)
            sync_folder(state.parent)
            return None
        # It has its last name before they change places, so that nothing which fails afterwards can take the old state.
        kept = state.with_name(f"{state.name}.before-{datetime.now():%Y-%m-%dT%H-%M-%S.%f}")
        draft.rename(kept)
        try:
            exchange(kept, state)
        except OSError:
            shutil.rmtree(kept)
            raise
        sync_folder(state.parent)
        return kept
