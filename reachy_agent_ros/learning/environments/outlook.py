"""A course sampled period by period: as it is, and as the robot sees it."""

from __future__ import annotations

from reachy_agent_ros.learning.environments.channel import PERIOD, Channel
from reachy_agent_ros.learning.environments.course import Values
from reachy_agent_ros.learning.environments.tracking_task import LEAD, TrackingTask

WORTH_A_WORD = 0.02
"""Least error, rad, about one axis that the person beside the robot says something of."""


class Outlook:
    """What one episode asks for.

    Args:
        task: What is asked.
        parameters: Of the episode.

    Attributes:
        course: Where the channels should be, one tuple a period.
        seen: Where the robot sees that they should be, likewise, `LEAD` periods further.
        judged: Whether an error counts, period by period.
        pushes: Torque on the head about pitch and yaw, N m, period by period.
    """

    def __init__(self, task: TrackingTask, parameters: Values) -> None:
        course = task.course(parameters, task.duration)
        times = [PERIOD * step for step in range(task.length + LEAD + 1)]
        self.course = [course.at(time) for time in times]
        self.judged = [course.judged(time) for time in times]
        self.pushes = [course.push(time) for time in times]
        self.seen = self.course
        self._biased = task.biased
        if task.biased:
            self.seen = [(pitch + parameters["bias_pitch"], yaw + parameters["bias_yaw"]) for pitch, yaw in self.course]

    def words(self, step: int, measured: list[float]) -> tuple[float, ...]:
        """What a person beside the robot says of its pitch and yaw: 1 for further, -1 for back, 0 for well.

        Nobody says anything where the robot sees for itself.
        """
        if not self._biased:
            return ()
        pitch, yaw = self.course[step]
        return _word(pitch - measured[Channel.PITCH]), _word(yaw - measured[Channel.YAW])


def _word(error: float) -> float:
    return 0.0 if abs(error) < WORTH_A_WORD else 1.0 if error > 0.0 else -1.0
