"""What is to be learnt: a skill that people showed, or a task of the suite."""

from __future__ import annotations

from dataclasses import dataclass

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.learning.demonstrations.index import Demonstrations
from reachy_agent_ros.learning.environments.registry import TASKS, add
from reachy_agent_ros.learning.imitation.reenactment import reenactment
from reachy_agent_ros.learning.imitation.shown_course import RATE, ShownCourse


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
        task = reenactment(skill, course)
        add(task)
        return Subject(skill, task.name, course, shown.identifier)
    if skill in TASKS:
        return Subject(skill, skill)
    message = f"Nobody has shown {skill!r:.80}: reachy-agent demonstrations record. Tasks to train without: "
    raise AgentError(ErrorCode.NO_DATA, message + ", ".join(TASKS))
