"""Checks of this machine: ROS 2, memory, disk, process priorities, sandbox, ports, sound, cameras and simulation."""

from __future__ import annotations

import getpass
import importlib
import importlib.util
import os
import resource
import shutil
import socket
from collections.abc import Iterator
from contextlib import suppress
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import psutil

from reachy_agent_ros.audio.device import sound_devices
from reachy_agent_ros.bringup import parameters_of
from reachy_agent_ros.cli.doctor import CheckResult, bad, good, less
from reachy_agent_ros.core.errors import AgentError
from reachy_agent_ros.core.names import GATEWAY, NAMESPACE
from reachy_agent_ros.core.paths import runtime_directory, state_directory
from reachy_agent_ros.gateway.bind_config import BindConfig
from reachy_agent_ros.storage.state_folder import write_problem
from reachy_agent_ros.supervision import transport
from reachy_agent_ros.supervision.record import current_arguments, load

_SETUP = "Run scripts/setup; on a machine with ROS from packages, source its setup file and build with colcon."

_GRAPH_MEMORY = 2.5e9
"""Available memory below which the check warns, bytes: what the graph uses, and a margin."""

_DISK = 2e9
"""Free disk space for recordings and databases, bytes."""

_LOWEST_NICENESS = -20
_BRIDGE_NICENESS = -10
_JOURNALS = ("-wal", "-shm")
_NO_SOUND = "Connect one, and add your user to the audio group. Files and the console's microphone work without it."


def ros() -> Iterator[CheckResult]:
    """Checks whether ROS 2 nodes can run and communicate."""
    if importlib.util.find_spec("rclpy") is None:
        yield bad("ROS 2", "Cannot import rclpy.", _SETUP)
        return
    distribution = os.environ.get("ROS_DISTRO") or _from_wheels()
    yield good("ROS 2", f"rclpy is installed ({distribution}).")
    try:
        importlib.import_module("reachy_agent_msgs.msg")
    except ImportError as error:
        yield bad("Messages", f"Cannot import reachy_agent_msgs: {error}.", _SETUP)
    else:
        yield good("Messages", "reachy_agent_msgs is built.")
    yield _transport()
    yield _loopback()


def machine() -> Iterator[CheckResult]:
    """Checks whether the graph fits into memory, and whether the motion loop can run with elevated priority."""
    free = psutil.virtual_memory().available
    told = f"{free / 1e9:.1f} GB of memory available; the graph uses about 2 GB."
    if free < _GRAPH_MEMORY:
        yield less("Memory", told, "Close other programs, or start fewer nodes: reachy-agent up nodes:=...")
    else:
        yield good("Memory", told)
    yield _shared_memory()
    yield _priority()


def storage() -> Iterator[CheckResult]:
    """Checks whether the data folders are writable, private to their owner, and on a disk with free space."""
    for subject, folder_of in (("State", state_directory), ("Runtime", runtime_directory)):
        cure = "Make your user the owner of the folder, or set REACHY_AGENT_STATE or REACHY_AGENT_RUNTIME."
        try:
            folder = folder_of()
        except AgentError as error:
            yield bad(subject, error.message, cure)
            continue
        problem = write_problem(folder)
        if problem:
            yield bad(subject, problem, cure)
        elif folder.stat().st_mode & 0o077:
            yield less(subject, f"Other users have access to {folder}.", f"chmod 700 {folder}")
        elif shutil.disk_usage(folder).free < _DISK:
            yield less(subject, f"The disk of {folder} is nearly full.", "Free some space: demonstrations use most.")
        else:
            yield good(subject, f"{folder} is writable, only by its owner.")
    yield from _set_aside()


def sandbox() -> Iterator[CheckResult]:
    """Checks whether a sandbox for generated tools works on this machine."""
    from reachy_agent_ros.tool_generation.sandbox.opening import open_sandbox

    try:
        box = open_sandbox(spares=0)
    except AgentError as error:
        cure = "Follow docs/concepts/sandbox.md; until then generated tools are disabled."
        yield less("Sandbox", error.message.splitlines()[0], cure)
        return
    tier = box.tier
    box.close()
    yield good("Sandbox", f"Tested successfully: {tier}.")


def ports(port: int | None) -> Iterator[CheckResult]:
    """Checks whether the gateway's port is free, unless the running graph uses it.

    Args:
        port: Port of the gateway; None for the port in the running graph or the settings.
    """
    try:
        configured = parameters_of(GATEWAY, current_arguments(NAMESPACE))
    except AgentError as error:
        yield bad("Gateway", error.message, "Correct the settings: reachy-agent config edit")
        return
    asked = int(configured["port"]) if port is None else port
    record = load(NAMESPACE)
    if record is not None and record.alive and asked == configured["port"]:
        yield good("Gateway", "The graph is running: reachy-agent status")
        return
    try:
        BindConfig().listen(asked).close()
    except AgentError:
        yield less("Gateway", f"Port {asked} is in use or not permitted.", "reachy-agent up gateway_port:=0")
    else:
        yield good("Gateway", f"Port {asked} is free." if asked else "The gateway uses any free port.")


