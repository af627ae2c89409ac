"""Offscreen rendering of MuJoCo models."""

from __future__ import annotations

import ctypes
import importlib
import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import mujoco
import numpy as np
from OpenGL.error import Error as OpenGLError

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.vision.camera import Image

_BACKENDS = ("egl", "glfw", "osmesa")
"""Values of MUJOCO_GL that name a backend."""

_LIBRARIES = {"egl": ("libEGL.so.1", "libEGL_mesa.so.0"), "osmesa": ("libOSMesa.so.8",)}
"""Libraries that each backend needs. The EGL dispatcher alone does not find a renderer."""

_NVIDIA_EGL = ("libEGL.so.1", "libEGL_nvidia.so.0")

_MISSING = "install libegl1 and libegl-mesa0, or libosmesa6 (apt-get install libegl1 libegl-mesa0)"


class Renderer:
    """Renderer for the cameras of a MuJoCo model. Only the thread that creates a renderer may use it.

    Shadows and reflections are off, because without a GPU they would take four fifths of the time.

    Args:
        model: Model to draw.
        width: Width, pixels.
        height: Height, pixels.
        smooth: Whether edges are antialiased. Without a GPU that takes two thirds of the time.

    Raises:
        AgentError: `CAMERA_UNAVAILABLE` if this machine has no usable OpenGL, or cannot render images of this size.
    """

    def __init__(self, model: mujoco.MjModel, width: int, height: int, smooth: bool = True) -> None:
        self._model = model
        self._context = _open_context(width, height)
        try:
            with _offscreen_settings(model, width, height, smooth):
                self._gpu = mujoco.MjrContext(model, mujoco.mjtFontScale.mjFONTSCALE_100)
        except mujoco.FatalError as error:
            self._context.free()
            message = f"Cannot render images of {width} x {height} pixels: {error}. Use a smaller size."
            raise AgentError(ErrorCode.CAMERA_UNAVAILABLE, message) from error
        mujoco.mjr_setBuffer(mujoco.mjtFramebuffer.mjFB_OFFSCREEN, self._gpu)
        self._viewport = mujoco.MjrRect(0, 0, width, height)
        self._scene = mujoco.MjvScene(model, maxgeom=model.ngeom + 10)
        self._scene.flags[mujoco.mjtRndFlag.mjRND_SHADOW] = False
        self._scene.flags[mujoco.mjtRndFlag.mjRND_REFLECTION] = False
        self._options = mujoco.MjvOption()

    def draw(self, data: mujoco.MjData, camera: mujoco.MjvCamera) -> Image:
        """Renders the model's current state from a camera. Positions must be up to date (`mj_forward`)."""
        self._context.make_current()
        everything = mujoco.mjtCatBit.mjCAT_ALL
        mujoco.mjv_updateScene(self._model, data, self._options, None, camera, everything, self._scene)
        mujoco.mjr_render(self._viewport, self._scene, self._gpu)
        pixels = np.empty((self._viewport.height, self._viewport.width, 3), dtype=np.uint8)
        mujoco.mjr_readPixels(pixels, None, self._viewport, self._gpu)
        return np.ascontiguousarray(np.flipud(pixels))

    def close(self) -> None:
        """Frees the graphics resources."""
        self._context.make_current()
        self._gpu.free()
        self._context.free()


def fixed_camera(model: mujoco.MjModel, name: str) -> mujoco.MjvCamera:
    """Returns the MuJoCo view through a camera of the model."""
    camera = mujoco.MjvCamera()
    camera.type = mujoco.mjtCamera.mjCAMERA_FIXED
    camera.fixedcamid = model.camera(name).id
    return camera


@contextmanager
def _offscreen_settings(model: mujoco.MjModel, width: int, height: int, smooth: bool) -> Iterator[None]:
    """Sets the model's rendering settings during a `with` block. MuJoCo reads them only to create an `MjrContext`."""
    size, quality = model.vis.global_, model.vis.quality
    before = size.offwidth, size.offheight, quality.offsamples, quality.shadowsize
    size.offwidth, size.offheight = width, height
    quality.offsamples = quality.offsamples if smooth else 0
    quality.shadowsize = 0  # else 64 MB for a shadow map
    try:
        yield
    finally:
        size.offwidth, size.offheight, quality.offsamples, quality.shadowsize = before


def _open_context(width: int, height: int) -> Any:
    """Creates an OpenGL context and makes it current.

    `mujoco.Renderer` would use the backend that MUJOCO_GL named when mujoco was first imported, which may be before it
    is known that rendering is needed.
    """
    name = _backend()
    context = None
    try:
        context = importlib.import_module(f"mujoco.{name}").GLContext(width, height)
        context.make_current()
    except (ImportError, AttributeError, OSError, RuntimeError, OpenGLError) as error:
        if context is not None:
            context.free()
        message = f"Cannot render with {name}: {error}. To render without a display, {_MISSING}."
        raise AgentError(ErrorCode.CAMERA_UNAVAILABLE, message) from error
    return context


def _backend() -> str:
    wanted = os.environ.get("MUJOCO_GL", "").strip().lower()
    if wanted in _BACKENDS:
        return wanted
    if wanted:
        message = f"Cannot render with MUJOCO_GL={wanted:.40}: expected {', '.join(_BACKENDS)} or nothing. "
        message += f"To render without a display, {_MISSING}."
        raise AgentError(ErrorCode.CAMERA_UNAVAILABLE, message)
    for name, libraries in (("egl", _LIBRARIES["egl"]), ("egl", _NVIDIA_EGL), ("osmesa", _LIBRARIES["osmesa"])):
        if all(_loads(library) for library in libraries):
            return name
    message = f"This machine has no OpenGL for rendering: {_MISSING}."
    raise AgentError(ErrorCode.CAMERA_UNAVAILABLE, message)


def _loads(library: str) -> bool:
    try:
        ctypes.CDLL(library)
    except OSError:
        return False
    return True
