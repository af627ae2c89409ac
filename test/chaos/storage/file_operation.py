"""File operations of a program, in order."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import PurePosixPath


@dataclass(frozen=True)
class Make:
    """A new file or folder came to be under a name.

    Attributes:
        path: The name.
        folder: Whether it is a folder.
    """

    path: PurePosixPath
    folder: bool = False


@dataclass(frozen=True)
class Write:
    """Bytes were written.

    Attributes:
        path: Name that the file had when it was opened, and has still.
        offset: Of the first of them; -1 behind the last one of the file.
        data: All of them.
    """

    path: PurePosixPath
    offset: int
    data: bytes


@dataclass(frozen=True)
class Resize:
    """A file became longer or shorter.

    Attributes:
        path: As of `Write`.
        size: B.
    """

    path: PurePosixPath
    size: int


@dataclass(frozen=True)
class Sync:
    """Completed sync: the program may assume that data is on disk.

    Attributes:
        path: A file, of which its content is meant, or a folder, of which its names are.
        began: Number of the operations that were done when it asked; later ones may not be on disk.
    """

    path: PurePosixPath
    began: int


@dataclass(frozen=True)
class Rename:
    """A name became another one, whatever bore that.

    Attributes:
        path: The old one.
        to: The new one.
    """

    path: PurePosixPath
    to: PurePosixPath


@dataclass(frozen=True)
class Remove:
    """A name went.

    Attributes:
        path: It.
    """

    path: PurePosixPath


@dataclass(frozen=True)
class Acknowledge:
    """The program told that it keeps a record.

    Attributes:
        number: Of the record.
    """

    number: int


FileOperation = Make | Write | Resize | Sync | Rename | Remove | Acknowledge
