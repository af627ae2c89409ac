"""Fixed test of a skill, in which every version gets the same episodes. Training never uses these episodes.

`TaughtSubject` is the skill to learn: a demonstrated skill, turned into a reenactment task, or a task of the task
suite. `LearningDirectory` contains the demonstrations, the policy versions and the training runs.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.core.paths import state_directory
from reachy_agent_ros.core.pose import Vector
from reachy_agent_ros.learning.correction.policy_store import PolicyStore, Weights
from reachy_agent_ros.learning.demonstrations.index import Demonstrations
from reachy_agent_ros.learning.environments.conformance import ConformanceEpisode, play
from reachy_agent_ros.learning.environments.randomization import Randomization
from reachy_agent_ros.learning.environments.registry import TASKS, add, make
from reachy_agent_ros.learning.environments.specification import Split, TaskPolicy, seeds_of_test
from reachy_agent_ros.learning.environments.tracking_task import ReferenceTrajectory, TrackingTask, after
from reachy_agent_ros.learning.evaluation.charts import Theme, style
from reachy_agent_ros.learning.imitation.shown_course import RATE, ShownCourse
from reachy_agent_ros.learning.imitation.skill_policies import InEnvironment, Still, habit
from reachy_agent_ros.learning.imitation.taught_skill import TaughtSkill
from reachy_agent_ros.learning.training.actor import Actor
from reachy_agent_ros.simulation.dynamics import PERIOD
from reachy_agent_ros.storage.storing import storing

_TOLERANCE = math.radians(5.0)
"""Root mean square error that counts as success, rad."""

_ROBOTS = Randomization(strength=(0.8, 1.2), friction=(0.5, 1.5), head_mass=(0.9, 1.1), noise=(0.0, 0.005))
"""Range of simulated robots in the test, because the properties of the real robot are unknown. There is no delay,
because a taught skill measures and commands in the same period."""

EPISODES = 10

Performer = Callable[[], TaskPolicy]
"""Function that creates the policy; called once for every episode."""

Figures = dict[str, float]


@dataclass(frozen=True)
class TaughtSubject:
    """Skill to learn, with the task in which it is trained and tested.

    Attributes:
        skill: Name of the skill.
        task: Name of the task that defines its environment.
        course: Demonstrated trajectory; None for a task of the task suite.
        demonstration: Identifier of the demonstration; empty for a task of the task suite.
    """

    skill: str
    task: str
    course: ShownCourse | None = None
    demonstration: str = ""


class Examination:
    """Fixed test of a skill.

    A demonstrated skill is tested with physics and random robots. A task is tested in its test ranges.

    Args:
        subject: Skill to test.
        episodes: Number of episodes, at most 1000.
        seed: Seed of the episodes, 0 to 999.

    Raises:
        AgentError: `INVALID_GOAL` for numbers out of range.
    """

    def __init__(self, subject: TaughtSubject, episodes: int = EPISODES, seed: int = 0) -> None:
        self.episodes = episodes
        self._subject = subject
        self._specification = TASKS[subject.task]
        self._environment = make(subject.task, kinematic=subject.course is None, split=Split.TEST)
        self._seeds = seeds_of_test(seed, episodes)

    def untaught(self) -> Performer:
        """Returns the policy before training: the built-in gesture with the skill's name, or no motion."""
        course = self._subject.course
        return (
            (lambda: Still(len(self._specification.action))) if course is None else habit(self._subject.skill, course)
        )

    def performer(self, weights: Weights) -> Performer:
        """Creates the policy with the given weights.

        Raises:
            AgentError: `POLICY_REJECTED` if the weights do not fit the skill.
        """
        course = self._subject.course
        if course is not None:
            skill = TaughtSkill.from_arrays(weights)
            return lambda: InEnvironment(skill.begin, course)
        actor = Actor(weights)
        shape = len(self._specification.observation), len(self._specification.action)
        if actor.shape != shape:
            message = f"This version of {self._subject.skill} has shape {actor.shape}: expected {shape}."
            raise AgentError(ErrorCode.POLICY_REJECTED, message)
        return lambda: actor

    def measure(self, performer: Performer, told: Callable[[int, float], None] = lambda _n, _r: None) -> Figures:
        """Measures a policy. Returns figures by name.

        `reward` and `cost` are means per step, `success` is a share, and `error` is the RMS error (rad).

        Args:
            performer: Function that creates the policy.
            told: Callback after every episode, with its number (from 1) and the mean reward so far.
        """
        played: list[ConformanceEpisode] = []
        for number, seed in enumerate(self._seeds, 1):
            played.append(play(self._environment, performer(), seed, self._specification.length))
            told(number, _mean_reward(played))
        errors = [[info["error"] for info in one.infos] for one in played]
        return {
            "reward": _mean_reward(played),
            "success": float(np.mean([one.success for one in played])),
            "error": float(np.mean([np.sqrt(np.mean(np.square(row))) for row in errors])),
            "cost": float(np.mean([one.cost / len(one.infos) for one in played])),
        }

    def watched(self, performer: Performer) -> Vector:
        """Plays the first episode and returns the measured channels, one row for each period."""
        episode = play(self._environment, performer(), self._seeds[0], self._specification.length)
        return np.asarray(episode.observations[:, : episode.observations.shape[1] // 4], dtype=float)

    def draw(self, performer: Performer, file: Path, theme: Theme | None = None) -> None:
        """Draws the demonstration, the motion of an untrained robot, and the motion of a policy.

        Draws nothing for a task of the task suite.

        Args:
            performer: Function that creates the policy.
            file: PNG file to write.
            theme: Theme of the page; None for the default of Matplotlib.

        Raises:
            AgentError: `STORAGE_FAILED`.
        """
        if self._subject.course is not None:
            done = {"untaught": self.watched(self.untaught()), "this version": self.watched(performer)}
            _draw_courses(self._subject.course, done, self._subject.skill, file, theme)


def no_worse(new: Figures, old: Figures) -> bool:
    """Returns whether a new version may replace an old one.

    Its reward must not be lower, and its cost must not be higher.
    """
    return new["reward"] >= old["reward"] and new["cost"] <= old["cost"]


class LearningDirectory:
    """Access to the state directory in which skills are trained and measured.

    Args:
        directory: Directory of the demonstrations, policies and runs; None for the state directory of the robot.

    Raises:
        AgentError: `STORAGE_FAILED`, also from every method.

    Attributes:
        policies: Store with the policy versions of all skills.
        runs: Folder of training runs and reports, by skill.
    """

    def __init__(self, directory: Path | None = None) -> None:
        place = directory or state_directory()
        self._demonstrations = Demonstrations(place / "demonstrations")
        self.policies = PolicyStore(place / "policies")
        self.runs = place / "runs"

    def subject(self, skill: str) -> TaughtSubject:
        """Finds the newest usable demonstration of a skill. If none exists, finds the task with the same name.

        Raises:
            AgentError: `NO_DATA` if there is neither a demonstration nor a task; the errors of `Bag.trajectory` and
                `ShownCourse.of`.
        """
        demonstrations = self._demonstrations
        shown = next((one for one in demonstrations.listed(skill) if one.quality and one.quality.rate), None)
        if shown is not None:
            course = ShownCourse.of(demonstrations.bag(shown).trajectory(RATE))
            task = _reenactment(skill, course)
            add(task)
            return TaughtSubject(skill, task.name, course, shown.identifier)
        if skill in TASKS:
            return TaughtSubject(skill, skill)
        message = f"No demonstration of {skill!r:.80}. Run reachy-agent demonstrations record. Tasks that need none: "
        raise AgentError(ErrorCode.NO_DATA, message + ", ".join(TASKS))

    def performer(self, examination: Examination, skill: str, version: int) -> Performer:
        """Returns the policy of a version. Version 0 stands for an untrained robot.

        Raises:
            AgentError: `NOT_FOUND` if there is no such version; `POLICY_REJECTED` if it does not fit the skill.
        """
        if not version:
            return examination.untaught()
        return examination.performer(self.policies.weights(self.policies.inspect(skill, version)))


def _reenactment(skill: str, course: ShownCourse) -> TrackingTask:
    """Creates the task of repeating a demonstration. Only the properties of the robot vary between episodes."""
    return TrackingTask(
        f"shown_{skill}",
        "Do what a person has shown.",
        (),
        course.channels,
        lambda _values, _end: ReferenceTrajectory(course.at, after(0.0)),
        course.steps,
        _TOLERANCE,
        "a person's demonstration",
        randomization=_ROBOTS,
    )


def _mean_reward(played: list[ConformanceEpisode]) -> float:
    return float(np.mean([np.mean(one.rewards) for one in played]))


def _draw_courses(shown: ShownCourse, done: Mapping[str, Vector], title: str, file: Path, theme: Theme | None) -> None:
    """Plots every channel (degrees or millimeters) over time as PNG. `done` maps labels to motions."""
    import matplotlib  # takes a second to load
    from matplotlib.figure import Figure

    with matplotlib.rc_context({} if theme is None else style(theme)), storing(f"Cannot write {file}"):
        figure = Figure(figsize=(7.0, 1.0 + 2.2 * len(shown.channels)), layout="constrained")
        panes = figure.subplots(len(shown.channels), sharex=True, squeeze=False)[:, 0]
        for column, (channel, pane) in enumerate(zip(shown.channels, panes, strict=True)):
            scale, unit = (math.degrees(1.0), "deg") if channel.unit == "rad" else (1e3, "mm")
            for name, rows in {"shown": shown.points, **done}.items():
                pane.plot([PERIOD * step for step in range(len(rows))], scale * rows[:, column], label=name)
            pane.set_ylabel(f"{channel.label}, {unit}")
            pane.grid(alpha=0.3)
        panes[0].legend()
        panes[-1].set_xlabel("s")
        figure.suptitle(title)
        file.parent.mkdir(parents=True, exist_ok=True)
        figure.savefig(file, dpi=110)
