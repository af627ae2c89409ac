"""Idle life: glances, small antenna motions, sleepiness and sleep of a robot that nobody uses."""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import Enum, auto
from random import Random

import numpy as np

from reachy_agent_ros.core.pose import BodyPose, Vector
from reachy_agent_ros.motion.breathing import BLEND
from reachy_agent_ros.motion.drowsiness import Alertness, Drowsiness, Liveliness
from reachy_agent_ros.motion.glances import Glances
from reachy_agent_ros.motion.pose_move import gentle
from reachy_agent_ros.robot.coordinates import ANTENNAS, BODY_YAW, coordinates, posture
from reachy_agent_ros.robot.sleep import resting_posture
from reachy_agent_ros.robot.workspace import Workspace

PAUSE = (5.0, 12.0)
"""Time before the first glance, and between two series of glances at medium intensity, s."""

DWELL = (1.0, 3.5)
"""Duration of a glance after the head has arrived, s."""

REACTION = (0.2, 0.6)
"""Time before a glance at something new, s."""

TURN = (1.1, 2.0)
"""Duration of a turn to a glance or back, s. It is extended to what a gentle speed requires."""

SINKING = 4.0
"""Duration of falling asleep, s."""

_ANOTHER = 0.35
"""Probability that another glance follows a glance without a rest."""

_SLEEPY_SIZE, _SLEEPY_PAUSE = 0.5, 3.0
"""Factors of the size of a sleepy robot's glances, and of the time between them."""

_ATTEMPTS, _SHRINKING = 5, 0.7
"""Number of glances to try, and the ratio of their sizes: a smaller glance may be free if a larger one is not."""

_RETRY = 10.0
"""Time after which a robot that found no free path to its sleeping posture tries again, s."""

_STEPS = np.linspace(0.0, 1.0, 17)[1:, None]
"""Fractions of a straight path that are checked; between two of them, the head moves by at most 7 mm."""


class _Place(Enum):
    REST = auto()
    GLANCE = auto()
    BED = auto()
    BETWEEN = auto()


@dataclass(frozen=True)
class Shift:
    """Change of the posture around which the robot breathes.

    Attributes:
        around: New posture.
        duration: Duration of the change, s.
        still: Whether the robot does not breathe there. A moving head that is turned aside costs the safety gate ten
            times as much as one at rest.
    """

    around: BodyPose
    duration: float
    still: bool = False


