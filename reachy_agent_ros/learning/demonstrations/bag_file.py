"""A bag opened for reading, whoever wrote it: MCAP or SQLite, a folder or a file, whole or cut off."""

from __future__ import annotations

import struct
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from rosbags.highlevel import AnyReader, AnyReaderError
from rosbags.rosbag2 import ReaderError

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.learning.demonstrations.channels import typestore
from reachy_agent_ros.learning.demonstrations.salvage import copy_readable, is_cut

_METADATA = "metadata.yaml"


@dataclass(frozen=True)
class OpenBag:
    """A bag that is open.

    Attributes:
        reader: Reads it.
        cut: Whether its end is missing, and only what came before is read.
    """

    reader: AnyReader
    cut: bool


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
        except (AnyReaderError, ReaderError, OSError, ValueError, TypeError, struct.error) as error:
            raise AgentError(ErrorCode.INVALID_GOAL, f"{path} cannot be read as a bag: {error}") from error
        try:
            yield OpenBag(reader, bool(cut))
        finally:
            reader.close()


def _files(path: Path) -> list[Path]:
    if path.is_file():
        return [path] if path.suffix in (".mcap", ".db3") else []
    return sorted(file for file in path.iterdir() if file.suffix in (".mcap", ".db3"))
