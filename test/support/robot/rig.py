"""Motion controller with a simulated clock and an ideal robot."""

from __future__ import annotations

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.core.pose import BodyPose
from reachy_agent_ros.motion.breathing import Breath
from reachy_agent_ros.motion.controller import MotionController
from reachy_agent_ros.motion.drowsiness import Liveliness
from reachy_agent_ros.motion.playback import Playback
from reachy_agent_ros.motion.request import Gaze, Named
from reachy_agent_ros.robot.protocol import Measurement, MotorMode
from reachy_agent_ros.robot.target_validation import Target

PERIOD = 0.01

STILL = Liveliness(intensity=0.0)
"""An idle robot that only breathes."""


class Rig:
    """Motion controller with a simulated clock and a robot that follows commands immediately or not at all."""

    def __init__(self, breath: Breath | None = None, liveliness: Liveliness = STILL) -> None:
        self.controller = MotionController(breath, liveliness=liveliness)
        self.pose = BodyPose()
        self.now = 100.0
        self.deaf = False
        self.mode = MotorMode.ENABLED
        self.endings: list[AgentError | None] = []
        self.run(0.1)

    def run(self, seconds: float) -> None:
        for _ in range(round(seconds / PERIOD)):
            self.turn()

    def turn(self) -> None:
        """Runs one period of the motion loop."""
        self.now += PERIOD
        command = self.controller.cycle(Measurement(self.now, self.pose, {}, motor_mode=self.mode), self.now, PERIOD)
        if command is not None and not self.deaf:
            self.pose = command

    def play(self, wish: Target | Gaze | Named, commander: str = "tools", duration: float = 0.0) -> Playback:
        return self.controller.execute(wish, commander, self.endings.append, duration)[0]

    def stream(self, target: Target, commander: str = "teleop") -> None:
        self.controller.stream(target, commander, self.now)

    def codes(self) -> list[ErrorCode]:
        return [ErrorCode.NONE if ending is None else ending.code for ending in self.endings]

    def reported(self) -> dict[str, ErrorCode]:
        return {report.finding.field: report.finding.code for report in self.controller.reports.take()}
