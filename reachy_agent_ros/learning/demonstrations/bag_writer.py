"""Writing bags: in MCAP, as `ros2 bag` and `rosbags` read it, from messages or from another bag.

A demonstration's bag is written anew where it was cut, to be shorter, or from another robot's topics.
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
"""B of messages that are written together and can be read on their own: the most that a cut takes of them."""

_COMPLAINT = "The recording cannot be written"

_SYNC_EVERY = 1000
"""Messages."""

_FOR_EVER = 1e8
"""s."""


class BagWriter:
    """Writes messages in the order of their times; what was synced survives a crash or a power cut.

    Args:
        folder: Of the bag; must not exist.
        namespace: Of the topics, as "/reachy_mini", so that `ros2 bag play` plays them to a graph.
        types: Message type of each topic, relative to the namespace.

    Raises:
        AgentError: `STORAGE_FAILED`, here and from every method.

    Attributes:
        size: B on disk at the last sync.
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
        self._storage = cast(McapWriter, self._writer.storage)  # which has chunks to close, other storages have none
        self._storage.compressor = compressed

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
            connection = self._writer.add_connection(topic, self._types(channel), typestore=typestore())
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


def rewritten(
    source: Path,
    target: Path,
    between: tuple[float, float] = (0.0, math.inf),
    topics: Mapping[str, str] | None = None,
) -> float:
    """Copies what a demonstration holds, in the order of time.

    Args:
        source: A bag that can be read; it stays as it is.
        target: Folder of the new one; must not exist.
        between: Seconds from the first message on that are copied.
        topics: Names of the source's topics by channel, where they are other ones than ours.

    Returns:
        s between the first and the last message that was copied.

    Raises:
        AgentError: What `opened` and `BagWriter` raise; what there is of the target is the caller's to remove.
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
