"""A bag opened for reading, whoever wrote it: MCAP or SQLite, a folder or a file, whole or cut off."""

from __future__ import annotations

import hashlib
import struct
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rosbags.highlevel import AnyReader, AnyReaderError
from rosbags.interfaces import Connection
from rosbags.rosbag2 import ReaderError
from rosbags.serde import SerdeError
from rosbags.typesys import TypesysError

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.learning.demonstrations.channels import typestore
from reachy_agent_ros.learning.demonstrations.salvage import copy_readable, is_cut
from reachy_agent_ros.learning.demonstrations.zstandard import ZstdError
from reachy_agent_ros.storage.storing import storing

_METADATA = "metadata.yaml"

_DAMAGE = (
    *(AnyReaderError, ReaderError, TypesysError, SerdeError, ZstdError, struct.error, OSError, ValueError, TypeError),
    *(LookupError, AttributeError, ArithmeticError, MemoryError, AssertionError, RuntimeError),
)
"""What the readers raise for a bag whose lengths, names or contents are not what they were."""


@dataclass(frozen=True)
class OpenBag:
    """A bag that is open.

    Attributes:
        reader: Reads it.
        cut: Whether its end is missing, and only what came before is read.
        path: Where it is, for complaints.
    """

    reader: AnyReader
    cut: bool
    path: Path

    def messages(self, chosen: Sequence[Connection]) -> Iterator[tuple[Connection, int, bytes]]:
        """Connection, Unix time, ns, and content of every message of some connections, in order; of none, nothing.

        Raises:
            AgentError: `INVALID_GOAL`: it is damaged in the middle.
        """
        try:
            if chosen:
                yield from self.reader.messages(chosen)
        except _DAMAGE as error:
            raise _damaged(self.path, error) from error

    def deserialized(self, raw: bytes, kind: str) -> Any:
        """A message, from its content and type.

        Raises:
            AgentError: `INVALID_GOAL`: it is damaged.
        """
        try:
            return self.reader.deserialize(raw, kind)
        except _DAMAGE as error:
            raise _damaged(self.path, error) from error


@contextmanager
def opened(path: Path) -> Iterator[OpenBag]:
    """Opens a bag for a `with` block; nothing of it is changed.

    Args:
        path: The bag's folder, or its `.mcap` or `.db3` file.

    Raises:
        AgentError: `NOT_FOUND`, or `INVALID_GOAL`: it is no bag, or nothing of it can be read.
    """
    if not path.exists():
        raise AgentError(ErrorCode.NOT_FOUND, f"There is no bag {path}.")
    with tempfile.TemporaryDirectory(prefix="bag-") as scratch:
        try:
            files = _files(path)
            cut = [file for file in files if file.suffix == ".mcap" and is_cut(file)]
            if cut or not (path / _METADATA).exists():
                if len(files) != 1:
                    what = "no bag" if not files else "a bag of several files without its metadata.yaml, or with a cut"
                    raise AgentError(ErrorCode.INVALID_GOAL, f"{path} is {what}.")
                source = files[0]
                if cut:
                    source = Path(scratch, "readable.mcap")
                    copy_readable(files[0], source)
                reader = AnyReader([source], default_typestore=typestore())
            else:
                reader = AnyReader([path], default_typestore=typestore())
            reader.open()
        except _DAMAGE as error:
            raise _damaged(path, error) from error
        try:
            yield OpenBag(reader, bool(cut), path)
        finally:
            reader.close()


def digest_of(folder: Path) -> str:
    """SHA-256 over the SHA-256 of each of a bag's files, hexadecimal.

    Raises:
        AgentError: `STORAGE_FAILED`.
    """
    digest = hashlib.sha256()
    with storing(f"{folder} cannot be read"):
        for path in _files(folder):
            with path.open("rb") as file:
                digest.update(hashlib.file_digest(file, "sha256").digest())
    return digest.hexdigest()


def _damaged(path: Path, error: Exception) -> AgentError:
    return AgentError(ErrorCode.INVALID_GOAL, f"{path} cannot be read as a bag: {str(error) or type(error).__name__}")


def _files(path: Path) -> list[Path]:
    if path.is_file():
        return [path] if path.suffix in (".mcap", ".db3") else []
    return sorted(file for file in path.iterdir() if file.suffix in (".mcap", ".db3"))
