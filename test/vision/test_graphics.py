from typing import Any

import mujoco
import pytest

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.vision.graphics import Renderer


def settings(model: mujoco.MjModel) -> tuple[int, ...]:
    size, quality = model.vis.global_, model.vis.quality
    return size.offwidth, size.offheight, quality.offsamples, quality.shadowsize


def test_rendering_error_names_packages_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MUJOCO_GL", "no_such_library")
    model = mujoco.MjModel.from_xml_string("<mujoco/>")
    with pytest.raises(AgentError, match="apt-get install libegl1 libegl-mesa0") as caught:
        Renderer(model, 16, 16)
    assert caught.value.code is ErrorCode.CAMERA_UNAVAILABLE


@pytest.mark.parametrize("name", ["renderer", "disable"])
def test_unknown_backend_is_rejected_with_valid_names(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.setenv("MUJOCO_GL", name)
    model = mujoco.MjModel.from_xml_string("<mujoco/>")
    with pytest.raises(AgentError, match=f"MUJOCO_GL={name}: expected egl, glfw, osmesa"):
        Renderer(model, 16, 16)


def test_renderer_keeps_settings_of_model() -> None:
    model = mujoco.MjModel.from_xml_string("<mujoco/>")
    before = settings(model)
    Renderer(model, 16, 12, smooth=False).close()
    assert settings(model) == before


def test_images_that_are_too_large_free_the_graphics_context(monkeypatch: pytest.MonkeyPatch) -> None:
    context_type = pytest.importorskip("mujoco.egl").GLContext
    freed: list[Any] = []
    free = context_type.free

    def noted(context: Any) -> None:
        freed.append(context)
        free(context)

    monkeypatch.setenv("MUJOCO_GL", "egl")
    monkeypatch.setattr(context_type, "free", noted)
    model = mujoco.MjModel.from_xml_string("<mujoco/>")
    before = settings(model)
    with pytest.raises(AgentError, match="100000 x 100000 pixels") as caught:
        Renderer(model, 100_000, 100_000)
    assert caught.value.code is ErrorCode.CAMERA_UNAVAILABLE
    assert len(freed) == 1
    assert settings(model) == before
