"""What every node of the graph has: a name of its own, parameters, a heartbeat, diagnostics and a clean end."""

from __future__ import annotations

import gc
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

import rclpy
from diagnostic_msgs.msg import DiagnosticArray, DiagnosticStatus, KeyValue
from rcl_interfaces.msg import FloatingPointRange, IntegerRange, ParameterDescriptor
from rclpy.clock import Clock, ClockType
from rclpy.exceptions import ParameterException
from rclpy.executors import ExternalShutdownException
from rclpy.service import Service
from rclpy.signals import SignalHandlerOptions
from rclpy.timer import Timer
from reachy_agent_msgs.msg import Heartbeat
from std_msgs.msg import Header

from reachy_agent_ros.core import instance
from reachy_agent_ros.core.credentials import require_no_secret
from reachy_agent_ros.core.errors import AgentError
from reachy_agent_ros.core.names import NAMESPACE
from reachy_agent_ros.core.paths import state_directory
from reachy_agent_ros.ros.rclpy_ext.convert import wall_stamp
from reachy_agent_ros.ros.rclpy_ext.heartbeat import HeartbeatPublisher, heartbeat_topic
from reachy_agent_ros.ros.rclpy_ext.malloc_config import limit_heaps
from reachy_agent_ros.ros.rclpy_ext.process import (
    EventlessNode,
    create_executor,
    guard_farewell,
    take_leave,
)
from reachy_agent_ros.ros.rclpy_ext.qos import HEARTBEAT, HEARTBEAT_PERIOD, STANDARD
from reachy_agent_ros.ros.rclpy_ext.service_server import LateAnswers, ParameterAnswers

DIAGNOSTICS_PERIOD = 1.0

SETTLING = 10.0
"""Seconds after which nearly all that a node loads is there."""


