"""Parser of `strace` output that extracts the file operations of a program in one folder.

The input is the log of `strace -f -xx -e trace=...` with `CALLS`: one call per line, with strings as hexadecimal bytes.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import PurePosixPath

from chaos.storage.file_operation import Acknowledge, FileOperation, Make, Remove, Rename, Resize, Sync, Write

CALLS = (
    *("openat", "close", "dup", "dup2", "dup3", "fcntl", "lseek", "mkdir", "mkdirat"),
    *("write", "writev", "pwrite64", "pwritev", "ftruncate", "truncate", "fallocate", "sendfile", "copy_file_range"),
    *("fsync", "fdatasync", "rename", "renameat", "renameat2", "unlink", "unlinkat", "rmdir", "link", "linkat"),
)
"""System calls that must be traced."""

_CALL = re.compile(r"(\w+)\((.*)\)\s+= (-?\d+)")
_UNFINISHED, _RESUMED = " <unfinished ...>", re.compile(r"<\.\.\. (\w+) resumed>")
_STDOUT = 1


@dataclass
class _OpenFile:
    """State of an open file of the traced program.

    Attributes:
        path: Current path of the file; None once the file is removed.
        position: Current position in the file.
        append: Whether every write appends to the file.
    """

    path: PurePosixPath | None
    position: int = 0
    append: bool = False


class StraceLog:
    """Parser that remembers the open files of the traced program from one line to the next.

    Args:
        root: The folder, which is empty when the program starts.

    Attributes:
        operations: File operations in the folder so far. A number that the program writes to standard output is an
            acknowledgment.
    """

    def __init__(self, root: PurePosixPath) -> None:
        self.operations: list[FileOperation] = []
        self._root = root
        self._open: dict[int, _OpenFile] = {}
        self._names: set[PurePosixPath] = set()
        self._begun: dict[str, tuple[str, int]] = {}

    def read(self, lines: Iterable[str]) -> None:
        """Parses lines of `strace` output, and records the file operations in them.

        Raises:
            ValueError: The program made an unsupported system call on a file in the folder.
        """
        for line in lines:
            process, _, call = line.rstrip("\n").partition(" ")
            began, call = len(self.operations), call.strip()
            if call.endswith(_UNFINISHED):
                self._begun[process] = call.removesuffix(_UNFINISHED), began
                continue
            if resumed := _RESUMED.match(call):
                start, began = self._begun.pop(process)
                call = start + call[resumed.end() :]
            if (found := _CALL.match(call)) and int(found[3]) >= 0:
                self._done(found[1], found[2].split(", "), int(found[3]), began)

    def _done(self, name: str, arguments: list[str], result: int, began: int) -> None:
        if name == "openat":
            self._opened(self._path(arguments[0], arguments[1]), arguments[2], result)
        elif name in ("mkdir", "mkdirat"):
            self._make(self._path(*_place(name, arguments)), folder=True)
        elif name in ("unlink", "unlinkat", "rmdir"):
            self._removed(self._path(*_place(name, arguments)))
        elif name.startswith("rename"):
            both = arguments[:4] if name != "rename" else ["AT_FDCWD", arguments[0], "AT_FDCWD", arguments[1]]
            self._renamed(self._path(*both[:2]), self._path(*both[2:]))
        elif name == "write" and int(arguments[0]) == _STDOUT:
            self.operations.append(Acknowledge(int(_bytes(arguments[1]))))
        elif arguments[0].isdecimal() and int(arguments[0]) in self._open:
            self._described(name, int(arguments[0]), arguments, result, began)

    def _described(self, name: str, descriptor: int, arguments: list[str], result: int, began: int) -> None:
        """Parses a system call whose first argument is the descriptor of an open file in the folder."""
        file = self._open[descriptor]
        if name == "close":
            del self._open[descriptor]
        elif name.startswith("dup") or (name == "fcntl" and "DUPFD" in arguments[1]):
            self._open[result] = file
        elif name == "lseek":
            file.position = result
        elif file.path is None or name == "fcntl":
            return
        elif name in ("write", "pwrite64"):
            self._written(file, _bytes(arguments[1])[:result], int(arguments[3]) if name == "pwrite64" else None)
        elif name == "ftruncate":
            self.operations.append(Resize(file.path, int(arguments[1])))
        elif name in ("fsync", "fdatasync"):
            self.operations.append(Sync(file.path, began))
        else:
            raise ValueError(f"Unsupported system call {name}.")

    def _opened(self, path: PurePosixPath | None, flags: str, descriptor: int) -> None:
        self._open.pop(descriptor, None)
        if path is None:
            return
        if "O_CREAT" in flags and path not in self._names:
            self._make(path)
        elif "O_TRUNC" in flags:
            self.operations.append(Resize(path, 0))
        self._open[descriptor] = _OpenFile(path, append="O_APPEND" in flags)

    def _make(self, path: PurePosixPath | None, folder: bool = False) -> None:
        if path is not None:
            self._names.add(path)
            self.operations.append(Make(path, folder))

    def _written(self, file: _OpenFile, data: bytes, offset: int | None) -> None:
        assert file.path is not None
        place = file.position if offset is None else offset
        self.operations.append(Write(file.path, -1 if file.append else place, data))
        if offset is None:
            file.position += len(data)

    def _removed(self, path: PurePosixPath | None) -> None:
        if path is not None:
            self._names.discard(path)
            self._forget(path)
            self.operations.append(Remove(path))

    def _renamed(self, path: PurePosixPath | None, to: PurePosixPath | None) -> None:
        if path is None or to is None:
            return
        self._forget(to)
        self._names = {_moved(name, path, to) for name in self._names}
        for file in self._open.values():
            file.path = None if file.path is None else _moved(file.path, path, to)
        self.operations.append(Rename(path, to))

    def _forget(self, path: PurePosixPath) -> None:
        for file in self._open.values():
            if file.path == path:
                file.path = None

    def _path(self, folder: str, name: str) -> PurePosixPath | None:
        """Returns the absolute path of an argument, or None if the path is not in the folder."""
        given = PurePosixPath(_bytes(name).decode(errors="surrogateescape"))
        if not given.is_absolute() and folder.isdecimal() and int(folder) in self._open:
            given = (self._open[int(folder)].path or PurePosixPath()) / given
        return given if given.is_relative_to(self._root) else None


def _place(name: str, arguments: list[str]) -> tuple[str, str]:
    return (arguments[0], arguments[1]) if name.endswith("at") else ("AT_FDCWD", arguments[0])


def _moved(path: PurePosixPath, old: PurePosixPath, new: PurePosixPath) -> PurePosixPath:
    return new / path.relative_to(old) if path.is_relative_to(old) else path


def _bytes(literal: str) -> bytes:
    return bytes.fromhex(literal.strip('"').replace("\\x", ""))
