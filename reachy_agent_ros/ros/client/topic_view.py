"""Inspection of the topics of a running graph: discovery, lookup and subscription."""

from __future__ import annotations

import importlib
import queue
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import dataclass
from typing import Any

from rclpy.qos import DurabilityPolicy, HistoryPolicy, QoSProfile, ReliabilityPolicy

from reachy_agent_ros.core.deadline import Deadline
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.ros.client.client import GraphClient

QUIET = 0.5
"""Time without a new topic after which discovery counts as complete, s."""

SHARED = ("/diagnostics", "/tf", "/tf_static")
"""Topics of the robot outside of its namespace, under the names that ROS tools expect."""

_WAITING = 1_000
"""Maximum number of messages that wait for the reader; further ones are dropped."""


@dataclass(frozen=True)
class Topic:
    """Topic of a graph, with its type and numbers of publishers and subscribers.

    Attributes:
        name: Fully qualified name.
        type: Message type, for example "std_msgs/msg/String".
        publishers: Number of publishers.
        subscribers: Number of subscribers.
    """

    name: str
    type: str
    publishers: int
    subscribers: int


class TopicView:
    """Lists and subscribes to topics in any namespace.

    Args:
        client: Client that has joined the graph and is spinning.
    """

    def __init__(self, client: GraphClient) -> None:
        self._client = client
        self._node = client.node

    def topics(self) -> list[Topic]:
        """Waits for discovery, and returns all topics, sorted by name.

        Raises:
            AgentError: `SERVER_UNAVAILABLE` if no other process is running.
        """
        known = self.discovered()
        if not _others(known):
            raise AgentError(ErrorCode.SERVER_UNAVAILABLE, self._client.absence())
        return known

    def discovered(self) -> list[Topic]:
        """Waits for discovery, and returns all topics, sorted by name. Other processes do not need to be running."""
        deadline, quiet = Deadline(self._client.patience), Deadline(QUIET)
        known: list[Topic] = []
        while not deadline.passed and not quiet.passed:
            found = self._current()
            if len(found) != len(known) or not _others(found):
                known, quiet = found, Deadline(QUIET)
            self._client.pause()
        return known

    def published(self) -> list[Topic]:
        """Returns the published topics of the robot, except for the topics that implement actions.

        Raises:
            AgentError: `SERVER_UNAVAILABLE` if no other process is running.
        """
        prefix = f"{self._node.get_namespace()}/"
        return [
            topic
            for topic in self.topics()
            if topic.publishers
            and (topic.name.startswith(prefix) or topic.name in SHARED)
            and "/_action/" not in topic.name
        ]

    def find(self, name: str) -> Topic:
        """Returns the topic with the given name, fully qualified or relative to the robot's namespace.

        Raises:
            AgentError: `NOT_FOUND`, `SERVER_UNAVAILABLE`.
        """
        wanted = name if name.startswith("/") else f"{self._node.get_namespace()}/{name}"
        topics = {topic.name: topic for topic in self.topics()}
        if wanted not in topics:
            raise AgentError(ErrorCode.NOT_FOUND, f"Unknown topic {wanted}. `reachy-agent topics` lists all topics.")
        return topics[wanted]

    def listening(self, topic: Topic, hear: Callable[[bytes], None]) -> AbstractContextManager[None]:
        """Subscribes to the serialized messages of a topic during a `with` block.

        Args:
            topic: Topic from `find`.
            hear: Called with each message, in the executor's thread.


        Raises:
            AgentError: `NOT_FOUND` if the message type is not installed.
        """
        return self._subscribed(topic, hear, raw=True)

    @contextmanager
    def messages(self, topic: Topic) -> Iterator[Iterator[Any]]:
        """Subscribes to a topic during a `with` block. Yields an iterator of its messages, beginning with latched ones.

        Args:
            topic: Topic from `find`.


        Raises:
            AgentError: `NOT_FOUND` if the message type is not installed.
        """
        waiting: queue.Queue[Any] = queue.Queue(_WAITING)

        def put(message: Any) -> None:
            with suppress(queue.Full):
                waiting.put_nowait(message)

        with self._subscribed(topic, put, raw=False):
            yield iter(waiting.get, None)

    @contextmanager
    def _subscribed(self, topic: Topic, hear: Callable[[Any], None], raw: bool) -> Iterator[None]:
        kind = message_type(topic.type)
        subscription = self._node.create_subscription(kind, topic.name, hear, self._profile(topic), raw=raw)
        try:
            yield
        finally:
            self._node.destroy_subscription(subscription)

    def _current(self) -> list[Topic]:
        node = self._node
        return [
            Topic(name, types[0], node.count_publishers(name), node.count_subscribers(name))
            for name, types in sorted(node.get_topic_names_and_types())
        ]

    def _profile(self, topic: Topic) -> QoSProfile:
        """Returns a QoS profile that is compatible with every publisher of the topic."""
        offered = [info.qos_profile for info in self._node.get_publishers_info_by_topic(topic.name)]
        reliable = bool(offered) and all(each.reliability == ReliabilityPolicy.RELIABLE for each in offered)
        latched = bool(offered) and all(each.durability == DurabilityPolicy.TRANSIENT_LOCAL for each in offered)
        return QoSProfile(
            history=HistoryPolicy.KEEP_LAST,
            depth=100,
            reliability=ReliabilityPolicy.RELIABLE if reliable else ReliabilityPolicy.BEST_EFFORT,
            durability=DurabilityPolicy.TRANSIENT_LOCAL if latched else DurabilityPolicy.VOLATILE,
        )


def message_type(name: str) -> Any:
    """Returns the class of a message type, for example "std_msgs/msg/String".

    Raises:
        AgentError: `NOT_FOUND` if its package is not installed.
    """
    package, _, kind = name.rpartition("/")
    try:
        return getattr(importlib.import_module(package.replace("/", ".")), kind)
    except (ImportError, AttributeError):
        raise AgentError(ErrorCode.NOT_FOUND, f"The message type {name} is not installed.") from None


def _others(topics: list[Topic]) -> bool:
    """Returns whether another node publishes a topic, apart from the topics that all nodes have."""
    return any(topic.publishers for topic in topics if topic.name not in ("/rosout", "/parameter_events"))
