import mujoco
import pytest

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.vision.graphics import Renderer


def test_rendering_error_names_packages_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MUJOCO_GL", "no_such_library")
    model = mujoco.MjModel.from_xml_string("<mujoco/>")
    with pytest.raises(AgentError, match="apt-get install libegl1 libegl-mesa0") as caught:
        Renderer(model, 16, 16)
    assert caught.value.code is ErrorCode.CAMERA_UNAVAILABLE
