"""A bag being written: MCAP, as `ros2 bag` and `rosbags` read it."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import cast

from rosbags.interfaces import Connection
from rosbags.rosbag2 import CompressionFormat, CompressionMode, StoragePlugin, Writer
from rosbags.rosbag2.storage_mcap import McapWriter
from rosbags.typesys.store import Typestore

from reachy_agent_ros.core.durable_file import sync_folder
from reachy_agent_ros.learning.demonstrations.channels import type_of, typestore
from reachy_agent_ros.learning.demonstrations.zstandard import CompressionParameter, compress
from reachy_agent_ros.storage.storing import storing

CHUNK = 64 * 1024
"""B of messages that are written together and can be read on their own: the most that a cut takes of them."""

_COMPLAINT = "The recording cannot be written"


class BagWriter:
    """Writes messages in the order of their times; what was synced survives a crash or a power cut.

    Args:
        folder: Of the bag; must not exist.
        namespace: Of the topics, as "/reachy_mini", so that `ros2 bag play` plays them to a graph.
        types: Message type of each topic, relative to the namespace.
        store: Definitions of these.

    Raises:
        AgentError: `STORAGE_FAILED`, here and from every method.

    Attributes:
        size: B on disk at the last sync.
    """

    def __init__(
        self, folder: Path, namespace: str, types: Callable[[str], str] = type_of, store: Typestore | None = None
    ) -> None:
        self.folder = folder
        self._types = types
        self._store = store or typestore()
        self._namespace = namespace.rstrip("/")
        self._writer = Writer(folder, version=Writer.VERSION_LATEST, storage_plugin=StoragePlugin.MCAP)
        self._writer.set_compression(CompressionMode.STORAGE, CompressionFormat.ZSTD)
        self._connections: dict[str, Connection] = {}
        self._last = 0
        self.size = 0
        with storing(_COMPLAINT):
            self._writer.open()
        self._storage = cast(McapWriter, self._writer.storage)  # which has chunks to close, other storages have none
        self._storage.compressor = _compressed

    def write(self, channel: str, moment: int, message: bytes) -> None:
        """Adds a message.

        Args:
            channel: A topic, relative to the namespace.
            moment: Unix time, ns. A clock that was set back does not lead back here: readers that have lost the index
                rely on the order.
            message: In CDR.
        """
        if channel not in self._connections:
            topic = f"{self._namespace}/{channel}"
            connection = self._writer.add_connection(topic, self._types(channel), typestore=self._store)
            self._connections[channel] = connection
        self._last = max(self._last, moment)
        with storing(_COMPLAINT):
            self._writer.write(self._connections[channel], self._last, message)
            if self._storage.chunk.bio.tell() >= CHUNK:
                self._storage.close_chunk()

    def sync(self) -> None:
        """Puts all that was written on disk, as a chunk that can be read on its own."""
        with storing(_COMPLAINT):
            if self._storage.chunk.bio.tell():
                self._storage.close_chunk()
            self._storage.bio.flush()
            os.fsync(self._storage.bio.fileno())
            self.size = self._storage.bio.tell()

    def close(self) -> None:
        """Writes the index and `metadata.yaml`, without which `ros2 bag` opens nothing."""
        self.sync()
        with storing(_COMPLAINT):
            self._writer.close()
            for path in self.folder.iterdir():
                descriptor = os.open(path, os.O_RDONLY)
                try:
                    os.fsync(descriptor)
                finally:
                    os.close(descriptor)
            sync_folder(self.folder)

    def abandon(self) -> None:
        """Ends without an index, as a crash would: for a disk that takes no more."""
        with suppress(OSError):  # of what is still to be written, for which there is no room
            self._storage.abort()


def _compressed(chunk: bytes) -> bytes:
    """With a check sum, which whoever unpacks it compares; the writer of bags leaves out MCAP's own."""
    return compress(chunk, options={CompressionParameter.checksum_flag: 1})
