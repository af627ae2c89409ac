"""What people have taught a process's skills, as it stands on disk now."""

from __future__ import annotations

import threading
import uuid
from collections.abc import Callable
from pathlib import Path

from reachy_agent_ros.core.errors import AgentError
from reachy_agent_ros.learning.act import Act
from reachy_agent_ros.learning.correction.learner import Learner
from reachy_agent_ros.learning.correction.policy_store import PolicyStore
from reachy_agent_ros.learning.correction.skill import Skill, Values


class Habits:
    """Decides as the policies say that act now. Any thread may use it.

    A policy that cannot be read keeps nobody from acting: the robot does what it would do untaught, and says why.

    Args:
        folder: Of the policies.
        skills: Those that it decides by; they are read at once, because the first act should not wait for it.
        report: Takes each new problem, a sentence.

    Attributes:
        problem: Why what was taught does not count, a sentence; empty where it does.
    """

    def __init__(self, folder: Path, skills: tuple[Skill, ...], report: Callable[[str], object]) -> None:
        self._folder = folder
        self._report = report
        self._lock = threading.Lock()
        self._learners: dict[str, Learner] = {}
        self.problem = ""
        for skill in skills:
            self._learner(skill)

    def decide(self, skill: Skill, context: Values, turn_id: uuid.UUID) -> Act | None:
        """What the skill's policy decides; None where it cannot.

        Args:
            skill: What is to be done.
            context: What is known.
            turn_id: Turn it belongs to; zeros for none.
        """
        learner = self._learner(skill)
        if learner is None:
            return None
        try:
            act = learner.act(context, turn_id if turn_id.int else None)
        except AgentError as error:
            self._note(error.message)
            return None
        self._note("")
        return act

    def _learner(self, skill: Skill) -> Learner | None:
        with self._lock:
            if skill.name not in self._learners:
                try:
                    self._learners[skill.name] = Learner(skill, PolicyStore(self._folder))
                except AgentError as error:
                    self._note(error.message)
                    return None
            return self._learners[skill.name]

    def _note(self, problem: str) -> None:
        if problem and problem != self.problem:
            self._report(f"What people taught does not count: {problem}")
        self.problem = problem
