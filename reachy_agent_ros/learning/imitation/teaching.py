"""Trains skills. Creates a version by training and practice, and deploys it if it is no worse than the active one."""

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
from reachy_agent_ros.learning.environments.randomization import Randomization
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
"""Default algorithm: PPO that starts as a clone of the demonstrations and stays close to them."""

USUAL_EPISODES = 60

_REPLAYS = 10
"""Number of random robots on which a demonstration is replayed before training."""

_REPETITIONS = 16
"""Number of practice repetitions; further ones would change almost nothing."""

_GAIN = 0.5
"""Share of the error that is added to the aim of the next repetition."""


@dataclass(frozen=True)
class TaughtVersion:
    """Result of training a skill.

    Attributes:
        record: Record of the new version, with its figures in the fixed test: `error`, `success`, `reward` and `cost`,
            and `error_before` of the previously active version or of an untaught robot.
        deployed: Whether the version is active: it is no worse than the previous one, and no other version is pinned.
        folder: Folder of the run, with `curve.png`, the TensorBoard file and, for a demonstrated skill, `courses.png`.
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
        """Trains a new version of a skill. Resumes an identical run that was canceled or killed.

        Args:
            skill: Name of the skill.
            algorithm: Learning algorithm.
            episodes: Number of episodes.
            seed: Random seed, 0 to 999.
            listeners: Callbacks after every round.
            canceled: Callback between rounds; a result of True cancels the run.

        Raises:
            AgentError: The errors of `subject`, `TrainingConfiguration` and `training.run.train`; `CANCELED`.
        """
        subject = self.subject(skill)
        configuration = TrainingConfiguration(subject.task, algorithm, seed, episodes)
        folder = self.runs / skill / _digest(subject, configuration)
        with TensorBoardListener(folder) as events:
            outcome = train(configuration, folder, _shown(subject), None, [events, *listeners], canceled)
        plot_curve(outcome.curve, f"{skill}: {algorithm}", folder / "curve.png")
        if not outcome.finished:
            message = (
                f"Canceled after {outcome.curve[-1].episodes} of {episodes} episodes. Train {skill} again to resume."
            )
            raise AgentError(ErrorCode.CANCELED, message)
        made = self._saved(subject, configuration, outcome, folder)
        (folder / CHECKPOINT).unlink(missing_ok=True)
        return made

    def _saved(
        self, subject: TaughtSubject, configuration: TrainingConfiguration, outcome: TrainingOutcome, folder: Path
    ) -> TaughtVersion:
        weights: Weights = outcome.weights
        if subject.course is not None:
            weights = _practiced(TaughtSkill(subject.course, subject.course, outcome.weights), subject.task).arrays()
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
        """Measures the active version. If it does not fit the skill, measures an untrained robot instead."""
        try:
            performer = self.performer(examination, skill, acting)
        except AgentError as error:
            if error.code is not ErrorCode.POLICY_REJECTED:
                raise
            performer = examination.untaught()
        return examination.measure(performer)


def _shown(subject: TaughtSubject) -> Sequence[DemonstrationEpisode] | None:
    """Returns replays of the demonstration by random robots; None for a task that has an expert."""
    if subject.course is None:
        return None
    seeds = range(SHOWN, SHOWN + _REPLAYS)
    return demonstrate(make(subject.task), expert_for(subject.task), seeds, task_length(subject.task))


def _digest(subject: TaughtSubject, configuration: TrainingConfiguration) -> str:
    """Returns the folder name of a training run. Only identical runs share a folder and its checkpoint."""
    facts = json.dumps([subject.demonstration, configuration.episodes, configuration.facts()], sort_keys=True)
    return hashlib.sha256(facts.encode()).hexdigest()[:12]


def _because(subject: TaughtSubject, better: bool) -> str:
    learned = f"demonstration {subject.demonstration[:8]}" if subject.demonstration else "the expert of its task"
    return f"Trained on {learned}" + ("." if better else ", but worse than before.")


def _practiced(skill: TaughtSkill, task: str) -> TaughtSkill:
    """Improves the set points of a skill by repeating it in a physics simulation of the nominal robot.

    Uses iterative learning control (Arimoto, Kawamura and Miyazaki, 1984): each repetition adds a share of the error to
    the aim, which compensates for lag and friction of the motors.

    Args:
        skill: Skill to improve.
        task: Name of the task that defines its environment.

    Returns:
        The skill with the best aim tried: lowest cost first, then lowest error.
    """
    shown, environment = skill.course, make(task, kinematic=False, randomization=Randomization())
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
