from __future__ import annotations

import subprocess
import sys

import pytest

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.robot import description
from reachy_agent_ros.robot.description import SCENES, scene_path, urdf_path


def test_installed_robot_description_has_all_files() -> None:
    for path in (*map(scene_path, SCENES), urdf_path()):
        assert path.is_file()


def test_rejects_unknown_scene_and_lists_known_ones() -> None:
    with pytest.raises(AgentError, match="empty, minimal") as raised:
        scene_path("../scene")
    assert raised.value.code is ErrorCode.INVALID_GOAL


def test_description_error_names_missing_package(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(description, "find_spec", lambda name: None)
    with pytest.raises(AgentError, match="reachy_mini"):
        urdf_path()


def test_robot_description_does_not_import_media_libraries() -> None:
    code = (
        "import sys; from reachy_agent_ros.robot import daemon_robot, mujoco_robot;"
        "mujoco_robot.MujocoRobot().connect();"
        "sys.exit(any(name in sys.modules for name in ('reachy_mini', 'gi')))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
