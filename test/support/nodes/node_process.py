"""Nodes in separate processes, for tests that communicate with the nodes over ROS."""

from __future__ import annotations

import json
import os
import signal
import sys
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from types import TracebackType

import pytest
import rclpy
from rclpy.context import Context
from rclpy.exceptions import InvalidHandle
from rclpy.executors import Executor
from rclpy.signals import SignalHandlerOptions
from reachy_agent_msgs.msg import Heartbeat

from reachy_agent_ros.core.deadline import Deadline
from reachy_agent_ros.core.names import NAMESPACE
from reachy_agent_ros.ros.client.observer import STATES
from reachy_agent_ros.ros.rclpy_ext.heartbeat import FIRST_BEAT, HeartbeatMonitor
from reachy_agent_ros.ros.rclpy_ext.process import EventlessNode, create_executor, take_leave
from reachy_agent_ros.supervision.transport import LOOPBACK, apply, transport_environment
from support import failure_report
from support.domains import Purpose, domain
from support.logged_process import LoggedProcess
from support.made_once import share
from support.waiting import wait_until

READY_TIMEOUT = 120.0
"""Timeout for the start of a node, s. It allows for tests that run in parallel."""

STILL = {"hardware_bridge": {"idle_intensity": 0.0}}
"""Parameters with which a node does not move the robot unasked, by module; `parameters` of a test override them."""

STOP_TIMEOUT = 10.0
"""Timeout for the exit of a node after a signal, s."""


def isolate(directory: Path, purpose: Purpose = Purpose.NODES) -> None:
    """Isolates this process and its child processes in a graph with a separate domain id and separate folders."""
    os.environ["ROS_DOMAIN_ID"] = domain(purpose)
    os.environ["REACHY_AGENT_RUNTIME"] = str(directory / "runtime")
    os.environ["REACHY_AGENT_STATE"] = str(directory / "state")
    os.environ["REACHY_AGENT_CACHE"] = str(directory / "cache")
    share(directory / "cache")
    apply(transport_environment(LOOPBACK))


@contextmanager
def isolated(directory: Path, purpose: Purpose = Purpose.NODES) -> Iterator[None]:
    """Isolates this process and its child processes like `isolate`, but only during a `with` block."""
    with pytest.MonkeyPatch.context() as patch:
        for name in ("ROS_DOMAIN_ID", "REACHY_AGENT_RUNTIME", "REACHY_AGENT_STATE", "REACHY_AGENT_CACHE"):
            patch.setenv(name, "")  # `patch` restores the variable at the end
        isolate(directory, purpose)
        yield


class Ros:
    """ROS node of the test in the robot's namespace, spun by a thread.

    Attributes:
        node: Node for publishers, subscriptions and clients. Their callbacks run in the thread.
    """

    def __init__(self) -> None:
        rclpy.init(signal_handler_options=SignalHandlerOptions.NO)
        self.node = EventlessNode("test", namespace=NAMESPACE)
        self._executor = create_executor()
        self._executor.add_node(self.node)
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._spin, daemon=True)
        self._thread.start()
        failure_report.register(self)

    def describe(self) -> str:
        """Returns whether the node is spinning, and the names of discovered nodes."""
        state = "spins" if self._thread.is_alive() else "does not spin"
        return f"the node of the test {state}. It has discovered: {', '.join(sorted(self.node.get_node_names()))}"

    def _spin(self) -> None:
        while not self._stop.is_set():
            # rclpy 9.1 raises here when a test destroys an entity while this thread is about to wait for it.
            with suppress(InvalidHandle):
                self._executor.spin_once(timeout_sec=0.1)

    def close(self) -> None:
        """Stops the thread, destroys the node and shuts rclpy down."""
        failure_report.unregister(self)
        self._stop.set()
        self._thread.join()
        self._executor.shutdown()
        take_leave(self.node)
        rclpy.shutdown()


class NodeProcess:
    """Runs a node of the graph in a separate process during a `with` block.

    Args:
        module: Module below `reachy_agent_ros.ros`.
        parameters: ROS parameters.
        name: Node name within the namespace, if it differs from the module's.
        environment: Environment variables in addition to those of the test.
        remap: Remapped names of topics and services.
    """

    def __init__(
        self,
        module: str,
        parameters: Mapping[str, object] | None = None,
        name: str | None = None,
        environment: Mapping[str, str] | None = None,
        remap: Mapping[str, str] | None = None,
    ) -> None:
        self.name = name or module
        command = [sys.executable, "-m", f"reachy_agent_ros.ros.{module}.{module}", "--ros-args"]
        if name is not None:
            command += ["-r", f"__node:={name}"]
        for old, new in (remap or {}).items():
            command += ["-r", f"{old}:={new}"]
        for key, value in {**STILL.get(module, {}), **(parameters or {})}.items():
            command += ["-p", f"{key}:={json.dumps(value)}"]
        self.process = LoggedProcess(command, self.name, {**os.environ, **(environment or {})})
        failure_report.register(self)

    def __enter__(self) -> NodeProcess:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        failure_report.unregister(self, error)
        self.process.__exit__(kind, error, trace)

    def wait_ready(self) -> NodeProcess:
        """Waits for a heartbeat of this process with the state READY or DEGRADED."""
        with self._listening() as (executor, watch):
            wait_until(lambda: self._ready(executor, watch), f"{self.name} to be ready", timeout=READY_TIMEOUT)
        return self

    def describe(self) -> str:
        """Returns the latest heartbeat for a failure report.

        The description of the process contains everything else.
        """
        if self.process.poll() is not None:
            return f"{self.name} has no heartbeat"
        with self._listening() as (executor, watch):
            silent = Deadline(FIRST_BEAT)
            while watch.last is None and not silent.passed:
                executor.spin_once(timeout_sec=0.05)
            if watch.last is None:
                return f"{self.name} sent no heartbeat within {FIRST_BEAT} s"
            beat = watch.last
            return f"{self.name} is {STATES[beat.state]}, says the heartbeat of process {beat.pid}: {beat.detail!r}"

    @contextmanager
    def _listening(self) -> Iterator[tuple[Executor, HeartbeatMonitor]]:
        """Monitors the heartbeat with a temporary node during a `with` block.

        The node has its own context: the test's node would miss some of the nodes that start after the temporary node
        has gone (see "One node in a process" in `ros/rclpy_ext/README.md`).
        """
        context = Context()
        rclpy.init(args=[], context=context, signal_handler_options=SignalHandlerOptions.NO)
        node = EventlessNode(f"waits_for_{self.name}", namespace=NAMESPACE, context=context)
        executor = create_executor(context)
        executor.add_node(node)
        try:
            yield executor, HeartbeatMonitor(node, self.name)
        finally:
            executor.shutdown()
            take_leave(node)
            rclpy.shutdown(context=context)

    def _ready(self, executor: Executor, watch: HeartbeatMonitor) -> bool:
        code = self.process.poll()
        assert code is None, f"{self.name} ended with code {code}\n{failure_report.report()}"
        executor.spin_once(timeout_sec=0.05)
        beat: Heartbeat | None = watch.last
        return watch.ready and beat is not None and beat.pid == self.process.pid

    def stop(self, number: signal.Signals = signal.SIGINT) -> int:
        """Sends a signal to the node and waits until it exits. Returns its exit code."""
        self.process.send_signal(number)
        return self.process.wait(STOP_TIMEOUT)
