"""Random commands of all kinds: motions, streams, layers, listening, stops, motor modes and guiding by hand."""

from __future__ import annotations

from contextlib import suppress

import numpy as np

from reachy_agent_ros.core.errors import AgentError
from reachy_agent_ros.core.pose import head_transform
from reachy_agent_ros.motion.controller import MotionController
from reachy_agent_ros.motion.offset import Offset, OffsetSource
from reachy_agent_ros.motion.request import Gaze, Library, Named
from reachy_agent_ros.robot.mujoco_robot import MujocoRobot
from reachy_agent_ros.robot.protocol import MotorMode
from reachy_agent_ros.robot.target_validation import Target

LIBRARY = (
    Named(Library.DANCE, "simple_nod"),
    Named(Library.DANCE, "dizzy_spin"),
    Named(Library.DANCE, "headbanger_combo"),
    Named(Library.EMOTION, "joy"),
    Named(Library.EMOTION, "surprise", 0.7),
)


class RandomCommands:
    """Generator that sends a few random commands per second.

    Args:
        robot: Robot whose motors are switched.
        controller: Controller that receives the commands.
        generator: Random generator.

    Attributes:
        begun: Number of motions and streams that the controller accepted.
    """

    def __init__(self, robot: MujocoRobot, controller: MotionController, generator: np.random.Generator) -> None:
        self.begun = 0
        self._robot = robot
        self._controller = controller
        self._generator = generator
        self._streaming = self._listening = self._talking = 0.0

    def act(self, now: float) -> None:
        """Sends the commands for the 10 ms period that begins at the time `now` (s)."""
        chance = self._generator.random()
        if chance < 0.010:
            self._move()
        elif chance < 0.012:
            self._streaming = now + self._generator.uniform(0.1, 3.0)
        elif chance < 0.014:
            self._listening = now + self._generator.uniform(0.1, 3.0)
        elif chance < 0.018:
            self._talking = now + self._generator.uniform(0.1, 4.0)
        elif chance < 0.0195:
            self._interrupt()
        elif chance < 0.0205:
            self._recover()
        elif chance < 0.025:
            self._streaming = self._listening = self._talking = 0.0
        self._keep_sending(now)

    def _move(self) -> None:
        kind = self._generator.integers(3)
        wish: Target | Gaze | Named = self._target()
        if kind == 0:
            wish = LIBRARY[self._generator.integers(len(LIBRARY))]
        elif kind == 1:
            wish = Gaze(np.array([0.5, *self._generator.uniform(-0.8, 0.8, 2)]), "head_base")
        with suppress(AgentError):
            self._controller.execute(wish, "bench", lambda _error: None, self._generator.choice([0.0, 0.5, 2.0]))
            self.begun += 1

    def _interrupt(self) -> None:
        kind = self._generator.integers(4)
        if kind == 0:
            self._controller.stop("bench")
        elif kind == 1:
            self._robot.set_motor_mode(MotorMode(int(self._generator.integers(1, 3))))
        else:
            self._controller.hold()

    def _recover(self) -> None:
        self._robot.set_motor_mode(MotorMode.ENABLED)
        self._controller.release()

    def _keep_sending(self, now: float) -> None:
        if now < self._streaming and self._generator.random() < 0.5:
            before = self._controller.commander
            self._controller.stream(self._target(), "bench", now)
            self.begun += before == ""
        if now < self._listening:
            self._controller.listen(True, now)
        if now < self._talking:
            nod = np.array([0.0, 0.08 * np.sin(25.0 * now), 0.05 * np.sin(6.0 * now)])
            self._controller.offset(OffsetSource.SPEECH, Offset(rotation=nod), now)
            face = np.array([0.0, 0.0, 0.8 * np.sign(np.sin(0.7 * now))])
            self._controller.offset(OffsetSource.FACE, Offset(rotation=face), now)
        if self._generator.random() < 0.05:
            self._teach()

    def _teach(self) -> None:
        pose = self._controller.teach(self._target(), "bench")
        if pose is not None:
            with suppress(AgentError):  # the motors may just have been enabled
                self._robot.lead(pose)

    def _target(self) -> Target:
        roll, pitch = self._generator.normal(0.0, 0.25, 2)
        head = head_transform(roll, pitch, self._generator.normal(0.0, 0.8), z=self._generator.uniform(-0.02, 0.01))
        right, left = self._generator.normal(0.0, 1.0, 2)
        kind = self._generator.integers(3)
        if kind == 0:
            return Target(body_yaw=float(self._generator.normal(0.0, 0.8)))
        return Target(head, (float(right), float(left)) if kind == 1 else None)
