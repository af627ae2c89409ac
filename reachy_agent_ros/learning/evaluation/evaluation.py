"""Evaluation of policies: plays a policy and the expert in the same episodes, task by task."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.learning.environments.conformance import play
from reachy_agent_ros.learning.environments.registry import NOVEL_TASKS, TASKS, Environment, expert_for, make
from reachy_agent_ros.learning.environments.specification import TESTED, Split, TaskPolicy, TaskSpecification
from reachy_agent_ros.simulation.dynamics import PERIOD
from reachy_agent_ros.simulation.mujoco_dynamics import MujocoDynamics

NEAR = 0.09
"""Error, rad, from which on the robot is said to be where it should: 5.2 degrees."""

_STAY = 5
"""Steps for which it must stay there."""

ALL_TASKS: dict[str, TaskSpecification] = {**TASKS, **NOVEL_TASKS}
"""Those to train on, and those that are held out."""

EXPERT = "expert"


@dataclass(frozen=True)
class Setting:
    """Where a policy is tried.

    Attributes:
        task: One of `ALL_TASKS`.
        split: Which ranges the episodes are drawn from.
        physics: Whether physics moves the robot, instead of arithmetic.
    """

    task: str
    split: Split
    physics: bool = False


@dataclass(frozen=True)
class Trial:
    """One episode.

    Attributes:
        success: Whether it was one.
        reward: Mean of its steps.
        errors: rad, step by step.
        arrival: s until it was within `NEAR` for a quarter of a second; None where it never was.
        effort: s: integral of the squared actions, which are shares of the greatest speed, as energy grows with it.
        unsafe: Steps whose action led out of the envelope.
    """

    success: bool
    reward: float
    errors: Sequence[float]
    arrival: float | None
    effort: float
    unsafe: int


def trial(environment: Environment, policy: TaskPolicy, seed: int, length: int) -> Trial:
    """Plays one episode."""
    episode = play(environment, policy, seed, length)
    errors = tuple(float(info["error"]) for info in episode.infos)
    effort = PERIOD * float(np.square(np.clip(episode.actions, -1.0, 1.0)).sum())
    unsafe = sum(info["cost"] > 0.0 for info in episode.infos)
    return Trial(episode.success, float(np.mean(episode.rewards)), errors, _arrival(errors), effort, unsafe)


@dataclass(frozen=True)
class Contender:
    """A policy, or one for every task.

    Attributes:
        name: For people.
        tasks: What it can try: observations and actions are what it knows.
        policy: Gives what acts in a task.
    """

    name: str
    tasks: Sequence[str]
    policy: Callable[[str], TaskPolicy]


@dataclass(frozen=True)
class EvaluationPlan:
    """What is played.

    Attributes:
        tasks: Names; none for all that each policy can try.
        episodes: With arithmetic, from each of the two ranges of every task.
        physics: Episodes with physics, from the test ranges of every task.
        seed: Of the episodes.

    Raises:
        AgentError: `NOT_FOUND` for an unknown task, `INVALID_GOAL` for numbers that make no sense.
    """

    tasks: Sequence[str] = ()
    episodes: int = 100
    physics: int = 5
    seed: int = 0

    def __post_init__(self) -> None:
        for task in self.tasks:
            if task not in ALL_TASKS:
                raise AgentError(ErrorCode.NOT_FOUND, f"There is no task {task!r:.60}, only: {', '.join(ALL_TASKS)}.")
        if self.episodes < 1 or self.physics < 0 or not 0 <= self.seed < 1000:
            message = "There is at least one episode, and the seed is from 0 to 999."
            raise AgentError(ErrorCode.INVALID_GOAL, message)

    def settings(self, contender: Contender) -> list[Setting]:
        """Where this one is tried.

        Raises:
            AgentError: `INVALID_GOAL` where it can try none of the tasks.
        """
        tasks = [task for task in self.tasks or contender.tasks if task in contender.tasks]
        if not tasks:
            message = f"{contender.name} can try none of these, only: {', '.join(contender.tasks)}."
            raise AgentError(ErrorCode.INVALID_GOAL, message)
        found = [Setting(task, split) for task in tasks for split in Split]
        if self.physics:
            found += [Setting(task, Split.TEST, physics=True) for task in tasks if ALL_TASKS[task].length > 1]
        return found

    def seeds(self, setting: Setting) -> range:
        """Of the episodes there."""
        first = TESTED + 10_000 * self.seed
        return range(first, first + (self.physics if setting.physics else self.episodes))


@dataclass(frozen=True)
class Played:
    """What a policy did in one place, and the expert in the same episodes.

    Attributes:
        policy: Its name.
        setting: The place.
        trials: One an episode.
        expert: The expert's.
        executed: Commands that reached the motors outside the envelope or with a jump of the speed; None where no
            motors are, in arithmetic.
    """

    policy: str
    setting: Setting
    trials: Sequence[Trial]
    expert: Sequence[Trial]
    executed: int | None


Listener = Callable[[int, int, Trial], None]
"""Told of every episode: its number, from 1, of how many, and what came of it."""


@dataclass
class Evaluation:
    """Plays as planned; the simulated robot is loaded once and shared.

    Attributes:
        plan: What is played.
        listener: Told of every episode.
    """

    plan: EvaluationPlan
    listener: Listener = lambda number, total, each: None
    _experts: dict[Setting, _Found] = field(default_factory=dict)
    _body: MujocoDynamics | None = None
    _number: int = 0

    def play(self, contenders: Sequence[Contender]) -> Iterator[Played]:
        """All of it, one place after another.

        Raises:
            AgentError: As `EvaluationPlan.settings`.
        """
        places = [(each, setting) for each in contenders for setting in self.plan.settings(each)]
        unknown = {setting for each, setting in places if each.name != EXPERT}
        known = {setting for each, setting in places if each.name == EXPERT}
        total = sum(len(self.plan.seeds(setting)) for _, setting in places)
        total += sum(len(self.plan.seeds(setting)) for setting in unknown - known)
        for each, setting in places:
            yield self._played(each, setting, total)

    def _played(self, contender: Contender, setting: Setting, total: int) -> Played:
        if setting not in self._experts:
            self._experts[setting] = self._trials(expert_for(setting.task), setting, total)
        found = expert = self._experts[setting]
        if contender.name != EXPERT:
            found = self._trials(contender.policy(setting.task), setting, total)
        return Played(contender.name, setting, found.trials, expert.trials, found.executed)

    def _trials(self, policy: TaskPolicy, setting: Setting, total: int) -> _Found:
        if setting.physics and self._body is None:
            self._body = MujocoDynamics(watched=True)
        body = self._body if setting.physics else None
        environment = make(setting.task, split=setting.split, body=body)
        before, trials = self._harm(), []
        for seed in self.plan.seeds(setting):
            trials.append(trial(environment, policy, seed, ALL_TASKS[setting.task].length))
            self._number += 1
            self.listener(self._number, total, trials[-1])
        return _Found(trials, self._harm() - before if setting.physics else None)

    def _harm(self) -> int:
        watch = self._body and self._body.watch
        return watch.violations + watch.jumps if watch else 0


def _arrival(errors: Sequence[float]) -> float | None:
    stayed = 0
    for step, error in enumerate(errors, 1):
        stayed = stayed + 1 if error <= NEAR else 0
        if stayed == _STAY:
            return PERIOD * (step - _STAY + 1)
    return None


class _Found(NamedTuple):
    trials: Sequence[Trial]
    executed: int | None
