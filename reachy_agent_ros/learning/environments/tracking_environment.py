"""Gymnasium environment for tracking tasks, and a wrapper that gives all tracking tasks the same layout."""

from __future__ import annotations

import math
from typing import Any

import gymnasium
import numpy as np
from numpy.typing import NDArray

from reachy_agent_ros.learning.environments.randomization import ImperfectDynamics, Randomization
from reachy_agent_ros.learning.environments.spaces import Entries, Info, action_box, checked, observation_box
from reachy_agent_ros.learning.environments.specification import PostureChannel, Split, Values
from reachy_agent_ros.learning.environments.tracking_task import BLOCKS, LEAD, Outlook, TrackingTask
from reachy_agent_ros.robot.pose_limits import HIGH, LOW
from reachy_agent_ros.simulation.dynamics import COUNT, PERIOD
from reachy_agent_ros.vision.studio_view import StudioView

_LOW, _HIGH = LOW.tolist(), HIGH.tolist()

CHANNELS = tuple(PostureChannel)
"""Channels of the common layout, in order. The layout consists of the blocks `tracking_task.BLOCKS`."""

_WIDTH, _HEIGHT = 320, 240


class TrackingEnvironment(gymnasium.Env[Entries, Entries]):
    """Environment of a tracking task. Its actions move the set points of the task's channels.

    The reward is the negated error, plus 1 for success. `info` contains `success` (False before the last step), `cost`
    and `error` (largest error of the channels that count, rad). After a reset, it also contains the `parameters` of the
    episode.

    Args:
        task: The task.
        body: Dynamics of the robot.
        split: Split whose ranges the parameters are drawn from.
        fixed: Parameters with fixed values, by name.
        randomization: Randomization of the robot; None for the default of the task.
        render_mode: `rgb_array` or None.
    """

    metadata = {"render_modes": ["rgb_array"], "render_fps": round(1.0 / PERIOD)}  # noqa: RUF012 - Gymnasium's name

    def __init__(
        self,
        task: TrackingTask,
        body: ImperfectDynamics,
        split: Split,
        fixed: Values,
        randomization: Randomization | None = None,
        render_mode: str | None = None,
    ) -> None:
        self.task = task
        self.body = body
        self.render_mode = render_mode
        self._split = split
        self._fixed = fixed
        self._randomization = task.randomization if randomization is None else randomization
        self._studio: StudioView | None = None
        self._channels = [(int(channel), channel.stride) for channel in task.channels]
        self._judged = [
            (place, int(channel), channel.weight)
            for place, channel in enumerate(task.channels)
            if channel not in task.free
        ]
        specification = task.specification
        self.observation_space = observation_box(len(specification.observation))
        self.action_space = action_box(len(specification.action))

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Entries, dict[str, Any]]:
        """Starts an episode, which is completely determined by the seed."""
        super().reset(seed=seed)
        drawn = {each.name: each.draw(self._split, self.np_random) for each in self.task.parameters}
        self.parameters: Values = {**drawn, **self._fixed}
        self.body.reset(self._randomization.draw(self.np_random), self.np_random)
        self._outlook = Outlook(self.task, self.parameters)
        self._points = [0.0] * COUNT
        self._step = self._counted = 0
        self._squares = 0.0
        return self._observation(), {**self._info(False, 0.0, self._error()), "parameters": {**self.parameters}}

    def step(self, action: Entries) -> tuple[Entries, float, bool, bool, Info]:
        """Moves the set points and simulates one period.

        Raises:
            AgentError: `INVALID_GOAL` or `NOT_FINITE` for an invalid action, which changes nothing.
        """
        cost = self._moved(checked(action, len(self._channels)))
        self._step += 1
        error = self._error()
        if self._outlook.judged[self._step]:
            self._squares += error * error
            self._counted += 1
        ended = self._step == self.task.length
        success = ended and math.sqrt(self._squares / self._counted) <= self.task.tolerance
        return self._observation(), success - error, False, ended, self._info(success, cost, error)

    def render(self) -> NDArray[np.uint8] | None:
        """Returns an external view of the robot; None if `render_mode` is not `rgb_array`.

        The first image takes some seconds, later ones about 20 ms.

        Raises:
            AgentError: `CAMERA_UNAVAILABLE` if rendering is not possible.
        """
        if self.render_mode != "rgb_array":
            return None
        if self._studio is None:
            self._studio = StudioView("empty", _WIDTH, _HEIGHT)
        return self._studio.draw(self.body.joints(), {})

    def close(self) -> None:
        """Closes the renderer."""
        if self._studio is not None:
            self._studio.close()
            self._studio = None

    def _moved(self, shares: list[float]) -> float:
        """Moves the set points, simulates one period, and limits the set points to the envelope. Returns the cost."""
        points, cost = self._points, 0.0
        for (channel, stride), share in zip(self._channels, shares, strict=True):
            if not -1.0 <= share <= 1.0:
                cost, share = 1.0, math.copysign(1.0, share)
            points[channel] += stride * share
        goal = points.copy()
        goal[PostureChannel.YAW] -= goal[PostureChannel.BODY_YAW]
        if self.task.pushed:
            self.body.push(*self._outlook.pushes[self._step])
        if self.body.step(goal):
            cost = 1.0
        for index in range(PostureChannel.Z, COUNT):
            if not _LOW[index] <= goal[index] <= _HIGH[index]:
                cost, goal[index] = 1.0, min(max(goal[index], _LOW[index]), _HIGH[index])
        goal[PostureChannel.YAW] += goal[PostureChannel.BODY_YAW]
        self._points = goal
        return cost

    def _error(self) -> float:
        """Returns the largest error (rad) of all channels whose errors count."""
        measured = self.body.measured
        course = self._outlook.course[self._step]
        turned = measured[PostureChannel.BODY_YAW]
        return max(
            abs(course[place] - measured[channel] - (turned if channel == PostureChannel.YAW else 0.0)) * weight
            for place, channel, weight in self._judged
        )

    def _observation(self) -> Entries:
        sensed, points = self.body.sensed, self._points
        now, ahead = self._outlook.seen[self._step], self._outlook.seen[self._step + LEAD]
        turned = sensed[PostureChannel.BODY_YAW]
        measured = [
            sensed[channel] + turned if channel == PostureChannel.YAW else sensed[channel]
            for channel, _ in self._channels
        ]
        sent = [points[channel] for channel, _ in self._channels]
        entries = [
            *measured,
            *sent,
            *[course - place for course, place in zip(now, measured, strict=True)],
            *[course - place for course, place in zip(ahead, sent, strict=True)],
            *self._outlook.words(self._step, self.body.measured),
        ]
        return np.array(entries, dtype=np.float32)

    @staticmethod
    def _info(success: bool, cost: float, error: float) -> Info:
        return {"success": success, "cost": cost, "error": error}


