"""Base class of every node: unique name, parameters, heartbeat, diagnostics and orderly shutdown."""

from __future__ import annotations

import gc
import math
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import rclpy
from diagnostic_msgs.msg import DiagnosticArray, DiagnosticStatus, KeyValue
from rcl_interfaces.msg import FloatingPointRange, IntegerRange, ParameterDescriptor
from rclpy.clock import Clock, ClockType
from rclpy.exceptions import ParameterException
from rclpy.executors import ExternalShutdownException
from rclpy.impl.rcutils_logger import RcutilsLogger
from rclpy.parameter import Parameter as RosParameter
from rclpy.service import Service
from rclpy.signals import SignalHandlerOptions
from rclpy.timer import Timer
from reachy_agent_msgs.msg import Heartbeat
from std_msgs.msg import Header

from reachy_agent_ros.core import instance
from reachy_agent_ros.core.errors import AgentError
from reachy_agent_ros.core.names import NAMESPACE
from reachy_agent_ros.core.paths import state_directory
from reachy_agent_ros.ros.rclpy_ext.convert import wall_stamp
from reachy_agent_ros.ros.rclpy_ext.heartbeat import HeartbeatPublisher, heartbeat_topic
from reachy_agent_ros.ros.rclpy_ext.logger import NodeLogger
from reachy_agent_ros.ros.rclpy_ext.malloc_config import limit_heaps
from reachy_agent_ros.ros.rclpy_ext.process import (
    EventlessNode,
    create_executor,
    guard_farewell,
    take_leave,
)
from reachy_agent_ros.ros.rclpy_ext.qos import HEARTBEAT, HEARTBEAT_PERIOD, STANDARD
from reachy_agent_ros.ros.rclpy_ext.service_server import LateAnswers, ParameterAnswers
from reachy_agent_ros.settings.nodes import NODE_PARAMETERS
from reachy_agent_ros.settings.parameter import Parameter

DIAGNOSTICS_PERIOD = 1.0

SETTLING = 10.0
"""Time after which a node has loaded nearly everything, s."""


class AgentNode(EventlessNode):
    """Base class of all nodes of the graph.

    Subclasses set `state` to READY once they have started, override `diagnose`, override `working` if the work runs in
    a separate thread, and release their resources in `close`.

    Args:
        name: Node name within the robot's namespace.
        parameters: Parameters by name; None for those of the node in `settings.nodes`.

    Attributes:
        lost: Reason why communication with other nodes may be permanently broken; empty if it is not.

    Raises:
        AgentError: `SERVER_UNAVAILABLE`: another process already runs a node with this name.
    """

    def __init__(self, name: str, parameters: Mapping[str, Parameter] | None = None) -> None:
        self._pulse: HeartbeatPublisher | None = None
        self._quick_logger: NodeLogger | None = None
        self._late_answers = LateAnswers(lambda message: self.get_logger().warning(message))
        super().__init__(name, namespace=NAMESPACE, enable_logger_service=True, start_parameter_services=False)
        self._answers = ParameterAnswers(self)
        self._declarations = NODE_PARAMETERS.get(name, {}) if parameters is None else parameters
        self._followers: dict[str, Callable[[Any], None]] = {}
        self.add_post_set_parameters_callback(self._follow)
        self.state: int = Heartbeat.STARTING
        self.state_detail = ""
        self._lock = instance.claim(self.get_fully_qualified_name())
        self._sequence = 0
        self._beats = self.create_publisher(Heartbeat, heartbeat_topic(self.get_fully_qualified_name()), HEARTBEAT)
        self._diagnostics = self.create_publisher(DiagnosticArray, "/diagnostics", STANDARD)
        self.lost = ""
        self._pulse = HeartbeatPublisher(self._beat, self._note_loss)
        self.every(HEARTBEAT_PERIOD, self._note_turn)
        self.every(DIAGNOSTICS_PERIOD, self._publish_diagnostics)
        self._settling = self.every(SETTLING, self._settle)

    def get_logger(self) -> RcutilsLogger:
        """Returns the logger of the node."""
        if self._quick_logger is None:
            self._quick_logger = NodeLogger(super().get_logger().name)
        return self._quick_logger

    def create_service(self, *args: Any, **options: Any) -> Service[Any, Any]:
        """Creates a service that sends a response again until the middleware has discovered the client."""
        service = super().create_service(*args, **options)
        self._late_answers.of(service)
        return service

    def every(self, period: float, callback: Callable[[], None]) -> Timer:
        """Calls `callback` every `period` seconds. Changes of the wall clock have no effect."""
        # The events executor examines all timers of a clock at each tick, and prints a warning if it has eight.
        clock = Clock(clock_type=ClockType.STEADY_TIME)
        # The lambda hides the callback's signature, because rclpy passes a timer info to callbacks with a parameter.
        return self.create_timer(period, lambda: callback(), clock=clock)

    def in_executor(self, function: Callable[..., None], *args: Any) -> None:
        """Calls `function` in the executor's thread. Does nothing while the node is in no executor."""
        if self.executor is not None:
            self.executor.create_task(function, *args)

    def parameter(self, name: str) -> Any:
        """Declares a parameter of `settings.nodes` and returns its value.

        Args:
            name: Parameter name.

        Raises:
            AgentError: `INVALID_ARGUMENTS`: the value is not a valid choice, is not one printable line, or contains a
                secret, which every node could read.
            ParameterException: The value is out of range or has the wrong type.
        """
        declared = self._declarations[name]
        return declared.check(self.declare_parameter(name, declared.default, _descriptor(declared)).value)

    def follow(self, name: str, apply: Callable[[Any], None]) -> None:
        """Declares a parameter that can change at run time. Calls `apply` with the value, now and after each change.

        Args:
            name: Parameter name.
            apply: Called in the executor's thread.
        """
        apply(self.parameter(name))
        self._followers[name] = apply

    def folder(self, name: str, default: str = "") -> Path:
        """Declares a parameter for a folder and returns the folder's path.

        Args:
            name: Parameter name.
            default: Default folder, relative to the state directory.
        """
        given = self.parameter(name)
        return Path(given) if given else state_directory() / default

    def note_problem(self, reason: str, notice: str = "") -> None:
        """Sets the state to DEGRADED, or to READY if there is no reason. Logs a new reason or notice.

        Args:
            reason: Limitation of the node; empty if there is none.
            notice: Problem that does not limit the node, shown while there is no limitation.
        """
        detail = reason or notice
        if detail and detail != self.state_detail:
            self.get_logger().warning(detail)
        self.state = Heartbeat.DEGRADED if reason else Heartbeat.READY
        self.state_detail = detail

    def header(self, frame: str = "") -> Header:
        """Returns a header with the current time."""
        return Header(stamp=wall_stamp(), frame_id=frame)

    def working(self) -> bool:
        """Returns whether the main loop of this node has made progress since the previous call."""
        return True

    def diagnose(self) -> Iterable[DiagnosticStatus]:
        """Returns a diagnostic status for each concern of the node. The base class calls this once per second."""
        return ()

    def status(self, concern: str, level: bytes, message: str, **values: object) -> DiagnosticStatus:
        """Returns a diagnostic status named `<node>: <concern>` (REP-107)."""
        return DiagnosticStatus(
            name=f"{self.get_name()}: {concern}",
            hardware_id=self.get_namespace(),
            level=level,
            message=message,
            values=[KeyValue(key=key, value=str(value)) for key, value in values.items()],
        )

    def close(self) -> None:
        """Releases the node's resources. Called once, before its entities are destroyed."""

    def let_answers_arrive(self) -> None:
        """Waits until the last response of any service or action has reached its client."""
        self._late_answers.let_arrive()

    def destroy_node(self) -> None:
        """Stops the heartbeat, which uses a publisher of the node, and destroys the node."""
        if self._pulse is not None:  # None if the node could not start
            self._pulse.close()
        super().destroy_node()

    def _follow(self, changed: Sequence[RosParameter[Any]]) -> None:
        for parameter in changed:
            if parameter.name in self._followers:
                self._followers[parameter.name](parameter.value)

    def _settle(self) -> None:
        """Excludes existing objects from garbage collection, which would otherwise stop all threads for 0.2 s."""
        self._settling.cancel()
        gc.freeze()

    def _note_loss(self, reason: str) -> None:
        self.lost = reason

    def _note_turn(self) -> None:
        if self.working() and self._pulse is not None:
            self._pulse.turn()

    def _beat(self) -> None:
        self._beats.publish(
            Heartbeat(
                header=self.header(),
                node=self.get_fully_qualified_name(),
                pid=os.getpid(),
                sequence=self._sequence,
                state=self.state,
                detail=self.state_detail,
            )
        )
        self._sequence += 1

    def _publish_diagnostics(self) -> None:
        statuses = list(self.diagnose())
        if statuses:
            self._diagnostics.publish(DiagnosticArray(header=self.header(), status=statuses))


