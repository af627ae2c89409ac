"""Short-lived node, with which a command joins the running graph and calls other nodes."""

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
"""Time to wait for the first heartbeat of a node on a busy machine if a graph is running, s."""

STRANGER_TIMEOUT = 1.5
"""Time to wait for the first heartbeat if no graph is known to be running, s."""

ANSWER_TIMEOUT = 10.0
"""Default time limit of a call, s: the servers of another persona may have to end first."""


class GraphClient:
    """Node in the graph's namespace, spun in a separate thread during a `with` block.

    The node acquires no node lock and sends no heartbeat, so that any number of commands may run at once.


    Args:
        command: Name of the command, used in the node's name.
        namespace: Namespace of the graph to join.


    Attributes:
        record: Record of `reachy-agent up`; None for a graph that was started in another way.
        node: Node whose callbacks run in the thread.
    """

    def __init__(self, command: str, namespace: str) -> None:
        self._namespace = namespace
        self.record = _running(namespace)
        _join_transport(self.record)
        self._context = Context()
        # Without the command's own arguments: rclpy would take `attention:=always` for a remapping.
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
        """Timeout for the first heartbeat of a node (s), which is longer if a graph is known to be running."""
        return JOIN_TIMEOUT if self.record is not None or any_runs(self._namespace) else STRANGER_TIMEOUT

    @property
    def outdated(self) -> bool:
        """Whether the graph has ended or was replaced since the creation of this client, which may be unconnected."""
        return _supervisor(_running(self._namespace)) != _supervisor(self.record)

    def watch(self, name: str) -> HeartbeatMonitor:
        """Waits for the heartbeat of a node.

        Args:
            name: Node name, relative to the namespace.

        Raises:
            AgentError: `SERVER_UNAVAILABLE`, with advice on how to start the node.
        """
        watch = HeartbeatMonitor(self.node, name)
        deadline = Deadline(self.patience)
        while not watch.alive:
            if deadline.passed:
                raise AgentError(ErrorCode.SERVER_UNAVAILABLE, self.absence(name))
            self.pause()
        return watch

    def pause(self) -> None:
        """Waits for 10 ms. Use this method between checks of a value that another process changes."""
        self._stop.wait(0.01)

    def absence(self, name: str = "The graph") -> str:
        """Returns an error message for a node that does not respond, with advice."""
        if self.record is not None:
            return f"{name} does not answer. `reachy-agent status` shows the graph."
        domain = os.environ.get("ROS_DOMAIN_ID", "0")
        return f"No graph runs in {self._namespace} (ROS domain {domain}). Start one: reachy-agent up"

    def _spin(self) -> None:
        while not self._stop.is_set():
            self._executor.spin_once(timeout_sec=1.0)


class NodeClient:
    """Client of one node: service calls and latched topics.

    Args:
        client: Client that has joined the graph.
        name: Node name.


    Raises:
        AgentError: `SERVER_UNAVAILABLE` if the node does not run.
    """

    def __init__(self, client: GraphClient, name: str) -> None:
        self._client = client
        self._name = name
        self._heartbeat = client.watch(name)

    def ask(self, service_type: type, name: str, request: Any, timeout: float = ANSWER_TIMEOUT) -> Any:
        """Calls a service of the node.

        Args:
            service_type: Service type, for example `reachy_agent_msgs.srv.SetPersona`.
            name: Service name.
            request: Message of the service's Request type.
            timeout: Time to wait for the response, s.


        Raises:
            AgentError: The error of the response, or an error of the call.
        """
        return require_success(self.answer(service_type, name, request, timeout))

    def answer(self, service_type: type, name: str, request: Any, timeout: float = ANSWER_TIMEOUT) -> Any:
        """Calls a service of the node. Returns the response, even if the response contains an error. See `ask`.

        Raises:
            AgentError: An error of the call.
        """
        return ServiceCaller(self._client.node, service_type, name, self._heartbeat).call(request, timeout)

    def changes(self, message_type: type, topic: str) -> Iterator[Any]:
        """Yields the latest message of a latched topic, then each new message, indefinitely.

        Raises:
            AgentError: `SERVER_UNAVAILABLE` if there is no message.
        """
        messages: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self._client.node.create_subscription(message_type, topic, messages.put, LATCHED)
        try:
            yield messages.get(timeout=self._client.patience)
        except queue.Empty:
            raise AgentError(ErrorCode.SERVER_UNAVAILABLE, f"{self._name} does not publish {topic}.") from None
        while True:
            yield messages.get()

    def latest(self, message_type: type, topic: str) -> Any:
        """Returns the latest message of a latched topic.

        Raises:
            AgentError: `SERVER_UNAVAILABLE` if there is no message.
        """
        return next(self.changes(message_type, topic))


@contextmanager
def joined(name: str, command: str, namespace: str) -> Iterator[NodeClient]:
    """Joins the graph during a `with` block, and yields a client of one node.

    Args:
        name: Node to call.
        command: Name of the command, used in the name of the calling node.
        namespace: Namespace of the graph.

    Raises:
        AgentError: `SERVER_UNAVAILABLE`, with advice on how to start the node.
    """
    with GraphClient(command, namespace) as client:
        yield NodeClient(client, name)


def _running(namespace: str) -> GraphRecord | None:
    record = load(namespace)
    return record if record is not None and record.alive else None


def _supervisor(record: GraphRecord | None) -> ProcessRecord | None:
    return None if record is None else record.supervisor


def _join_transport(record: GraphRecord | None) -> None:
    """Selects the transport of the running graph. If none is running, selects the user's or the default transport."""
    if record is not None:
        apply(record.environment)
    elif not any(name in os.environ for name in GOVERNED):
        apply(transport_environment(LOOPBACK))