class WholeBody(gymnasium.Wrapper[Entries, Entries, Entries, Entries]):
    """Wrapper with the same layout for all tracking tasks, so that one policy can act in all of them.

    Observations of missing channels are zero, and their actions are ignored. Spoken corrections are left out.

    Args:
        environment: Environment of a tracking task.
    """

    def __init__(self, environment: TrackingEnvironment) -> None:
        super().__init__(environment)
        self._places = [CHANNELS.index(channel) for channel in environment.task.channels]
        count = len(CHANNELS)
        self._shown = [block * count + place for block in range(len(BLOCKS)) for place in self._places]
        self.observation_space = observation_box(count * len(BLOCKS))
        self.action_space = action_box(count)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Entries, dict[str, Any]]:
        """Starts an episode and returns the observation in the common layout."""
        observation, info = self.env.reset(seed=seed, options=options)
        return self._spread(observation), info

    def step(self, action: Entries) -> tuple[Entries, float, bool, bool, Info]:
        """Performs a step with an action in the common layout.

        Raises:
            AgentError: Same as for the wrapped environment.
        """
        entries = np.array(checked(action, len(CHANNELS)), dtype=np.float32)
        observation, reward, terminated, truncated, info = self.env.step(entries[self._places])
        return self._spread(observation), float(reward), terminated, truncated, info

    def _spread(self, observation: Entries) -> Entries:
        spread = np.zeros(len(CHANNELS) * len(BLOCKS), dtype=np.float32)
        spread[self._shown] = observation[: len(self._shown)]
        return spread
