"""Teaching: makes a new version of a skill by training and practice, and lets it act if it is no worse."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.learning.correction.policy_store import PolicyRecord, Weights
from reachy_agent_ros.learning.environments.conformance import play
from reachy_agent_ros.learning.environments.randomisation import Randomisation
from reachy_agent_ros.learning.environments.registry import expert_for, make
from reachy_agent_ros.learning.environments.specification import SHOWN
from reachy_agent_ros.learning.imitation.examination import (
    Examination,
    Figures,
    LearningDirectory,
    TaughtSubject,
    no_worse,
)
from reachy_agent_ros.learning.imitation.shown_course import ShownCourse
from reachy_agent_ros.learning.imitation.skill_policies import InEnvironment
from reachy_agent_ros.learning.imitation.taught_skill import TaughtSkill
from reachy_agent_ros.learning.training.configuration import Algorithm, TrainingConfiguration
from reachy_agent_ros.learning.training.demonstrations import DemonstrationEpisode, demonstrate, task_length
from reachy_agent_ros.learning.training.run import (
    CHECKPOINT,
    Listener,
    TensorBoardListener,
    TrainingOutcome,
    plot_curve,
    train,
)

USUAL = Algorithm.POLICY_GRADIENT
"""Begins as the clone of what was shown and is refined by the error, without forgetting it."""

USUAL_EPISODES = 60

_REPLAYS = 10
"""Robots on which a demonstration is replayed before training begins."""

_REPETITIONS = 16
"""Of practice; the last ones hardly change anything."""

_GAIN = 0.5
"""Share of what was missing by which the next repetition aims further."""


@dataclass(frozen=True)
class TaughtVersion:
    """What came of training.

    Attributes:
        record: Of the new version, with what it did in the fixed test: `error`, `success`, `reward`, `cost`, and
            `error_before` of the one that acted until then, or of a robot that nobody taught.
        deployed: Whether it acts: it is no worse, and no other one is pinned.
        folder: Of the run, with `curve.png`, TensorBoard's file and `courses.png`.
    """

    record: PolicyRecord
    deployed: bool
    folder: Path


class Teaching(LearningDirectory):
    """Trains skills in one state directory."""

    def train(
        self,
        skill: str,
        algorithm: Algorithm = USUAL,
        episodes: int = USUAL_EPISODES,
        seed: int = 0,
        listeners: Sequence[Listener] = (),
        canceled: Callable[[], bool] = lambda: False,
    ) -> TaughtVersion:
        """Makes a version; goes on where the same run was cut off, by a cancel or a kill.

        Args:
            skill: What is learnt.
            algorithm: How.
            episodes: To be played.
            seed: Of everything by chance.
            listeners: Called after every round.
            canceled: Called between two rounds.

        Raises:
            AgentError: What `subject` and `training.run.train` refuse; `CANCELED`.
        """
        subject = self.subject(skill)
        configuration = TrainingConfiguration(subject.task, algorithm, seed, episodes)
        folder = self.runs / skill / _digest(subject, configuration)
        with TensorBoardListener(folder) as events:
            outcome = train(configuration, folder, _shown(subject), None, [events, *listeners], canceled)
        plot_curve(outcome.curve, f"{skill}: {algorithm}", folder / "curve.png")
        if not outcome.finished:
            message = f"{skill} was trained for {outcome.curve[-1].episodes} of {episodes} episodes; train it again."
            raise AgentError(ErrorCode.CANCELED, message)
        made = self._saved(subject, configuration, outcome, folder)
        (folder / CHECKPOINT).unlink(missing_ok=True)
        return made

    def _saved(
        self, subject: TaughtSubject, configuration: TrainingConfiguration, outcome: TrainingOutcome, folder: Path
    ) -> TaughtVersion:
        weights: Weights = outcome.weights
        if subject.course is not None:
            weights = _practised(TaughtSkill(subject.course, subject.course, outcome.weights), subject.task).arrays()
        examination = Examination(subject)
        performer = examination.performer(weights)
        figures = examination.measure(performer)
        with self.policies.alone():
            acting = self.policies.standing(subject.skill).active
            before = self._before(examination, subject.skill, acting)
            better = no_worse(figures, before)
            record = PolicyRecord(
                subject.skill,
                0,
                str(configuration.algorithm),
                0.0,
                acting,
                _because(subject, better),
                configuration.seed,
                {**figures, "error_before": before["error"]},
            )
            record = self.policies.save(record, weights, acting=better)
            deployed = self.policies.standing(subject.skill).active == record.version
        if subject.course is not None:
            examination.draw(performer, folder / "courses.png")
        return TaughtVersion(record, deployed, folder)

    def _before(self, examination: Examination, skill: str, acting: int) -> Figures:
        """What the version that acts does in the same test; one of another shape can do nothing there."""
        try:
            performer = self.performer(examination, skill, acting)
        except AgentError as error:
            if error.code is not ErrorCode.POLICY_REJECTED:
                raise
            performer = examination.untaught()
        return examination.measure(performer)


def _shown(subject: TaughtSubject) -> Sequence[DemonstrationEpisode] | None:
    """What it learns from: the demonstration as robots that differ follow it, with what they sense meanwhile.

    None for the demonstrations of the task's own expert.
    """
    if subject.course is None:
        return None
    seeds = range(SHOWN, SHOWN + _REPLAYS)
    return demonstrate(make(subject.task), expert_for(subject.task), seeds, task_length(subject.task))


def _digest(subject: TaughtSubject, configuration: TrainingConfiguration) -> str:
    """Name of a run's folder: only the same run again finds the checkpoint."""
    facts = json.dumps([subject.demonstration, configuration.episodes, configuration.facts()], sort_keys=True)
    return hashlib.sha256(facts.encode()).hexdigest()[:12]


def _because(subject: TaughtSubject, better: bool) -> str:
    learnt = f"demonstration {subject.demonstration[:8]}" if subject.demonstration else "its task's expert"
    return f"It was trained on {learnt}" + ("." if better else ", but is worse than what acted before.")


def _practised(skill: TaughtSkill, task: str) -> TaughtSkill:
    """Does a skill again and again in physics, on the model's own robot, and aims better every time.

    This is iterative learning control (Arimoto, Kawamura and Miyazaki 1984): do it, and aim further the next time by
    what was missing, so that motors that lag and stick do what was shown.

    Args:
        skill: What is practised.
        task: Name of its environment.

    Returns:
        The skill with the best aim that was tried: with the least cost, and of these with the least error.
    """
    shown, environment = skill.course, make(task, kinematic=False, randomisation=Randomisation())
    weights = np.array([channel.weight for channel in shown.channels])
    best, least = skill, (math.inf, math.inf)
    for _ in range(_REPETITIONS):
        episode = play(environment, InEnvironment(skill.begin, shown), 0, shown.steps)
        missing = shown.points - episode.observations[:, : len(weights)]
        judged = episode.cost, float(np.square(weights * missing).mean())
        if judged < least:
            best, least = skill, judged
        skill = replace(skill, aim=ShownCourse(shown.channels, skill.aim.points + _GAIN * missing))
    environment.close()
    return best
