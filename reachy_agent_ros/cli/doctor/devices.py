"""Microphone, speaker, cameras and what draws the simulation."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from reachy_agent_ros.audio.device import sound_devices
from reachy_agent_ros.cli.doctor.finding import Finding, bad, good, less
from reachy_agent_ros.core.errors import AgentError

_NO_SOUND = (
    "Plug one in, and see that your user is in the group audio. Files and the console's microphone work without."
)


def audio() -> Iterator[Finding]:
    """Whether the robot could hear and speak through this machine."""
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
            yield less(subject, "This machine has none.", _NO_SOUND)


def camera() -> Iterator[Finding]:
    """Whether there is a camera for a real robot; a simulated one needs none."""
    found = sorted(Path("/dev").glob("video*"))
    usable = [path for path in found if _readable(path)]
    if usable:
        yield good("Camera", ", ".join(map(str, usable)))
    elif found:
        detail = f"{found[0]} may not be opened."
        yield less("Camera", detail, "Add your user to the group video, and log in again.")
    else:
        cure = "A real robot's camera shows as /dev/video0; a simulated one needs none."
        yield less("Camera", "This machine has none.", cure)


def simulation() -> Iterator[Finding]:
    """Whether the simulated robot moves and can be drawn."""
    try:
        from reachy_agent_ros.core.pose import BodyPose
        from reachy_agent_ros.robot.kinematics import BodyKinematics
        from reachy_agent_ros.robot.simulation import Simulation

        Simulation("empty", BodyKinematics().inverse(BodyPose())).step(10)
    except (AgentError, ImportError, OSError, ValueError) as error:
        yield bad("Simulation", f"The simulated robot cannot be loaded: {error}.", "Run scripts/setup.")
        return
    yield good("Simulation", "The robot's model loads and moves.")
    yield _drawn()


def _drawn() -> Finding:
    import mujoco

    from reachy_agent_ros.vision.graphics import Renderer

    try:
        Renderer(mujoco.MjModel.from_xml_string("<mujoco/>"), 64, 64).close()
    except AgentError as error:
        return less("Drawing", error.message, "apt install libegl1 libegl-mesa0 libgl1-mesa-dri")
    return good("Drawing", "Pictures can be drawn without a display.")


def _readable(path: Path) -> bool:
    try:
        with path.open("rb"):
            return True
    except OSError:
        return False
