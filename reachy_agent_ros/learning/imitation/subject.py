"""What is to be learnt: a skill that people showed, as a task to do it again, or a task of the suite."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.learning.demonstrations.index import Demonstrations
from reachy_agent_ros.learning.environments.dynamics import Randomisation
from reachy_agent_ros.learning.environments.registry import TASKS, add, expert_for, make
from reachy_agent_ros.learning.environments.tracking_task import Course, TrackingTask, after
from reachy_agent_ros.learning.imitation.shown_course import RATE, ShownCourse
from reachy_agent_ros.learning.training.demonstrations import Demonstration, demonstrate, task_length

_TOLERANCE = math.radians(5.0)
"""Root mean square of the error, rad, that nobody minds."""

_ROBOTS = Randomisation(strength=(0.8, 1.2), friction=(0.5, 1.5), head_mass=(0.9, 1.1), noise=(0.0, 0.005))
"""Robots that it is tried on: which of them stands before the person is not known. A delay is left out, because what
acts measures and commands in the same period."""


@dataclass(frozen=True)
class Subject:
    """One skill.

    Attributes:
        skill: Its name.
        task: Name of its environment.
        course: What was shown; None for a task of the suite that nobody showed.
        demonstration: Identifier of the demonstration; empty likewise.
    """

    skill: str
    task: str
    course: ShownCourse | None = None
    demonstration: str = ""


def subject_of(skill: str, demonstrations: Demonstrations) -> Subject:
    """What a skill is: what its newest demonstration shows, else the task of that name.

    Raises:
        AgentError: `NO_DATA`: nobody has shown it, and there is no such task; what `ShownCourse.of` refuses.
    """
    shown = next((one for one in demonstrations.listed(skill) if one.quality is not None and one.quality.rate), None)
    if shown is not None:
        course = ShownCourse.of(demonstrations.bag(shown).trajectory(RATE))
        task = _reenactment(skill, course)
        add(task)
        return Subject(skill, task.name, course, shown.identifier)
    if skill in TASKS:
        return Subject(skill, skill)
    message = f"Nobody has shown {skill!r:.80}: reachy-agent demonstrations record. Tasks to train without: "
    raise AgentError(ErrorCode.NO_DATA, message + ", ".join(TASKS))


def replays(name: str, seeds: Iterable[int]) -> list[Demonstration]:
    """The demonstration as robots that differ follow it, one a seed, with what they sense meanwhile.

    Args:
        name: Of the task.
        seeds: Of the robots.
    """
    return demonstrate(make(name), expert_for(name), seeds, task_length(name))


def _reenactment(skill: str, course: ShownCourse) -> TrackingTask:
    """The task. What differs from episode to episode is the robot.

    Args:
        skill: Name of the skill.
        course: What was shown.
    """
    return TrackingTask(
        f"shown_{skill}",
        "Do what a person has shown.",
        (),
        course.channels,
        lambda _values, _end: Course(course.at, after(0.0)),
        course.steps,
        _TOLERANCE,
        "a person's demonstration",
        randomisation=_ROBOTS,
    )
