"""Recording and playback of topics as bags for `ros2 bag` and `rosbags`."""

from __future__ import annotations

import queue
import time
from collections.abc import Callable, Collection, Sequence
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Any

from rclpy.node import Node
from rclpy.serialization import deserialize_message
from rosbags.interfaces import Connection

from reachy_agent_ros.core.cancel import CancelToken
from reachy_agent_ros.core.deadline import Deadline
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.learning.demonstrations.bag_file import OpenBag, opened
from reachy_agent_ros.learning.demonstrations.bag_writer import BagWriter
from reachy_agent_ros.ros.client.topic_view import Topic, TopicView, message_type
from reachy_agent_ros.ros.rclpy_ext.qos import LATCHED

SYNC_INTERVAL = 1.0
"""Period for syncing to disk, s."""

_PENDING = 20_000
"""Maximum number of messages that wait to be written; further ones are dropped and counted."""

_SHOWN = 3
"""Maximum number of topics that a message names."""

_Item = tuple[str, int, bytes]


class BagRecorder:
    """Records topics to a bag. If messages arrive faster than the disk can write, drops and counts messages.

    Args:
        view: Access to the topics of the graph.
        topics: Topics to record.
        folder: Folder of the bag, which must not exist.

    Attributes:
        recorded: Number of written messages.
        dropped: Number of messages dropped because too many were waiting.

    Raises:
        AgentError: `INVALID_ARGUMENTS` if the folder exists, or `STORAGE_FAILED`.
    """

    def __init__(self, view: TopicView, topics: Sequence[Topic], folder: Path) -> None:
        if folder.exists():
            raise AgentError(ErrorCode.INVALID_ARGUMENTS, f"{folder} already exists. Choose another folder.")
        self._view = view
        self._topics = topics
        types = {topic.name.removeprefix("/"): topic.type for topic in topics}
        self._bag = BagWriter(folder, "", types.__getitem__)
        self._waiting: queue.Queue[_Item] = queue.Queue(_PENDING)
        self.recorded = self.dropped = 0

    def record(self, until: CancelToken, seconds: float) -> None:
        """Records for a limited time or until the token is cancelled, then writes all messages to disk.

        Args:
            until: Token that ends the recording.
            seconds: Time limit, s; infinite for none.

        Raises:
            AgentError: `NOT_FOUND` if a message type is not installed, or `STORAGE_FAILED`. Messages synced before the
                error are kept.
        """
        deadline = Deadline(seconds)
        with ExitStack() as listening:
            for topic in self._topics:
                listening.enter_context(self._view.listening(topic, partial(self._take, topic.name.removeprefix("/"))))
            while not (until.cancelled or deadline.passed):
                self._write_for(min(SYNC_INTERVAL, deadline.remaining), until)
                self._bag.sync()
        while not self._waiting.empty():
            self._write(self._waiting.get())
        self._bag.close()

    def _take(self, channel: str, message: bytes) -> None:
        try:
            self._waiting.put_nowait((channel, time.time_ns(), message))
        except queue.Full:
            self.dropped += 1

    def _write_for(self, seconds: float, until: CancelToken) -> None:
        deadline = Deadline(seconds)
        while not (deadline.passed or until.cancelled):
            try:
                self._write(self._waiting.get(timeout=min(0.1, deadline.remaining)))
            except queue.Empty:
                continue

    def _write(self, item: _Item) -> None:
        self._bag.write(*item)
        self.recorded += 1


class BagPlayer:
    """Publishes the messages of a bag with their recorded timing.

    Topics with a live publisher are left out by default, because two publishers of the robot's state would contradict
    each other. Without a graph, all topics are played, for rviz or Foxglove. Motion targets pass through the safety
    gate as usual.

    Args:
        node: Node that publishes the messages, in any namespace.
        rate: Playback rate; 2 is twice as fast.
        only: Full names of the topics to play; empty for all topics without a live publisher.
        tell: Called with each line for the user.
    """

    def __init__(self, node: Node, rate: float, only: Collection[str], tell: Callable[[str], None]) -> None:
        self._node = node
        self._rate = rate
        self._only = only
        self._tell = tell

    def play(self, path: Path, until: CancelToken) -> int:
        """Plays a bag until it ends or the token is cancelled. Returns the number of published messages.

        Args:
            path: Folder or file of the bag.
            until: Token that ends the playback.

        Raises:
            AgentError: `NOT_FOUND` or `INVALID_GOAL` if there is no valid bag, `INVALID_ARGUMENTS` if it has no topic
                that can be played.
        """
        played = 0
        with opened(path) as bag:
            if bag.cut:
                self._tell("The bag is truncated; the messages before that point are played.")
            chosen = self._chosen(bag)
            publishers = self._publishers(chosen)
            first, began = None, time.monotonic()
            for connection, moment, data in bag.messages([each for each in chosen if each.id in publishers]):
                first = moment if first is None else first
                due = began + (moment - first) * 1e-9 / self._rate
                if until.wait(max(0.0, due - time.monotonic())):
                    break
                publishers[connection.id].publish(deserialize_message(data, message_type(connection.msgtype)))
                played += 1
        return played

    def _chosen(self, bag: OpenBag) -> list[Connection]:
        """Returns the topics to play: the requested topics or, by default, all topics without a live publisher."""
        recorded = list(bag.reader.connections)
        if self._only:
            if chosen := [each for each in recorded if each.topic in self._only]:
                return chosen
            message = f"{bag.path} has none of these topics. It has {_listed([each.topic for each in recorded])}."
            raise AgentError(ErrorCode.INVALID_ARGUMENTS, message)
        live = [each.topic for each in recorded if self._node.count_publishers(each.topic)]
        if live and len(live) == len(recorded):
            message = (
                f"The running graph publishes all topics of {bag.path} itself. Stop the graph and play the bag again "
                "to show it in rviz or Foxglove, or name the topics to play to the graph."
            )
            raise AgentError(ErrorCode.INVALID_ARGUMENTS, message)
        if live:
            self._tell(f"Left out, because the running graph publishes them: {_listed(live)}.")
        return [each for each in recorded if each.topic not in live]

    def _publishers(self, chosen: Sequence[Connection]) -> dict[int, Any]:
        """Creates publishers for topics whose message type is installed. Returns a map of connection ids to them."""
        publishers = {}
        for each in chosen:
            try:
                publishers[each.id] = self._node.create_publisher(message_type(each.msgtype), each.topic, LATCHED)
            except AgentError as error:
                self._tell(f"Left out {each.topic}: {error.message}")
        if not publishers:
            raise AgentError(ErrorCode.INVALID_ARGUMENTS, "The bag contains no topic whose message type is installed.")
        self._tell(f"Playing {_listed([each.topic for each in chosen if each.id in publishers])}.")
        return publishers


def _listed(topics: Sequence[str]) -> str:
    """Formats the number of topics and the first few of their names."""
    names = ", ".join(sorted(topics)[:_SHOWN])
    count = "1 topic" if len(topics) == 1 else f"{len(topics)} topics"
    return f"{count} ({names}{', ...' if len(topics) > _SHOWN else ''})"
