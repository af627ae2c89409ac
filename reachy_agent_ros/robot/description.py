"""Paths of the MuJoCo scenes, URDF, kinematics data and SDK source of Reachy Mini.

All are part of the `reachy_mini` package. The package is located but never imported, because importing it loads
GStreamer.
"""

from __future__ import annotations

import json
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from reachy_agent_ros.core.errors import AgentError, ErrorCode

SCENES = ("empty", "minimal")
"""Simulated scenes: only a floor, or a table with an apple, a croissant and a duck."""


def scene_path(scene: str) -> Path:
    """Returns the MJCF file of a scene in `SCENES`.

    Raises:
        AgentError: `INVALID_GOAL` for an unknown scene; `ROBOT_DISCONNECTED` if the package is missing or incomplete.
    """
    if scene not in SCENES:
        raise AgentError(ErrorCode.INVALID_GOAL, f"Unknown scene {scene!r}: expected one of {', '.join(SCENES)}.")
    return _file(f"descriptions/reachy_mini/mjcf/scenes/{scene}.xml")


def urdf_path() -> Path:
    """Returns the URDF file, which defines the link and joint names that all nodes use.

    Raises:
        AgentError: `ROBOT_DISCONNECTED` if the package is missing or incomplete.
    """
    return _file("descriptions/reachy_mini/urdf/robot.urdf")


@cache
def platform_geometry() -> dict[str, Any]:
    """Returns the geometry (m) of the platform that carries the head, from the manufacturer's `kinematics_data.json`.

    Do not change the returned dictionary: all callers share it.

    Raises:
        AgentError: `ROBOT_DISCONNECTED` if the package is missing or incomplete.
    """
    geometry: dict[str, Any] = json.loads(_file("assets/kinematics_data.json").read_text())
    return geometry


def source_path(module: str) -> Path:
    """Returns the source file of an SDK module, from which constants are read.

    Raises:
        AgentError: `ROBOT_DISCONNECTED` if the package is missing or incomplete.
    """
    return _file(module)


def _file(relative: str) -> Path:
    path = _package() / relative
    if not path.is_file():
        raise AgentError(ErrorCode.ROBOT_DISCONNECTED, f"Incomplete reachy_mini package: {path} is missing.")
    return path


def _package() -> Path:
    spec = find_spec("reachy_mini")
    if spec is None or spec.submodule_search_locations is None:
        message = "The reachy_mini package, which holds the robot's model, is not installed: run scripts/setup."
        raise AgentError(ErrorCode.ROBOT_DISCONNECTED, message)
    return Path(spec.submodule_search_locations[0])
