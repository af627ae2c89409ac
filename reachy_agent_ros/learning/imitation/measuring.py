"""Measuring the versions of a skill, and the page that shows how near each comes to what people showed."""

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
"""Episodes of a task with the simulated robot."""

_CAPTION = "What was shown, what an untaught robot does, and what this version does, on the first of the robots."

_NOTES = (
    "<p><b>Error</b> is the root mean square of the distance to what was shown, mean over the robots. <b>Success</b> "
    "is the share of them on which it stayed near. <b>Unsafe</b> is what it proposed beyond the envelope, a step; it "
    "is never executed. All robots are simulated with physics, and differ in motors, friction and weight.</p>"
)


@dataclass(frozen=True)
class VersionMeasurement:
    """What a version does.

    Attributes:
        figures: `reward`, `success` and more.
        episodes: That it played.
        report: A page with charts.
    """

    figures: Figures
    episodes: int
    report: Path


class Measuring(LearningDirectory):
    """Measures the versions of one state directory."""

    def evaluate(
        self,
        skill: str,
        version: int = 0,
        episodes: int = EPISODES,
        seed: int = 0,
        told: Callable[[int, int, float], None] = lambda _number, _of, _reward: None,
    ) -> VersionMeasurement:
        """What a version does: of what was shown, in the fixed test; of a task, on the pages of `learning/evaluation`.

        Args:
            skill: What is measured.
            version: Which one; 0 is the one that acts, or where none does, a robot that nobody taught.
            episodes: Of the test; of a task, from each of its ranges.
            seed: Of the test.
            told: Called after every episode with its number, the count, and the mean reward so far; of a task, its own.

        Raises:
            AgentError: What `subject` refuses; `NOT_FOUND`: no such version; `POLICY_REJECTED`: it
                has another shape.
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
    """Writes `report.html`, `figures.json` and the charts, replacing those of before. Returns the page's path."""
    for theme in (LIGHT, DARK):
        examination.draw(performer, folder / f"courses-{theme.name}.png", theme)
    moment = datetime.now().astimezone().strftime("%-d %B %Y, %H:%M")
    about = f"{moment}. {examination.episodes} simulated robots that differ. Nothing is trained on them."
    with storing("The page cannot be written"):
        parts = [tiles(name, _tiles(figures)), figure(Chart(folder, "courses", _CAPTION))]
        write_durably(folder / "figures.json", json.dumps(figures, indent=1).encode())
        write_durably(folder / "report.html", document(f"Evaluation of {name}", about, parts, _NOTES).encode())
    return (folder / "report.html").resolve()


def _tiles(figures: Figures) -> list[str]:
    error, untaught = (math.degrees(figures[name]) for name in ("error", "error_untaught"))
    return [
        tile("Error", f"{error:.1f}°", "to what was shown", good=error <= untaught),
        tile("Error, untaught", f"{untaught:.1f}°", "of a robot that nobody taught"),
        tile("Success", f"{100.0 * figures['success']:.0f} %", "of the robots"),
        tile("Unsafe, proposed", f"{figures['cost']:.2f}", "a step; none is executed", good=figures["cost"] == 0.0),
    ]