def audio() -> Iterator[CheckResult]:
    """Checks whether this machine has a microphone and a speaker."""
    try:
        found = [dict(device) for device in sound_devices().query_devices()]
    except AgentError as error:
        yield less("Sound", error.message, "apt install libportaudio2")
        return
    for subject, channels in (("Microphone", "max_input_channels"), ("Speaker", "max_output_channels")):
        names = [str(device["name"]) for device in found if device[channels] > 0]
        if names:
            yield good(subject, ", ".join(names[:3]))
        else:
            yield less(subject, f"No {subject.lower()} found.", _NO_SOUND)


def camera() -> Iterator[CheckResult]:
    """Checks whether this machine has a usable camera, which only a real robot needs."""
    found = sorted(Path("/dev").glob("video*"))
    usable = [path for path in found if os.access(path, os.R_OK)]
    if usable:
        yield good("Camera", ", ".join(map(str, usable)))
    elif found:
        detail = f"No permission to open {found[0]}."
        yield less("Camera", detail, "Add your user to the video group, and log in again.")
    else:
        cure = "A real robot's camera appears as /dev/video0; a simulated one needs none."
        yield less("Camera", "No camera found.", cure)


def simulation() -> Iterator[CheckResult]:
    """Checks whether the simulated robot moves and can be rendered."""
    try:
        from reachy_agent_ros.core.pose import BodyPose
        from reachy_agent_ros.robot.kinematics import BodyKinematics
        from reachy_agent_ros.robot.mujoco_simulation import Simulation

        Simulation("empty", BodyKinematics().inverse(BodyPose())).step(10)
    except (AgentError, ImportError, OSError, ValueError) as error:
        yield bad("Simulation", f"Cannot load the simulated robot: {error}.", "Run scripts/setup.")
        return
    yield good("Simulation", "The robot model loads and moves.")
    yield _drawn()


def _from_wheels() -> str:
    try:
        return f"wheels, rclpy {version('ros-rclpy')}"
    except PackageNotFoundError:
        return "distribution unknown"


def _transport() -> CheckResult:
    expected = transport.transport_environment(transport.LOOPBACK)
    strange = [name for name in transport.GOVERNED if name in os.environ and os.environ[name] != expected.get(name)]
    if strange:
        detail = f"The environment sets {', '.join(strange)}, which differs from the graph's settings."
        return less("Transport", detail, 'For other ROS tools run eval "$(reachy-agent env)"; otherwise unset them.')
    return good("Transport", "No conflicting environment variables.")


def _loopback() -> CheckResult:
    """Checks whether the loopback device, on which DDS discovers nodes, delivers datagrams."""
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
            return bad("Loopback", f"Datagrams do not pass: {error}.", "Allow UDP on 127.0.0.1 in the firewall.")
    return good("Loopback", "Datagrams pass.")


def _set_aside() -> Iterator[CheckResult]:
    """Checks for damaged files in the state directory that were set aside."""
    with suppress(AgentError):
        found = sorted(path.name for path in state_directory().glob("*.damaged*") if not path.name.endswith(_JOURNALS))
        if found:
            cure = "Restore a backup, or repair them with sqlite3 FILE .recover. Then delete them."
            yield less("Damage", f"Damaged files were set aside: {', '.join(found)}.", cure)


def _shared_memory() -> CheckResult:
    try:
        transport.require_shared_memory()
    except AgentError:
        cure = f"List its files with ls -lS {transport.SHARED_MEMORY}, and delete those that are not needed."
        return bad("Shared memory", f"{transport.SHARED_MEMORY} is full: no node can start.", cure)
    return good("Shared memory", f"{transport.SHARED_MEMORY} has free space.")


def _priority() -> CheckResult:
    nice, realtime = (resource.getrlimit(kind)[0] for kind in (resource.RLIMIT_NICE, resource.RLIMIT_RTPRIO))
    if os.geteuid() == 0 or realtime != 0:  # `RLIM_INFINITY` is negative
        return good("Priority", "The motion loop can get realtime priority.")
    niceness = _LOWEST_NICENESS if nice == resource.RLIM_INFINITY else 20 - nice
    if niceness <= _BRIDGE_NICENESS:
        return good("Priority", f"The motion loop can get a niceness of {niceness}.")
    user = getpass.getuser()
    cure = f"Add to /etc/security/limits.conf: {user} - nice -10 and {user} - rtprio 50; then log in again."
    return less("Priority", "The motion loop cannot get priority: on a busy machine, motion is less smooth.", cure)


def _drawn() -> CheckResult:
    import mujoco

    from reachy_agent_ros.vision.graphics import Renderer

    try:
        Renderer(mujoco.MjModel.from_xml_string("<mujoco/>"), 64, 64).close()
    except AgentError as error:
        return less("Drawing", error.message, "apt install libegl1 libegl-mesa0 libgl1-mesa-dri")
    return good("Drawing", "Images can be rendered without a display.")
