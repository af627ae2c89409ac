"""Consistent copy of a folder to which other processes may write during copying."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.storage.storing import storing

PASSES = 20
"""Maximum number of passes over files that change during the copy."""

_SQLITE = b"SQLite format 3\0"
_JOURNALS = ("-wal", "-shm", "-journal")

_Stamp = tuple[int, ...]
"""Stamp of a file: inode, size and modification time of it and its journal. Changes with every write or replacement."""


def snapshot(source: Path, target: Path) -> list[str]:
    """Copies a folder in the state that it had at a single moment.

    Files that changed during a pass are copied again, until a pass finds no change: all copies then show the same
    moment. SQLite copies the databases, because a database file is incomplete without its journal. Lock files are left
    out, because they contain no state.

    Args:
        source: Folder to copy. Other processes may write to it.
        target: Empty folder.

    Returns:
        Skipped entries, relative to `source`: everything that is neither a file nor a folder, such as links.

    Raises:
        AgentError: `STORAGE_FAILED`: reading or writing fails, a database is damaged, or a file changes in every pass.
    """
    copied: dict[str, _Stamp] = {}
    for _ in range(PASSES):
        with storing(f"{source} cannot be copied"):
            now = _stamps(source)
            restless = sorted(name for name in now.keys() | copied.keys() if now.get(name) != copied.get(name))
            if not restless:
                return _strange(source)
            for name in restless:
                _copy(source / name, target / name)
        copied = now
    message = f"{restless[0]} changes continuously. Stop the robot first: reachy-agent down."
    raise AgentError(ErrorCode.STORAGE_FAILED, message)


def _stamps(folder: Path) -> dict[str, _Stamp]:
    files = [path for path in folder.rglob("*") if path.is_file() and not path.is_symlink() and not _is_lock(path)]
    return {str(path.relative_to(folder)): _stamp(path) for path in sorted(files) if not _is_journal(path)}


def _stamp(path: Path) -> _Stamp:
    """Returns a stamp that changes whenever a file or its journal changes.

    The journal may contain the latest writes to the file.
    """
    found: list[int] = []
    for file in (path, Path(f"{path}-wal")):
        try:
            status = file.stat()
        except FileNotFoundError:
            continue
        if status.st_size:  # SQLite creates an empty journal for each reader
            found += (status.st_ino, status.st_size, status.st_mtime_ns)
    return tuple(found)


def _copy(source: Path, target: Path) -> None:
    """Copies a file. If the source no longer exists, deletes an earlier copy."""
    target.unlink(missing_ok=True)
    try:
        with source.open("rb") as file:
            is_database = file.read(len(_SQLITE)) == _SQLITE and ".damaged" not in source.name
    except FileNotFoundError:
        return
    target.parent.mkdir(parents=True, exist_ok=True)
    if is_database:
        _copy_database(source, target)
    else:
        shutil.copyfile(source, target)


def _copy_database(source: Path, target: Path) -> None:
    try:
        with closing(sqlite3.connect(source, timeout=10.0)) as origin, closing(sqlite3.connect(target)) as copy:
            origin.backup(copy)
            copy.execute("PRAGMA journal_mode=DELETE")  # so that the copy is one file
            sound = copy.execute("PRAGMA integrity_check(1)").fetchone() == ("ok",)
    except UnicodeDecodeError:  # SQLite's message quotes damaged bytes that are not UTF-8
        sound = False
    except sqlite3.Error as error:
        raise AgentError(ErrorCode.STORAGE_FAILED, f"{source} cannot be copied: {error}.") from error
    if not sound:
        message = f"{source} is damaged. Start the robot once, which sets it aside, and try again."
        raise AgentError(ErrorCode.STORAGE_FAILED, message)


def _is_lock(path: Path) -> bool:
    return path.name == "lock" or path.suffix == ".lock"


def _is_journal(path: Path) -> bool:
    return any(path.name.endswith(end) and Path(str(path).removesuffix(end)).is_file() for end in _JOURNALS)


def _strange(folder: Path) -> list[str]:
    plain = (path for path in folder.rglob("*") if path.is_symlink() or not (path.is_file() or path.is_dir()))
    return sorted(str(path.relative_to(folder)) for path in plain)