class AgentNode(EventlessNode):
    """Base of every node.

    Subclasses set `state` to READY when they are, override `diagnose`, and `working` if a thread of their own does
    the work, and release in `close` what they opened.

    Args:
        name: Node name within the robot's namespace.

    Attributes:
        lost: Why it may never hear other nodes again, or be heard by them; nothing otherwise.

    Raises:
        AgentError: Another process already runs a node of this name.
    """

    def __init__(self, name: str) -> None:
        self._late_answers = LateAnswers(lambda message: self.get_logger().warning(message))
        super().__init__(name, namespace=NAMESPACE, enable_logger_service=True, start_parameter_services=False)
        self._answers = ParameterAnswers(self)
        self.state: int = Heartbeat.STARTING
        self.state_detail = ""
        self._lock = instance.claim(self.get_fully_qualified_name())
        self._steady = Clock(clock_type=ClockType.STEADY_TIME)
        self._sequence = 0
        self._beats = self.create_publisher(Heartbeat, heartbeat_topic(self.get_fully_qualified_name()), HEARTBEAT)
        self._diagnostics = self.create_publisher(DiagnosticArray, "/diagnostics", STANDARD)
        self.lost = ""
        self._pulse = HeartbeatPublisher(self._beat, self._note_loss)
        self.every(HEARTBEAT_PERIOD, self._note_turn)
        self.every(DIAGNOSTICS_PERIOD, self._publish_diagnostics)
        self._settling = self.every(SETTLING, self._settle)

    def create_service(self, *args: Any, **options: Any) -> Service[Any, Any]:
        """As of every node, but its answers wait for whoever is found late."""
        service = super().create_service(*args, **options)
        self._late_answers.of(service)
        return service

    def every(self, period: float, callback: Callable[[], None]) -> Timer:
        """Calls `callback` every `period` seconds of the steady clock: a stepped wall clock stops no timer."""
        return self.create_timer(period, lambda: callback(), clock=self._steady)  # rclpy fills a parameter it sees

    def in_executor(self, function: Callable[..., None], *args: Any) -> None:
        """Has the executor's thread call `function`; not any more once the node has been taken out of it."""
        if self.executor is not None:
            self.executor.create_task(function, *args)

    def parameter(
        self,
        name: str,
        default: Any,
        description: str,
        *,
        low: float | None = None,
        high: float | None = None,
        choices: Sequence[str] = (),
    ) -> Any:
        """Declares a read-only parameter and returns its value.

        Args:
            name: Parameter name.
            default: Value when none is given; its type is the parameter's type.
            description: What it is, with its unit.
            low: Least value allowed, of a number.
            high: Greatest value allowed, of a number.
            choices: The only values allowed, of a string.

        Raises:
            ValueError: The value is not one of `choices`.
            AgentError: `INVALID_ARGUMENTS`: it holds a secret, which every node could read.
        """
        descriptor = ParameterDescriptor(description=description, read_only=True)
        if low is not None and high is not None:
            if isinstance(default, float):
                descriptor.floating_point_range = [FloatingPointRange(from_value=low, to_value=high)]
            else:
                descriptor.integer_range = [IntegerRange(from_value=int(low), to_value=int(high))]
        if choices:
            descriptor.additional_constraints = "one of " + ", ".join(choices)
        value = self.declare_parameter(name, default, descriptor).value
        if isinstance(value, str):
            require_no_secret(f"Parameter {name}", value)
        if choices and value not in choices:
            raise ValueError(f"Parameter {name} is {value!r}, but must be one of {', '.join(choices)}.")
        return value

    def folder(self, name: str, description: str, default: str = "") -> Path:
        """Declares a read-only parameter that names a folder, and returns its path.

        Args:
            name: Parameter name.
            description: What is in the folder. What an empty value means is added to it.
            default: Folder in the state directory that an empty value means; empty for the state directory itself.
        """
        place = f"{default} in the state directory" if default else "the state directory"
        given = self.parameter(name, "", f"{description}; empty: {place}")
        return Path(given) if given else state_directory() / default

    def note_problem(self, reason: str) -> None:
        """Sets the node to DEGRADED and logs a new reason for it; an empty reason sets the node to READY."""
        if reason and reason != self.state_detail:
            self.get_logger().warning(reason)
        self.state = Heartbeat.DEGRADED if reason else Heartbeat.READY
        self.state_detail = reason

    def header(self, frame: str = "") -> Header:
        """Header stamped now."""
        return Header(stamp=wall_stamp(), frame_id=frame)

    def working(self) -> bool:
        """Whether the loop that does this node's work has moved since it was last asked."""
        return True

    def diagnose(self) -> Iterable[DiagnosticStatus]:
        """Statuses to publish once a second, one a concern."""
        return ()

    def status(self, concern: str, level: bytes, message: str, **values: object) -> DiagnosticStatus:
        """A diagnostic status named `<node>: <concern>` (REP-107)."""
        return DiagnosticStatus(
            name=f"{self.get_name()}: {concern}",
            hardware_id=self.get_namespace(),
            level=level,
            message=message,
            values=[KeyValue(key=key, value=str(value)) for key, value in values.items()],
        )

    def close(self) -> None:
        """Releases what the node opened. Runs once, before its entities are destroyed."""

    def let_answers_arrive(self) -> None:
        """Waits until whoever asked a service or action has received the last answer, if that was sent just now."""
        self._late_answers.let_arrive()

    def destroy_node(self) -> None:
        """Stops the heartbeat first, which needs the node's publisher."""
        self._pulse.close()
        super().destroy_node()

    def _settle(self) -> None:
        """Keeps the garbage collector from looking through all that stays, which stops every thread for 0.2 s."""
        self._settling.cancel()
        gc.freeze()

    def _note_loss(self, reason: str) -> None:
        self.lost = reason

    def _note_turn(self) -> None:
        if self.working():
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


def run(factory: Callable[[], AgentNode]) -> int:
    """Runs a node until SIGINT or SIGTERM, also where SIGINT was ignored at the start: the supervisor sends it first.

    rclpy's own signal handlers invalidate the context while callbacks still publish, which ends in tracebacks and
    exit code 1 now and then; so they stay off and the node is taken down in order.

    Returns:
        The process's exit code: 0 after a signal, 1 when the node could not start, or was lost to the others.
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
        guard_farewell(code)  # what has stopped it may keep it from being closed as well
    node.close()
    guard_farewell(code)  # nothing is left to be lost but the farewell
    node.let_answers_arrive()
    executor.shutdown()
    take_leave(node)
    rclpy.shutdown()
    return code
