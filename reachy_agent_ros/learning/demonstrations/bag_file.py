"""Reads bag files in MCAP or SQLite format. A bag is a folder or a single file. An MCAP bag may be truncated.

A truncated bag is read up to its last complete record. An MCAP file is a sequence of records, each with a one-byte
type, an eight-byte length, and the content. Complete chunks of messages are self-contained; after a crash, only the
index at the end is missing. Source: the MCAP specification, https://mcap.dev/spec.
"""

from __future__ import annotations

import hashlib
import struct
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

from rosbags.highlevel import AnyReader, AnyReaderError
from rosbags.interfaces import Connection
from rosbags.rosbag2 import ReaderError
from rosbags.rosbag2.storage_mcap import decompress
from rosbags.serde import SerdeError
from rosbags.typesys import TypesysError

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.learning.demonstrations.channels import typestore
from reachy_agent_ros.storage.storing import storing

if sys.version_info >= (3, 14):
    from compression.zstd import CompressionParameter, ZstdError, compress
else:  # its backport
    from backports.zstd import CompressionParameter, ZstdError, compress

_METADATA = "metadata.yaml"

_DAMAGE = (
    *(AnyReaderError, ReaderError, TypesysError, SerdeError, ZstdError, struct.error, OSError, ValueError, TypeError),
    *(LookupError, AttributeError, ArithmeticError, MemoryError, AssertionError, RuntimeError),
)
"""Errors that the readers raise for a damaged bag."""

MAGIC = b"\x89MCAP0\r\n"

_CHUNK, _DATA_END, _FOOTER = 0x06, 0x0F, 0x02

_HEADER = struct.Struct("<BQ")

_CHUNK_HEADER = struct.Struct("<QQQII")
"""Start time, end time, uncompressed size, checksum, length of the compression's name."""


@dataclass(frozen=True)
class OpenBag:
    """Bag that is open for reading.

    Attributes:
        reader: Reader of the bag.
        cut: Whether the file is truncated, so that only the part before the truncation is read.
        path: Path for error messages.
    """

    reader: AnyReader
    cut: bool
    path: Path

    def messages(self, chosen: Sequence[Connection]) -> Iterator[tuple[Connection, int, bytes]]:
        """Yields all messages of the given connections in order, as connection, Unix time (ns) and serialized content.

        Raises:
            AgentError: `INVALID_GOAL` if the bag is damaged.
        """
        try:
            if chosen:
                yield from self.reader.messages(chosen)
        except _DAMAGE as error:
            raise _damaged(self.path, error) from error

    def deserialized(self, raw: bytes, kind: str) -> Any:
        """Deserializes a message of a given type.

        Raises:
            AgentError: `INVALID_GOAL` if the message is damaged.
        """
        try:
            return self.reader.deserialize(raw, kind)
        except _DAMAGE as error:
            raise _damaged(self.path, error) from error


@contextmanager
def opened(path: Path) -> Iterator[OpenBag]:
    """Opens a bag for reading in a `with` block, without changing it.

    Args:
        path: Folder of the bag, or its `.mcap` or `.db3` file.

    Raises:
        AgentError: `NOT_FOUND`; `INVALID_GOAL` if the path is not a bag or cannot be read; the errors of `typestore`.
    """
    if not path.exists():
        raise AgentError(ErrorCode.NOT_FOUND, f"Bag not found: {path}.")
    with tempfile.TemporaryDirectory(prefix="bag-") as scratch:
        try:
            files = _files(path)
            cut = [file for file in files if file.suffix == ".mcap" and _is_cut(file)]
            if cut or not (path / _METADATA).exists():
                if len(files) != 1:
                    what = "not a bag" if not files else "truncated or lacks its metadata.yaml, and has several files"
                    raise AgentError(ErrorCode.INVALID_GOAL, f"{path} is {what}.")
                source = files[0]
                if cut:
                    source = Path(scratch, "readable.mcap")
                    _copy_readable(files[0], source)
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
    """Returns the digest of a bag as hexadecimal text.

    It is the SHA-256 of the concatenated SHA-256 digests of the `.mcap` and `.db3` files, sorted by name.

    Raises:
        AgentError: `STORAGE_FAILED`.
    """
    digest = hashlib.sha256()
    with storing(f"Cannot read {folder}"):
        for path in _files(folder):
            with path.open("rb") as file:
                digest.update(hashlib.file_digest(file, "sha256").digest())
    return digest.hexdigest()


def compressed(chunk: bytes) -> bytes:
    """Compresses a chunk of messages with Zstandard.

    Includes a Zstandard checksum, which decompression verifies, because the bag writer omits the checksum of MCAP.
    """
    return compress(chunk, options={CompressionParameter.checksum_flag: 1})


def _damaged(path: Path, error: Exception) -> AgentError:
    return AgentError(ErrorCode.INVALID_GOAL, f"Cannot read {path} as a bag: {str(error) or type(error).__name__}")


def _files(path: Path) -> list[Path]:
    if path.is_file():
        return [path] if path.suffix in (".mcap", ".db3") else []
    return sorted(file for file in path.iterdir() if file.suffix in (".mcap", ".db3"))


def _is_cut(path: Path) -> bool:
    """Returns whether an MCAP file is truncated. The magic bytes are then only at its beginning, not at its end."""
    with path.open("rb") as file:
        begins = file.read(len(MAGIC)) == MAGIC
        file.seek(max(0, path.stat().st_size - len(MAGIC)))
        return begins and file.read() != MAGIC


def _copy_readable(cut: Path, whole: Path) -> None:
    """Copies all records before the first damaged record, and adds a valid end of file.

    Raises:
        OSError: A file cannot be read or written.
    """
    with cut.open("rb") as source, whole.open("wb") as target:
        target.write(source.read(len(MAGIC)))
        while (record := _next_record(source)) is not None:
            target.write(record)
        target.write(_HEADER.pack(_DATA_END, 4) + bytes(4))
        target.write(_HEADER.pack(_FOOTER, 20) + bytes(20))
        target.write(MAGIC)


def _next_record(source: BinaryIO) -> bytes | None:
    """Returns the next complete data record; None at the end of the usable data."""
    header = source.read(_HEADER.size)
    if len(header) < _HEADER.size:
        return None
    kind, length = _HEADER.unpack(header)
    if kind in (0, _DATA_END, _FOOTER):  # 0: zero-filled blocks, if only the file length was written to disk
        return None
    content = source.read(length) if length < 2**32 else b""
    if len(content) < length or (kind == _CHUNK and not _intact(content)):
        return None
    return header + content


def _intact(chunk: bytes) -> bool:
    try:
        _, _, size, checksum, named = _CHUNK_HEADER.unpack_from(chunk)
        start = _CHUNK_HEADER.size + named
        compression = chunk[_CHUNK_HEADER.size : start].decode()
        decompress(chunk[start + 8 :], compression, size, checksum)
    except (struct.error, UnicodeDecodeError, ReaderError, ZstdError, RuntimeError):  # RuntimeError: lz4
        return False
    return True