def _descriptor(declared: Parameter) -> ParameterDescriptor:
    unit = f", {declared.unit}" if declared.unit else ""
    descriptor = ParameterDescriptor(description=f"{declared.description}{unit}", read_only=not declared.changes_live)
    if math.isfinite(declared.low):
        if declared.type == "double":
            descriptor.floating_point_range = [FloatingPointRange(from_value=declared.low, to_value=declared.high)]
        else:
            descriptor.integer_range = [IntegerRange(from_value=int(declared.low), to_value=int(declared.high))]
    if declared.choices:
        descriptor.additional_constraints = "one of " + ", ".join(declared.choices)
    return descriptor


def run(factory: Callable[[], AgentNode]) -> int:
    """Runs a node until SIGINT or SIGTERM.

    SIGINT is handled even if the process was started with it ignored, because the supervisor sends it first. rclpy's
    signal handlers stay off: they invalidate the context while callbacks still publish, which occasionally ends in
    tracebacks and exit code 1.

    Returns:
        Exit code of the process: 0 after a signal, 1 if the node could not start or lost contact with other nodes.
    """
    limit_heaps()
    stop = threading.Event()
    rclpy.init(signal_handler_options=SignalHandlerOptions.NO)
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: stop.set())
    try:
        node = factory()
    except (AgentError, ParameterException, ValueError) as error:
        print(f"Cannot start: {error}", file=sys.stderr)
        rclpy.shutdown()
        return 1
    executor = create_executor()
    executor.add_node(node)
    try:
        while not (stop.is_set() or node.lost):
            executor.spin_once(timeout_sec=HEARTBEAT_PERIOD)
    except ExternalShutdownException:
        pass
    code = 1 if node.lost else 0
    if node.lost:
        print(node.lost, file=sys.stderr)
        guard_farewell(code)  # the cause of the loss may also block `close`
    node.close()
    guard_farewell(code)  # from here on nothing but the shutdown itself can be lost
    node.let_answers_arrive()
    executor.shutdown()
    take_leave(node)
    rclpy.shutdown()
    return code
