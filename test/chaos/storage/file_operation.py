"""Classes for the file operations of a program."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import PurePosixPath


@dataclass(frozen=True)
class Make:
    """Creation of a file or folder.

    Attributes:
        path: Path of the new file or folder.
        folder: Whether it is a folder.
    """

    path: PurePosixPath
    folder: bool = False


@dataclass(frozen=True)
class Write:
    """Write to a file.

    Attributes:
        path: Path of the file.
        offset: Offset of the data in the file; -1 to append.
        data: The written bytes.
    """

    path: PurePosixPath
    offset: int
    data: bytes


@dataclass(frozen=True)
class Resize:
    """Change of the size of a file.

    Attributes:
        path: Path of the file.
        size: New size, B.
    """

    path: PurePosixPath
    size: int


@dataclass(frozen=True)
class Sync:
    """Completed sync, after which the program may assume that data is on disk.

    Attributes:
        path: A file, whose content is synced, or a folder, whose entries are synced.
        began: Number of operations before the start of the sync. Later operations may not be on disk.
    """

    path: PurePosixPath
    began: int


@dataclass(frozen=True)
class Rename:
    """Rename of a file or folder, which replaces an existing target.

    Attributes:
        path: The old path.
        to: The new path.
    """

    path: PurePosixPath
    to: PurePosixPath


@dataclass(frozen=True)
class Remove:
    """Removal of a file or folder.

    Attributes:
        path: Path of the removed file or folder.
    """

    path: PurePosixPath


@dataclass(frozen=True)
class Acknowledge:
    """Acknowledgment of a record by the program.

    Attributes:
        number: Number of the record.
    """

    number: int


FileOperation = Make | Write | Resize | Sync | Rename | Remove | Acknowledge
