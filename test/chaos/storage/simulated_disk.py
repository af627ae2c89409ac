"""Simulated disk: possible contents of a folder after a power failure at any point of its history.

Synced data is always present. Any other write is complete, missing, or torn, that is, only some of its 512-byte sectors
are written. Changes of names in one folder happen in order, as in every journaling file system, and the last changes
may be missing. Different folders are independent, and so are the name and the content of a file.

Method: the crash tests of SQLite (https://www.sqlite.org/testing.html#crash_testing), applied to folders.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from chaos.storage.file_operation import FileOperation, Make, Remove, Rename, Resize, Sync, Write

SECTOR = 512
"""Size of a sector, which a disk writes completely or not at all, B."""


@dataclass
class _Change:
    """Change to the content of a file that is not on disk yet.

    Attributes:
        moment: Number of the operation.
        offset: Offset of the data in the file.
        data: The written data; None if the file was resized to `offset`.
    """

    moment: int
    offset: int
    data: bytes | None


@dataclass
class _File:
    durable: bytearray = field(default_factory=bytearray)
    live: bytearray = field(default_factory=bytearray)
    pending: list[_Change] = field(default_factory=list)


@dataclass
class _Naming:
    """Atomic change to the names of files in a folder.

    Attributes:
        moment: Number of the operation.
        entries: Files of the names from then on; None if a name is removed.
    """

    moment: int
    entries: dict[str, _Node | None]


@dataclass
class _Folder:
    durable: dict[str, _Node] = field(default_factory=dict)
    live: dict[str, _Node] = field(default_factory=dict)
    pending: list[_Naming] = field(default_factory=list)


_Node = _File | _Folder


class SimulatedDisk:
    """Simulated disk with one folder, which is initially empty and synced.

    Args:
        root: Path of the folder.
    """

    def __init__(self, root: PurePosixPath) -> None:
        self._root = root
        self._top = _Folder()
        self._moment = 0

    def apply(self, operation: FileOperation) -> None:
        """Applies the next operation of the program."""
        if isinstance(operation, Make):
            self._name(operation.path, _Folder() if operation.folder else _File())
        elif isinstance(operation, Remove):
            self._name(operation.path, None)
        elif isinstance(operation, Rename):
            self._rename(operation.path, operation.to)
        elif isinstance(operation, Write):
            self._write(operation)
        elif isinstance(operation, Resize):
            _change(self._file(operation.path), _Change(self._moment, operation.size, None))
        elif isinstance(operation, Sync):
            _sync(self._node(operation.path), operation.began)
        self._moment += 1

    def write_live(self, target: Path) -> None:
        """Writes the content of the folder, as the running program sees it, to another folder."""
        _write_out(self._top, target, None)

    def write_after_cut(self, target: Path, chance: random.Random) -> None:
        """Writes a possible content of the folder after a power failure at this moment.

        The simulated disk is unchanged.

        Args:
            target: Folder to create.
            chance: Decides which unsynced changes are on disk.
        """
        _write_out(self._top, target, chance)

    def _node(self, path: PurePosixPath) -> _Node:
        node: _Node = self._top
        for name in path.relative_to(self._root).parts:
            assert isinstance(node, _Folder)
            node = node.live[name]
        return node

    def _file(self, path: PurePosixPath) -> _File:
        node = self._node(path)
        assert isinstance(node, _File)
        return node

    def _folder(self, path: PurePosixPath) -> _Folder:
        node = self._node(path)
        assert isinstance(node, _Folder)
        return node

    def _write(self, operation: Write) -> None:
        file = self._file(operation.path)
        offset = len(file.live) if operation.offset < 0 else operation.offset
        _change(file, _Change(self._moment, offset, operation.data))

    def _name(self, path: PurePosixPath, node: _Node | None) -> None:
        _enter(self._folder(path.parent), _Naming(self._moment, {path.name: node}))

    def _rename(self, path: PurePosixPath, to: PurePosixPath) -> None:
        node, source, target = self._node(path), self._folder(path.parent), self._folder(to.parent)
        if source is target:
            _enter(source, _Naming(self._moment, {path.name: None, to.name: node}))
        else:
            _enter(target, _Naming(self._moment, {to.name: node}))
            _enter(source, _Naming(self._moment, {path.name: None}))


def _change(file: _File, change: _Change) -> None:
    _put(file.live, change)
    file.pending.append(change)


def _put(content: bytearray, change: _Change) -> None:
    end = change.offset + len(change.data or b"")
    if change.data is None:
        del content[end:]
    content.extend(bytes(max(0, end - len(content))))
    if change.data is not None:
        content[change.offset : end] = change.data


def _enter(folder: _Folder, naming: _Naming) -> None:
    _rename(folder.live, naming)
    folder.pending.append(naming)


def _rename(names: dict[str, _Node], naming: _Naming) -> None:
    for name, node in naming.entries.items():
        if node is None:
            names.pop(name, None)
        else:
            names[name] = node


def _sync(node: _Node, began: int) -> None:
    """Makes all changes that precede an operation durable."""
    if isinstance(node, _File):
        for change in node.pending:
            if change.moment < began:
                _put(node.durable, change)
        node.pending = [change for change in node.pending if change.moment >= began]
    else:
        for naming in node.pending:
            if naming.moment < began:
                _rename(node.durable, naming)
        node.pending = [naming for naming in node.pending if naming.moment >= began]


def _write_out(folder: _Folder, target: Path, chance: random.Random | None) -> None:
    target.mkdir()
    for name, node in (folder.live if chance is None else _names_left(folder, chance)).items():
        if isinstance(node, _Folder):
            _write_out(node, target / name, chance)
        else:
            (target / name).write_bytes(node.live if chance is None else _content_left(node, chance))


def _names_left(folder: _Folder, chance: random.Random) -> dict[str, _Node]:
    names = dict(folder.durable)
    for naming in folder.pending[: chance.randint(0, len(folder.pending))]:
        _rename(names, naming)
    return names


def _content_left(file: _File, chance: random.Random) -> bytes:
    content = bytearray(file.durable)
    for change in file.pending:
        for part in _parts_left(change, chance):
            _put(content, part)
    return bytes(content)


def _parts_left(change: _Change, chance: random.Random) -> list[_Change]:
    fate = chance.random()
    if fate < 0.4:
        return []
    if fate < 0.8 or change.data is None:
        return [change]
    first = -change.offset % SECTOR
    starts = [0, *range(first or SECTOR, len(change.data), SECTOR)]
    ends = [*starts[1:], len(change.data)]
    sectors = [slice(start, end) for start, end in zip(starts, ends, strict=True) if chance.random() < 0.5]
    return [_Change(change.moment, change.offset + one.start, change.data[one]) for one in sectors]
