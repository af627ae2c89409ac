"""The topics of a running graph, as who only wants to look sees them."""

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
"""s without anything new after which all topics are taken as discovered."""

_WAITING = 1_000
"""Messages that wait for whoever looks; more are dropped."""


@dataclass(frozen=True)
class Topic:
    """One topic.

    Attributes:
        name: Fully qualified.
        type: As "std_msgs/msg/String".
        publishers: How many nodes publish it.
        subscribers: How many read it.
    """

    name: str
    type: str
    publishers: int
    subscribers: int


class TopicView:
    """Looks at topics, of any namespace.

    Args:
        client: Joined, and spinning.
    """

    def __init__(self, client: GraphClient) -> None:
        self._client = client
        self._node = client.node

    def topics(self) -> list[Topic]:
        """All of them, by name, once no more are discovered.

        Raises:
            AgentError: `SERVER_UNAVAILABLE`: nobody but this process is there.
        """
        deadline, quiet = Deadline(self._client.patience), Deadline(QUIET)
        known: list[Topic] = []
        while not deadline.passed and not quiet.passed:
            found = self._discovered()
            if len(found) != len(known) or not _others(found):
                known, quiet = found, Deadline(QUIET)
            self._client.pause()
        if not _others(known):
            raise AgentError(ErrorCode.SERVER_UNAVAILABLE, self._client.absence())
        return known

    def published(self) -> list[Topic]:
        """Those of the robot's namespace that somebody publishes; what actions use among themselves is left out.

        Raises:
            AgentError: `SERVER_UNAVAILABLE`: nobody is there.
        """
        prefix = f"{self._node.get_namespace()}/"
        return [
            topic
            for topic in self.topics()
            if topic.publishers and topic.name.startswith(prefix) and "/_action/" not in topic.name
        ]

    def find(self, name: str) -> Topic:
        """The topic of a name: fully qualified, or relative to the robot's namespace.

        Raises:
            AgentError: `NOT_FOUND`, `SERVER_UNAVAILABLE`.
        """
        wanted = name if name.startswith("/") else f"{self._node.get_namespace()}/{name}"
        topics = {topic.name: topic for topic in self.topics()}
        if wanted not in topics:
            raise AgentError(ErrorCode.NOT_FOUND, f"There is no topic {wanted}; `reachy-agent topics` lists them.")
        return topics[wanted]

    def listening(self, topic: Topic, hear: Callable[[bytes], None]) -> AbstractContextManager[None]:
        """Hears a topic's messages as they come over the wire, as long as the `with` block lasts.

        Args:
            topic: Of `find`.
            hear: Takes each, in the executor's thread.

        Raises:
            AgentError: `NOT_FOUND`: its type is not installed here.
        """
        return self._subscribed(topic, hear, raw=True)

    @contextmanager
    def messages(self, topic: Topic) -> Iterator[Iterator[Any]]:
        """What is published on a topic, as long as the `with` block lasts; latched messages come first.

        Args:
            topic: Of `find`.

        Raises:
            AgentError: `NOT_FOUND`: its type is not installed here.
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

    def _discovered(self) -> list[Topic]:
        node = self._node
        return [
            Topic(name, types[0], node.count_publishers(name), node.count_subscribers(name))
            for name, types in sorted(node.get_topic_names_and_types())
        ]

    def _profile(self, topic: Topic) -> QoSProfile:
        """What every publisher of the topic can serve: the least that any of them offers."""
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
    """The class of a message type, as "std_msgs/msg/String".

    Raises:
        AgentError: `NOT_FOUND`: its package is not installed here.
    """
    package, _, kind = name.rpartition("/")
    try:
        return getattr(importlib.import_module(package.replace("/", ".")), kind)
    except (ImportError, AttributeError):
        raise AgentError(ErrorCode.NOT_FOUND, f"The message type {name} is not installed here.") from None


def _others(topics: list[Topic]) -> bool:
    """Whether anybody but the looking node publishes: that one has only what every node has."""
    return any(topic.publishers for topic in topics if topic.name not in ("/rosout", "/parameter_events"))