class IdleLife:
    """Decides when and where an idle robot glances, and when it sleeps.

    The straight path to every glance is in the workspace and has room for breathing. A call of `advance` checks at most
    two paths, because a check takes time of the 100 Hz motion loop. All times are on the steady clock, s. Use from one
    thread at a time.

    Args:
        workspace: Permitted postures.
        random: Source of randomness.

    Attributes:
        liveliness: Parameters. A change applies immediately.
        alertness: How awake the robot is.
    """

    def __init__(self, workspace: Workspace, random: Random | None = None) -> None:
        self.liveliness = Liveliness()
        self.alertness = Alertness.AWAKE
        self._workspace = workspace
        self._random = random or Random()
        self._glances = Glances(self._random)
        self._drowsiness = Drowsiness()
        self._home = self._center = np.zeros(9)
        self._bed = coordinates(resting_posture())
        self._place = _Place.REST
        self._arrival = self._due = -math.inf
        self._failures = 0

    def wake(self) -> None:
        """Wakes the robot, because somebody needs it."""
        self._drowsiness.wake()

    def notice(self, yaw: float, pitch: float, now: float) -> None:
        """Draws attention to a direction. A robot that sleeps ignores it.

        Args:
            yaw: Angle from the front of the robot's base, rad, positive to the left.
            pitch: Angle below the horizon, rad.
            now: Present time.
        """
        if self.alertness is Alertness.ASLEEP:
            return
        if self._glances.notice(yaw, pitch, now) and self._place is _Place.REST:
            self._due = min(self._due, now + self._random.uniform(*REACTION))

    def settle(self, home: BodyPose, now: float) -> None:
        """Begins the idle life of an awake robot that rests in the posture `home`."""
        self._home = self._center = coordinates(home)
        self._bed[BODY_YAW] = self._home[BODY_YAW]
        self._place, self._arrival, self._due = _Place.REST, now, now + self._pause()
        self.alertness = Alertness.AWAKE
        self.wake()

    def interrupt(self, now: float) -> None:
        """Records that the robot stops where it is."""
        if now < self._arrival:
            self._place, self._arrival = _Place.BETWEEN, now

    def resume(self, at: BodyPose, now: float) -> Shift:
        """Continues after an interruption, with the change that was interrupted.

        A robot that sleeps does not wake up. Any other robot becomes fully awake.

        Args:
            at: Present posture.
            now: Present time.
        """
        if self.alertness is not Alertness.ASLEEP:
            self.wake()
        duration = max(BLEND, gentle(self._center - coordinates(at)))
        self._due = now + duration
        if self._place is _Place.REST:
            self._due += self._pause()
        else:
            self._arrival = self._due
        return Shift(posture(self._center), duration, self._place is not _Place.REST)

    def advance(self, at: BodyPose, now: float, lift: float, quiet: bool = False) -> Shift | None:
        """Returns the next change of the posture around which the robot breathes, or None if there is none now.

        Args:
            at: Present posture of the primary motion.
            now: Present time.
            lift: Amplitude of the head's breathing, for which a glance must have room, m.
            quiet: Whether the robot must return to the posture in which it came to rest, and stay there.
        """
        before, self.alertness = self.alertness, self._drowsiness.alertness(self.liveliness, now)
        if self.alertness < before:
            self._place, self._due = _Place.BETWEEN, now
        if now < self._arrival:
            return None
        if quiet or self.liveliness.intensity == 0.0:
            self._due = max(self._due, now + PAUSE[0])
            return self._shift(at, self._home, _Place.REST, now)
        if self.alertness is Alertness.ASLEEP:
            return self._shift(at, self._bed, _Place.BED, now)
        if now < self._due:
            return None
        if self._place is _Place.REST or (self._place is _Place.GLANCE and self._random.random() < _ANOTHER):
            return self._glance(at, now, lift)
        return self._shift(at, self._resting(now), _Place.REST, now)

    def _resting(self, now: float) -> Vector:
        """Returns the posture to rest in, which sinks toward the sleeping posture while the robot is sleepy."""
        return self._home + self._drowsiness.droop(self.liveliness, now) * (self._bed - self._home)

    def _glance(self, at: BodyPose, now: float, lift: float) -> Shift | None:
        """Returns a turn to a glance, or None if the path is not free; a later call tries another one."""
        size = self._size() * _SHRINKING**self._failures
        begin, goal = coordinates(at), self._glances.choose(self._resting(now), self.liveliness.turn, size, now)
        if goal is None or not self._is_free(begin, goal, lift):
            self._failures += 1
            if self._failures == _ATTEMPTS:
                self._failures, self._due = 0, now + self._pause()
            return None
        self._failures = 0
        self._glances.record(goal, now)
        return self._turned(begin, goal, _Place.GLANCE, now)

    def _shift(self, at: BodyPose, goal: Vector, place: _Place, now: float) -> Shift | None:
        """Returns a turn to a posture of rest or sleep, by way of the neutral posture if the straight path is not free.

        If neither path is free, an awake robot goes back to where it came to rest; the safety gate watches on the way.
        """
        if np.array_equal(goal, self._center) and self._place is place:
            return None
        begin, middle = coordinates(at), np.zeros(9)
        middle[BODY_YAW], middle[ANTENNAS] = self._home[BODY_YAW], goal[ANTENNAS]
        if self._is_free(begin, goal):
            return self._turned(begin, goal, place, now)
        if not np.array_equal(middle, self._center) and self._is_free(begin, middle):
            return self._turned(begin, middle, _Place.BETWEEN, now)
        if place is _Place.BED:
            self._arrival = now + _RETRY
            return None
        return self._turned(begin, self._home, place, now)

    def _turned(self, begin: Vector, goal: Vector, place: _Place, now: float) -> Shift:
        wished = SINKING if place is _Place.BED else self._random.uniform(*TURN)
        duration = max(wished, gentle(goal - begin))
        self._center, self._place, self._arrival = goal, place, now + duration
        stay = {_Place.GLANCE: self._random.uniform(*DWELL), _Place.REST: self._pause()}.get(place, 0.0)
        self._due = self._arrival + stay
        return Shift(posture(goal), duration, place is not _Place.REST)

    def _is_free(self, begin: Vector, goal: Vector, lift: float = 0.0) -> bool:
        """Returns whether a straight path is in the workspace, also if the head is higher or lower by `lift` (m)."""
        path = begin + _STEPS * (goal - begin)
        if lift == 0.0:
            return self._workspace.holds_all(path)
        room = np.zeros(9)
        room[2] = lift
        return self._workspace.holds_all(np.concatenate([path - room, path + room, path]))

    def _size(self) -> float:
        return (0.4 + 0.6 * self.liveliness.intensity) * (_SLEEPY_SIZE if self.alertness is Alertness.SLEEPY else 1.0)

    def _pause(self) -> float:
        drowsy = _SLEEPY_PAUSE if self.alertness is Alertness.SLEEPY else 1.0
        return drowsy * self._random.uniform(*PAUSE) / (0.5 + self.liveliness.intensity)
