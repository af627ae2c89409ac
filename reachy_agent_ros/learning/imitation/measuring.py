"""Measuring the versions of a skill that there are."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from reachy_agent_ros.core.paths import state_directory
from reachy_agent_ros.learning.correction.policy_store import PolicyStore
from reachy_agent_ros.learning.demonstrations.index import Demonstrations
from reachy_agent_ros.learning.evaluation.contender import UNTRAINED, contender
from reachy_agent_ros.learning.evaluation.evaluation import Evaluation, Plan
from reachy_agent_ros.learning.evaluation.figures import figures as figures_of
from reachy_agent_ros.learning.evaluation.figures import headline
from reachy_agent_ros.learning.evaluation.report import write_report
from reachy_agent_ros.learning.imitation.examination import EPISODES, Examination, Figures
from reachy_agent_ros.learning.imitation.subject import subject_of

_WITH_PHYSICS = 5
"""Episodes of a task with the simulated robot."""


@dataclass(frozen=True)
class Measured:
    """What a version does.

    Attributes:
        figures: `reward`, `success` and more.
        episodes: That it played.
        report: A picture of what was shown and done, or a page with charts.
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
        place = directory or state_directory()
        self._demonstrations = Demonstrations(place / "demonstrations")
        self._store = PolicyStore(place / "policies")
        self._runs = place / "runs"

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
        subject = subject_of(skill, self._demonstrations)
        number = version or self._store.standing(skill).active
        if subject.course is None:
            return self._of_task(skill, number, Plan((skill,), episodes, _WITH_PHYSICS, seed), told)
        examination = Examination(subject, episodes, seed)
        performer = examination.untaught()
        if number:
            performer = examination.performer(self._store.weights(self._store.inspect(skill, number)))
        figures = examination.measure(performer, lambda done, reward: told(done, episodes, reward))
        figures["error_untaught"] = examination.measure(examination.untaught())["error"]
        file = self._runs / skill / f"version_{number}.png"
        examination.draw(performer, file)
        return Measured(figures, episodes, file)

    def _of_task(self, skill: str, number: int, plan: Plan, told: Callable[[int, int, float], None]) -> Measured:
        who = contender(f"{skill}@{number}" if number else UNTRAINED, store=self._store)
        played = list(Evaluation(plan, lambda done, of, trial: told(done, of, trial.reward)).play([who]))
        report = write_report(self._runs / skill / f"version_{number}", plan, played)
        found = headline(played)
        named = {name.removeprefix(f"{who.name}/{skill}/"): value for name, value in figures_of(played).items()}
        figures = {"reward": found["mean_reward"], "success": found["success_rate"], **named}
        return Measured(figures, int(found["episodes"]), report)
