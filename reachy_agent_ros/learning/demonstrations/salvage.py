"""What is left of a bag that was cut off in the middle.

An MCAP file is a sequence of records: a byte that says what it is, eight that say how long, and the content. Whole
chunks of messages stand on their own; only the index at the end is missing after a crash. Source: the MCAP
specification, https://mcap.dev/spec.
"""

from __future__ import annotations

import struct
from pathlib import Path
from typing import BinaryIO

from rosbags.rosbag2.errors import ReaderError
from rosbags.rosbag2.storage_mcap import decompress

from reachy_agent_ros.learning.demonstrations.zstandard import ZstdError

MAGIC = b"\x89MCAP0\r\n"

_CHUNK, _DATA_END, _FOOTER = 0x06, 0x0F, 0x02

_HEADER = struct.Struct("<BQ")
_CHUNK_HEADER = struct.Struct("<QQQII")
"""First and last time, size, check sum, length of the compression's name."""


def is_cut(path: Path) -> bool:
    """Whether an MCAP file begins as one and does not end as one."""
    with path.open("rb") as file:
        begins = file.read(len(MAGIC)) == MAGIC
        file.seek(max(0, path.stat().st_size - len(MAGIC)))
        return begins and file.read() != MAGIC


def copy_readable(cut: Path, whole: Path) -> None:
    """Copies all records up to the first damaged one and ends the file as it should be.

    Raises:
        OSError: One of the files cannot be read or written.
    """
    with cut.open("rb") as source, whole.open("wb") as target:
        target.write(source.read(len(MAGIC)))
        while (record := _next_record(source)) is not None:
            target.write(record)
        target.write(_HEADER.pack(_DATA_END, 4) + bytes(4))
        target.write(_HEADER.pack(_FOOTER, 20) + bytes(20))
        target.write(MAGIC)


def _next_record(source: BinaryIO) -> bytes | None:
    """The next whole record with data; None where there is no more."""
    header = source.read(_HEADER.size)
    if len(header) < _HEADER.size:
        return None
    kind, length = _HEADER.unpack(header)
    if kind in (0, _DATA_END, _FOOTER):  # 0: blocks of a file whose length reached the disk before its content
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
    except (struct.error, UnicodeDecodeError, ReaderError, ZstdError, RuntimeError):  # the last one is lz4's
        return False
    return True
