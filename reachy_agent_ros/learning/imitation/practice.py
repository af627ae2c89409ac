"""Practice: finding where to aim, so that motors that lag and stick do what was shown.

Iterative learning control (Arimoto, Kawamura and Miyazaki 1984): do it, and aim further the next time by what was
missing.
"""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from reachy_agent_ros.learning.environments.conformance import play
from reachy_agent_ros.learning.environments.registry import make
from reachy_agent_ros.learning.environments.variation import Randomisation
from reachy_agent_ros.learning.imitation.in_environment import InEnvironment
from reachy_agent_ros.learning.imitation.shown_course import ShownCourse
from reachy_agent_ros.learning.imitation.taught_skill import TaughtSkill

REPETITIONS = 16
"""The last ones hardly change anything."""

_GAIN = 0.5
"""Share of what was missing."""


def practised(skill: TaughtSkill, task: str) -> TaughtSkill:
    """Does a skill again and again in physics, on the model's own robot, and aims better every time.

    Args:
        skill: What is practised.
        task: Name of its environment.

    Returns:
        The skill with the best aim that was tried: with the least cost, and of these with the least error.
    """
    shown, environment = skill.course, make(task, kinematic=False, randomisation=Randomisation())
    weights = np.array([channel.weight for channel in shown.channels])
    best, least = skill, (math.inf, math.inf)
    for _ in range(REPETITIONS):
        episode = play(environment, InEnvironment(skill.begin, shown), 0, shown.steps)
        missing = shown.points - episode.observations[:, : len(weights)]
        judged = episode.cost, float(np.square(weights * missing).mean())
        if judged < least:
            best, least = skill, judged
        skill = replace(skill, aim=ShownCourse(shown.channels, skill.aim.points + _GAIN * missing))
    environment.close()
    return best
