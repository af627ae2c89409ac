"""Measuring the versions of a skill that there are."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from reachy_agent_ros.learning.evaluation.contender import UNTRAINED, contender
from reachy_agent_ros.learning.evaluation.evaluation import Evaluation, Plan
from reachy_agent_ros.learning.evaluation.figures import figures as figures_of
from reachy_agent_ros.learning.evaluation.figures import headline
from reachy_agent_ros.learning.evaluation.report import write_report
from reachy_agent_ros.learning.imitation.examination import EPISODES, Examination, Figures
from reachy_agent_ros.learning.imitation.page import write_page
from reachy_agent_ros.learning.imitation.workspace import Workspace

_WITH_PHYSICS = 5
"""Episodes of a task with the simulated robot."""


@dataclass(frozen=True)
class Measured:
    """What a version does.

    Attributes:
        figures: `reward`, `success` and more.
        episodes: That it played.
        report: A page with charts.
    """

    figures: Figures
    episodes: int
    report: Path


class Measuring:
    """Works in one state directory.

    Args:
        directory: With the demonstrations and the policies; None for the usual one.

    Raises:
        AgentError: `STORAGE_FAILED`, here and from every method.
    """

    def __init__(self, directory: Path | None = None) -> None:
        self._workspace = Workspace(directory)

    def evaluate(
        self,
        skill: str,
        version: int = 0,
        episodes: int = EPISODES,
        seed: int = 0,
        told: Callable[[int, int, float], None] = lambda _number, _of, _reward: None,
    ) -> Measured:
        """What a version does: of what was shown, in the fixed test; of a task, on the pages of `learning/evaluation`.

        Args:
            skill: What is measured.
            version: Which one; 0 is the one that acts, or where none does, a robot that nobody taught.
            episodes: Of the test; of a task, from each of its ranges.
            seed: Of the test.
            told: Told of every episode, of how many there are, with the mean reward so far; of a task, with its own.

        Raises:
            AgentError: What `subject_of` refuses; `NOT_FOUND`: no such version; `POLICY_REJECTED`: it is of another
                shape.
        """
        subject = self._workspace.subject(skill)
        number = version or self._workspace.policies.standing(skill).active
        if subject.course is None:
            return self._of_task(skill, number, Plan((skill,), episodes, _WITH_PHYSICS, seed), told)
        examination = Examination(subject, episodes, seed)
        performer = self._workspace.performer(examination, skill, number)
        figures = examination.measure(performer, lambda done, reward: told(done, episodes, reward))
        figures["error_untaught"] = examination.measure(examination.untaught())["error"]
        name = f"{skill}@{number}" if number else f"{skill}, untaught"
        folder = self._workspace.runs / skill / f"version_{number}"
        return Measured(figures, episodes, write_page(folder, name, examination, performer, figures))

    def _of_task(self, skill: str, number: int, plan: Plan, told: Callable[[int, int, float], None]) -> Measured:
        who = contender(f"{skill}@{number}" if number else UNTRAINED, store=self._workspace.policies)
        played = list(Evaluation(plan, lambda done, of, trial: told(done, of, trial.reward)).play([who]))
        report = write_report(self._workspace.runs / skill / f"version_{number}", plan, played)
        found = headline(played)
        named = {name.removeprefix(f"{who.name}/{skill}/"): value for name, value in figures_of(played).items()}
        figures = {"reward": found["mean_reward"], "success": found["success_rate"], **named}
        return Measured(figures, int(found["episodes"]), report)
