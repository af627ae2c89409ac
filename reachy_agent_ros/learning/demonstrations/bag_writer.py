"""Writes messages or the content of another bag to an MCAP bag that `ros2 bag` and `rosbags` can read.

Bags are rewritten to repair a truncated bag, to trim a bag, or to import topics with other names.
"""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import cast

from rosbags.interfaces import Connection
from rosbags.rosbag2 import CompressionFormat, CompressionMode, StoragePlugin, Writer
from rosbags.rosbag2.storage_mcap import McapWriter

from reachy_agent_ros.core.durable_file import sync_folder
from reachy_agent_ros.core.names import NAMESPACE
from reachy_agent_ros.learning.demonstrations.bag import connections
from reachy_agent_ros.learning.demonstrations.bag_file import compressed, opened
from reachy_agent_ros.learning.demonstrations.channels import ABOUT, CHANNELS, type_of, typestore
from reachy_agent_ros.storage.storing import storing

CHUNK = 64 * 1024
"""Size of a self-contained chunk of messages, bytes; at most one chunk is lost if the file is truncated."""

_COMPLAINT = "Cannot write the recording"

_SYNC_EVERY = 1000
"""Number of messages between two syncs to disk."""

_FOR_EVER = 1e8
"""Upper limit of times, s, which avoids overflow."""


class BagWriter:
    """Writer of a bag with messages in chronological order.

    Messages survive a crash or a power failure after `sync`.

    Args:
        folder: Folder of the bag; must not exist.
        namespace: Namespace of the topics, for example "/reachy_mini", so that `ros2 bag play` reaches a graph.
        types: Function that returns the message type of a topic relative to the namespace.

    Raises:
        AgentError: `STORAGE_FAILED`, also from every method.

    Attributes:
        size: Size on disk at the last sync, bytes.
    """

    def __init__(self, folder: Path, namespace: str, types: Callable[[str], str] = type_of) -> None:
        self.folder = folder
        self._types = types
        self._namespace = namespace.rstrip("/")
        self._writer = Writer(folder, version=Writer.VERSION_LATEST, storage_plugin=StoragePlugin.MCAP)
        self._writer.set_compression(CompressionMode.STORAGE, CompressionFormat.ZSTD)
        self._connections: dict[str, Connection] = {}
        self._last = 0
        self.size = 0
        with storing(_COMPLAINT):
            self._writer.open()
        self._storage = cast(McapWriter, self._writer.storage)  # only MCAP storage has chunks
        self._storage.compressor = compressed

    def write(self, channel: str, moment: int, message: bytes) -> None:
        """Adds a message to the bag.

        Args:
            channel: Topic relative to the namespace.
            moment: Unix time, ns. A time earlier than that of the previous message is replaced by the previous time,
                because readers that have no index rely on the order.
            message: Message serialized as CDR.
        """
        if channel not in self._connections:
            topic = f"{self._namespace}/{channel}"
            connection = self._writer.add_connection(topic, self._types(channel), typestore=typestore())
            self._connections[channel] = connection
        self._last = max(self._last, moment)
        with storing(_COMPLAINT):
            self._writer.write(self._connections[channel], self._last, message)
            if self._storage.chunk.bio.tell() >= CHUNK:
                self._storage.close_chunk()

    def sync(self) -> None:
        """Writes all pending messages to disk as a self-contained chunk."""
        with storing(_COMPLAINT):
            if self._storage.chunk.bio.tell():
                self._storage.close_chunk()
            self._storage.bio.flush()
            os.fsync(self._storage.bio.fileno())
            self.size = self._storage.bio.tell()

    def close(self) -> None:
        """Closes the bag. Writes the index and the file `metadata.yaml`, which `ros2 bag` requires."""
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
        """Closes the bag without an index, for example because the disk is full or broken."""
        with suppress(OSError):  # the disk may be too full for the remaining data
            self._storage.abort()


def rewritten(
    source: Path,
    target: Path,
    between: tuple[float, float] = (0.0, math.inf),
    topics: Mapping[str, str] | None = None,
) -> float:
    """Copies the channels of a demonstration to a new bag, in chronological order.

    Args:
        source: Bag to copy; not changed.
        target: Folder of the new bag; must not exist.
        between: Part to copy, s after the first message.
        topics: Topic of the source for each channel whose name differs.

    Returns:
        Time between the first and the last copied message, s.

    Raises:
        AgentError: Same as for `opened` and `BagWriter`; the caller must remove the incomplete target.
    """
    topics = topics or {}
    with opened(source) as bag:
        start = bag.reader.start_time
        first, last = (start + min(moment, _FOR_EVER) * 1e9 for moment in between)
        channels = {
            (connection.topic, connection.msgtype): channel
            for channel in (*CHANNELS, ABOUT)
            for connection in connections(bag, channel, topics.get(channel, ""))
        }
        chosen = [one for one in bag.reader.connections if (one.topic, one.msgtype) in channels]
        writer = BagWriter(target, NAMESPACE)
        begin = end = 0
        for number, (connection, moment, raw) in enumerate(bag.messages(chosen)):
            channel = channels[connection.topic, connection.msgtype]
            if channel != ABOUT and not first <= moment <= last:
                continue
            writer.write(channel, int(max(moment, first)), bytes(raw))
            if channel != ABOUT:
                begin, end = begin or moment, moment
            if number % _SYNC_EVERY == 0:
                writer.sync()
        writer.close()
    return (end - begin) / 1e9
