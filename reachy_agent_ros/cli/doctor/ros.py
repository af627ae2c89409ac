"""ROS 2, our messages, and the way they go."""

from __future__ import annotations

import importlib
import importlib.util
import os
import socket
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, version

from reachy_agent_ros.cli.doctor.finding import Finding, bad, good, less
from reachy_agent_ros.supervision.transport import GOVERNED, LOOPBACK, transport_environment

_SETUP = "Run scripts/setup; on a machine with ROS from packages, source its setup file and build with colcon."


def ros() -> Iterator[Finding]:
    """Whether nodes can run and talk."""
    if importlib.util.find_spec("rclpy") is None:
        yield bad("ROS 2", "rclpy cannot be imported.", _SETUP)
        return
    distribution = os.environ.get("ROS_DISTRO") or _from_wheels()
    yield good("ROS 2", f"rclpy is there ({distribution}).")
    try:
        importlib.import_module("reachy_agent_msgs.msg")
    except ImportError as error:
        yield bad("Messages", f"reachy_agent_msgs cannot be imported: {error}.", _SETUP)
    else:
        yield good("Messages", "reachy_agent_msgs is built.")
    yield _transport()
    yield _loopback()


def _from_wheels() -> str:
    try:
        return f"wheels, rclpy {version('ros-rclpy')}"
    except PackageNotFoundError:
        return "distribution unknown"


def _transport() -> Finding:
    expected = transport_environment(LOOPBACK)
    strange = [name for name in GOVERNED if name in os.environ and os.environ[name] != expected.get(name)]
    if strange:
        detail = f"The environment sets {', '.join(strange)}, which the graph sets for its own nodes."
        return less("Transport", detail, 'For other ROS tools: eval "$(reachy-agent env)"; else unset them.')
    return good("Transport", "Nothing in the environment speaks against the graph's own.")


def _loopback() -> Finding:
    """DDS finds nodes by datagrams on the loopback device."""
    with (
        socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as one,
        socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as other,
    ):
        one.bind(("127.0.0.1", 0))
        one.settimeout(1.0)
        try:
            other.sendto(b"here", one.getsockname())
            one.recv(8)
        except OSError as error:
            return bad("Loopback", f"No datagram passes: {error}.", "Allow UDP on 127.0.0.1 in the firewall.")
    return good("Loopback", "Datagrams pass.")
