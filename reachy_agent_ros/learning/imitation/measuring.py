"""Measures the versions of a skill, and reports how far they are from the demonstration."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from reachy_agent_ros.core.durable_file import write_durably
from reachy_agent_ros.learning.evaluation.charts import DARK, LIGHT
from reachy_agent_ros.learning.evaluation.contender import UNTRAINED, contender
from reachy_agent_ros.learning.evaluation.evaluation import Evaluation, EvaluationPlan
from reachy_agent_ros.learning.evaluation.report import Chart, document, figure, tile, tiles, write_report
from reachy_agent_ros.learning.evaluation.summary import figures as figures_of
from reachy_agent_ros.learning.evaluation.summary import headline
from reachy_agent_ros.learning.imitation.examination import EPISODES, Examination, Figures, LearningDirectory, Performer
from reachy_agent_ros.storage.storing import storing

_WITH_PHYSICS = 5
"""Number of episodes that simulate a task with physics."""

_CAPTION = "Demonstration, motion of an untaught robot, and motion of this version, on the first of the robots."

_NOTES = (
    "<p><b>Error</b> is the root mean square distance from the demonstration, mean over the robots. <b>Success</b> is "
    "the share of robots on which it stayed near. <b>Unsafe</b> is the mean number of unsafe actions per step; they "
    "are never executed. All robots are simulated with physics, and differ in motors, friction and weight.</p>"
)


@dataclass(frozen=True)
class VersionMeasurement:
    """Measurement of a version, with its figures and its report.

    Attributes:
        figures: Figures by name, such as `reward` and `success`.
        episodes: Number of episodes.
        report: Path of the HTML report with charts.
    """

    figures: Figures
    episodes: int
    report: Path


class Measuring(LearningDirectory):
    """Measures versions of skills in one state directory."""

    def evaluate(
        self,
        skill: str,
        version: int = 0,
        episodes: int = EPISODES,
        seed: int = 0,
        told: Callable[[int, int, float], None] = lambda _number, _of, _reward: None,
    ) -> VersionMeasurement:
        """Measures a version in the fixed test of a demonstrated skill. Measures a task with `learning/evaluation`.

        Args:
            skill: Name of the skill.
            version: Version to measure; 0 for the active version, or for an untaught robot if there is none.
            episodes: Number of episodes; for a task, the number for each of its ranges.
            seed: Seed of the episodes, 0 to 999.
            told: Callback after every episode, with its number, the total number, and the mean reward so far; for a
                task, with the reward of the episode instead of the mean.

        Raises:
            AgentError: The errors of `subject`; `NOT_FOUND` if there is no such version; `POLICY_REJECTED` for weights
                of a wrong shape; for a task, also the errors of `EvaluationPlan`, else those of `Examination`.
        """
        subject = self.subject(skill)
        number = version or self.policies.standing(skill).active
        if subject.course is None:
            return self._of_task(skill, number, EvaluationPlan((skill,), episodes, _WITH_PHYSICS, seed), told)
        examination = Examination(subject, episodes, seed)
        performer = self.performer(examination, skill, number)
        figures = examination.measure(performer, lambda done, reward: told(done, episodes, reward))
        figures["error_untaught"] = examination.measure(examination.untaught())["error"]
        name = f"{skill}@{number}" if number else f"{skill}, untaught"
        folder = self.runs / skill / f"version_{number}"
        return VersionMeasurement(figures, episodes, _write_page(folder, name, examination, performer, figures))

    def _of_task(
        self, skill: str, number: int, plan: EvaluationPlan, told: Callable[[int, int, float], None]
    ) -> VersionMeasurement:
        who = contender(f"{skill}@{number}" if number else UNTRAINED, store=self.policies)
        played = list(Evaluation(plan, lambda done, of, trial: told(done, of, trial.reward)).play([who]))
        report = write_report(self.runs / skill / f"version_{number}", plan, played)
        found = headline(played)
        named = {name.removeprefix(f"{who.name}/{skill}/"): value for name, value in figures_of(played).items()}
        figures = {"reward": found["mean_reward"], "success": found["success_rate"], **named}
        return VersionMeasurement(figures, int(found["episodes"]), report)


def _write_page(folder: Path, name: str, examination: Examination, performer: Performer, figures: Figures) -> Path:
    """Writes `report.html`, `figures.json` and the charts. Replaces existing files. Returns the report's path."""
    for theme in (LIGHT, DARK):
        examination.draw(performer, folder / f"courses-{theme.name}.png", theme)
    moment = datetime.now().astimezone().strftime("%-d %B %Y, %H:%M")
    about = f"{moment}. {examination.episodes} different simulated robots, not used for training."
    with storing("Cannot write the page"):
        parts = [tiles(name, _tiles(figures)), figure(Chart(folder, "courses", _CAPTION))]
        write_durably(folder / "figures.json", json.dumps(figures, indent=1).encode())
        write_durably(folder / "report.html", document(f"Evaluation of {name}", about, parts, _NOTES).encode())
    return (folder / "report.html").resolve()


def _tiles(figures: Figures) -> list[str]:
    error, untaught = (math.degrees(figures[name]) for name in ("error", "error_untaught"))
    return [
        tile("Error", f"{error:.1f}°", "from the demonstration", good=error <= untaught),
        tile("Error, untaught", f"{untaught:.1f}°", "of an untaught robot"),
        tile("Success", f"{100.0 * figures['success']:.0f} %", "of the robots"),
        tile("Unsafe, proposed", f"{figures['cost']:.2f}", "per step; none is executed", good=figures["cost"] == 0.0),
    ]
