"""The simulated robot as tools see it, without ROS and faster than life: the twin, with a thread that is its clock."""

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
from reachy_agent_ros.core.errors import AgentError
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
"""Times faster than life: physics leaves half a core free at that."""


class SimulatedBody(MujocoBody):
    """A twin whose time passes by itself. Any thread may use it. What moves it passes the safety gate, as in the graph.

    Args:
        desk: Where things stand on a desk before it, x and y in m, by name; None for no desk.
        view: What a vision model would say of any picture; empty where there is none.
        blind: Whether the camera does not answer.
        speed: Times faster than life, as far as the machine can.
        mounting: How the eye truly sits in the head.

    Attributes:
        repertoire: What people have shown it, instead of gestures and recorded moves of the same name.
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
        """Plays one motion to its end, as it was shown where somebody has shown it."""
        shown = shown_as(motion, self.repertoire)
        return super().move(motion, context) if shown is None else perform(*shown, context)

    def wait(self, seconds: float) -> None:
        """Waits until simulated time has passed."""
        until = self.now + seconds
        while self.now < until:
            time.sleep(PERIOD)

    def say(self, text: str, context: ToolContext) -> str:
        """Speaks without a sound, and at once: scenarios are about what is said, not about how long it takes."""
        self.spoken.append(text)
        return text

    def stop(self, reason: str) -> None:
        """Latches the emergency stop."""
        with self._lock:
            self._controller.stop(reason)

    def gaze_error(self, thing: str) -> float:
        """Angle between the eye's axis and where a thing on the desk truly is, rad."""
        measured = self.measure()
        camera = camera_pose(measured.pose.head)
        way = (measured.objects[thing] @ thing_middle(thing))[:3] - camera[:3, 3]
        return math.acos(float(np.clip(way @ camera[:3, 2] / np.linalg.norm(way), -1.0, 1.0)))

    def settle(self) -> None:
        """Waits until the head has come to rest where its last motion sent it."""
        self.wait(SETTLING)

    def close(self) -> None:
        """Frees what draws and moves."""
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
    """Middle of the box around a thing's mesh, homogeneous, in the thing's own frame, m."""
    model = _model()
    geom = model.geom(f"{kind}_geom").id
    turned = np.empty(3)
    mujoco.mju_rotVecQuat(turned, model.geom_aabb[geom, :3], model.geom_quat[geom])
    return np.append(model.geom_pos[geom] + turned, 1.0)


@cache
def _model() -> mujoco.MjModel:
    return scene_without_robot(scene_path("minimal"))
