"""Simulated robot that runs without ROS and faster than real time. A thread advances its clock."""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Mapping
from concurrent.futures import Future
from concurrent.futures import wait as wait_for
from functools import cache

import mujoco
import numpy as np

from reachy_agent_ros.core.deadline import Deadline
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.core.pose import Vector
from reachy_agent_ros.motion.loop import PERIOD
from reachy_agent_ros.robot.description import scene_path
from reachy_agent_ros.simulation.mujoco_body import MujocoBody
from reachy_agent_ros.tools.body import Motion, MotionResult
from reachy_agent_ros.tools.context import ToolContext
from reachy_agent_ros.tools.gaze import SETTLING
from reachy_agent_ros.tools.repertoire import NOTHING, Repertoire, perform, shown_as
from reachy_agent_ros.vision.eye import AS_IN_THE_MODEL, Mounting, camera_pose
from reachy_agent_ros.vision.scene_model import scene_without_robot

SPEED = 4.0
"""Speed relative to real time, at which physics uses half a core."""


class SimulatedBody(MujocoBody):
    """MuJoCo body whose time advances continuously. Thread-safe.

    All motion passes through the safety gate, as in the graph.

    Args:
        desk: Positions of objects on a desk by name, x and y in m; None for no desk.
        view: Answer of a vision model for any image; empty if there is no vision model.
        blind: Whether the camera does not respond.
        speed: Speed relative to real time, limited by the machine.
        mounting: True mounting of the camera in the head.

    Attributes:
        repertoire: Taught skills, which replace gestures and recorded moves with the same names.
    """

    def __init__(
        self,
        desk: Mapping[str, tuple[float, float]] | None = None,
        view: str = "",
        blind: bool = False,
        speed: float = SPEED,
        mounting: Mounting = AS_IN_THE_MODEL,
    ) -> None:
        super().__init__("empty" if desk is None else "minimal", desk, view, blind, mounting=mounting)
        self.repertoire: Repertoire = NOTHING
        self.reset()
        self._speed = speed
        self._closing = threading.Event()
        self._clock = threading.Thread(target=self._run, name="physics", daemon=True)
        self._clock.start()

    def move(self, motion: Motion, context: ToolContext) -> MotionResult:
        """Plays one motion to its end. If the robot has learned a skill with the same name, plays the skill instead."""
        shown = shown_as(motion, self.repertoire)
        return super().move(motion, context) if shown is None else perform(*shown, context)

    def wait(self, seconds: float) -> None:
        """Waits for a simulated time (s)."""
        until = self.now + seconds
        while self.now < until:
            time.sleep(PERIOD)

    def say(self, text: str, context: ToolContext) -> str:
        """Records the text without waiting, because the duration of speech is not tested."""
        context.cancel.raise_if_cancelled()
        self.spoken.append(text)
        return text

    def stop(self, reason: str) -> None:
        """Latches the emergency stop."""
        with self._lock:
            self._controller.stop(reason)

    def gaze_error(self, thing: str) -> float:
        """Returns the angle (rad) between the optical axis and the true position of an object on the desk.

        Raises:
            AgentError: `INVALID_GOAL` if the scene does not contain the object.
        """
        measured = self.measure()
        if thing not in measured.objects:
            present = ", ".join(measured.objects) or "none, because it has no desk"
            raise AgentError(ErrorCode.INVALID_GOAL, f"Unknown object {thing!r}. Objects in the scene: {present}.")
        camera = camera_pose(measured.pose.head)
        way = (measured.objects[thing] @ thing_middle(thing))[:3] - camera[:3, 3]
        return math.acos(float(np.clip(way @ camera[:3, 2] / np.linalg.norm(way), -1.0, 1.0)))

    def settle(self) -> None:
        """Waits until the head has come to rest after its last motion."""
        self.wait(SETTLING)

    def close(self) -> None:
        """Stops the clock and closes the simulation."""
        self._closing.set()
        self._clock.join()
        super().close()

    def _pass_until(self, ended: Future[AgentError | None], deadline: Deadline) -> None:
        wait_for([ended], deadline.remaining)

    def _run(self) -> None:
        due = time.monotonic()
        while not self._closing.wait(max(0.0, due - time.monotonic())):
            due = max(due + PERIOD / self._speed, time.monotonic())
            self._step()


@cache
def thing_middle(kind: str) -> Vector:
    """Returns the center of an object in the frame of the object, as a homogeneous vector (m).

    The center is the middle of the bounding box of the object's mesh.
    """
    model = _model()
    geom = model.geom(f"{kind}_geom").id
    turned = np.empty(3)
    mujoco.mju_rotVecQuat(turned, model.geom_aabb[geom, :3], model.geom_quat[geom])
    return np.append(model.geom_pos[geom] + turned, 1.0)


@cache
def _model() -> mujoco.MjModel:
    return scene_without_robot(scene_path("minimal"))
