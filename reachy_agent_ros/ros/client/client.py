"""The short-lived node of a command: joins the running graph, asks its nodes, and leaves."""

from __future__ import annotations

import os
import queue
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import TracebackType
from typing import Any

import rclpy
from rclpy.context import Context
from rclpy.signals import SignalHandlerOptions

from reachy_agent_ros.core.deadline import Deadline
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.core.instance import any_runs
from reachy_agent_ros.ros.rclpy_ext.calls import ServiceCaller, require_success
from reachy_agent_ros.ros.rclpy_ext.heartbeat import HeartbeatMonitor
from reachy_agent_ros.ros.rclpy_ext.process import EventlessNode, create_executor, take_leave
from reachy_agent_ros.ros.rclpy_ext.qos import LATCHED
from reachy_agent_ros.supervision.record import GraphRecord, ProcessRecord, load
from reachy_agent_ros.supervision.transport import GOVERNED, LOOPBACK, apply, transport_environment

JOIN_TIMEOUT = 10.0
"""Seconds a command waits for the first heartbeat of a node of a running graph, on however busy a machine."""

STRANGER_TIMEOUT = 3.0
"""Seconds where no graph is known to run."""

ANSWER_TIMEOUT = 10.0
"""Seconds to an answer: another persona's servers may have to end first."""


class GraphClient:
    """A node in the graph's namespace, spun by a thread of its own, for a `with` block.

    It takes no node lock and sends no heartbeat: any number of commands may run at once.

    Args:
        command: What it is for; part of the node's name.
        namespace: Of the graph to join.

    Attributes:
        record: What `reachy-agent up` wrote down; None for a graph that something else started.
        node: Callbacks of its entities run in the thread.
    """

    def __init__(self, command: str, namespace: str) -> None:
        self._namespace = namespace
        self.record = _running(namespace)
        _join_transport(self.record)
        self._context = Context()
        # Not the command's own arguments: rclpy takes `attention:=always` for another name of a topic.
        rclpy.init(args=[], context=self._context, signal_handler_options=SignalHandlerOptions.NO)
        self.node = EventlessNode(f"cli_{command}_{os.getpid()}", namespace=namespace, context=self._context)
        self._executor = create_executor(context=self._context)
        self._executor.add_node(self.node)
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._spin, daemon=True)

    def __enter__(self) -> GraphClient:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stop.set()
        self._executor.wake()
        self._thread.join()
        self._executor.shutdown()
        take_leave(self.node)
        rclpy.shutdown(context=self._context)

    @property
    def patience(self) -> float:
        """Seconds to wait for the first sign of a node: longer where a graph is known to run, whoever started it."""
        return JOIN_TIMEOUT if self.record is not None or any_runs(self._namespace) else STRANGER_TIMEOUT

    @property
    def outdated(self) -> bool:
        """Whether another graph runs now than when this was made, or none, so that it may not be heard."""
        return _supervisor(_running(self._namespace)) != _supervisor(self.record)

    def watch(self, name: str) -> HeartbeatMonitor:
        """Waits until a node of the graph is heard.

        Args:
            name: Relative to the namespace.

        Raises:
            AgentError: `SERVER_UNAVAILABLE`, saying how to start what is missing.
        """
        watch = HeartbeatMonitor(self.node, name)
        deadline = Deadline(self.patience)
        while not watch.alive:
            if deadline.passed:
                raise AgentError(ErrorCode.SERVER_UNAVAILABLE, self.absence(name))
            self.pause()
        return watch

    def pause(self) -> None:
        """Lets a hundredth of a second pass, between two looks at something that another process changes."""
        self._stop.wait(0.01)

    def absence(self, name: str = "The graph") -> str:
        """Why a node is not heard, and what to do about it."""
        if self.record is not None:
            return f"{name} does not answer; `reachy-agent status` shows the graph."
        domain = os.environ.get("ROS_DOMAIN_ID", "0")
        return f"No graph runs in {self._namespace} (ROS domain {domain}). Start one: reachy-agent up"

    def _spin(self) -> None:
        while not self._stop.is_set():
            self._executor.spin_once(timeout_sec=1.0)


class NodeClient:
    """Reads what the node shows, and tells it what a person decided.

    Args:
        client: Joined the graph.
        name: The node's.

    Raises:
        AgentError: `SERVER_UNAVAILABLE`: it does not run.
    """

    def __init__(self, client: GraphClient, name: str) -> None:
        self._client = client
        self._name = name
        self._heartbeat = client.watch(name)

    def ask(self, service_type: type, name: str, request: Any, timeout: float = ANSWER_TIMEOUT) -> Any:
        """Calls a service of the node.

        Args:
            service_type: For example `reachy_agent_msgs.srv.SetPersona`.
            name: Its name.
            request: Message of its Request type.
            timeout: s to the answer.

        Raises:
            AgentError: The answer's own error, or there was no answer.
        """
        return require_success(self.answer(service_type, name, request, timeout))

    def answer(self, service_type: type, name: str, request: Any, timeout: float = ANSWER_TIMEOUT) -> Any:
        """As `ask`, for who wants the answer also where it is an error.

        Raises:
            AgentError: There was no answer.
        """
        return ServiceCaller(self._client.node, service_type, name, self._heartbeat).call(request, timeout)

    def changes(self, message_type: type, topic: str) -> Iterator[Any]:
        """The newest message of a latched topic, and every one after it, without end.

        Raises:
            AgentError: `SERVER_UNAVAILABLE`: there is none.
        """
        messages: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self._client.node.create_subscription(message_type, topic, messages.put, LATCHED)
        try:
            yield messages.get(timeout=self._client.patience)
        except queue.Empty:
            raise AgentError(ErrorCode.SERVER_UNAVAILABLE, f"{self._name} does not show its {topic}.") from None
        while True:
            yield messages.get()

    def latest(self, message_type: type, topic: str) -> Any:
        """The newest message of a latched topic.

        Raises:
            AgentError: `SERVER_UNAVAILABLE`: there is none.
        """
        return next(self.changes(message_type, topic))


@contextmanager
def joined(name: str, command: str, namespace: str) -> Iterator[NodeClient]:
    """Joins the graph for a `with` block.

    Args:
        name: Node to ask.
        command: What it is for; part of the asking node's name.
        namespace: Of the graph.

    Raises:
        AgentError: `SERVER_UNAVAILABLE`, saying how to start what is missing.
    """
    with GraphClient(command, namespace) as client:
        yield NodeClient(client, name)


def _running(namespace: str) -> GraphRecord | None:
    record = load(namespace)
    return record if record is not None and record.alive else None


def _supervisor(record: GraphRecord | None) -> ProcessRecord | None:
    return None if record is None else record.supervisor


def _join_transport(record: GraphRecord | None) -> None:
    """Takes the running graph's transport, else what the user has set, else the default one."""
    if record is not None:
        apply(record.environment)
    elif not any(name in os.environ for name in GOVERNED):
        apply(transport_environment(LOOPBACK))
