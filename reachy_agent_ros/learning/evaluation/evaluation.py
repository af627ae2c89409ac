"""Evaluates policies by running each policy and the expert in the same episodes of each task."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.learning.environments.conformance import play
from reachy_agent_ros.learning.environments.registry import NOVEL_TASKS, TASKS, Environment, expert_for, make
from reachy_agent_ros.learning.environments.specification import Split, TaskPolicy, TaskSpecification, seeds_of_test
from reachy_agent_ros.simulation.dynamics import PERIOD
from reachy_agent_ros.simulation.mujoco_dynamics import MujocoDynamics

NEAR = 0.09
"""Error below which the robot counts as having arrived, rad: 5.2 degrees."""

_STAY = 5
"""Number of steps for which the error must stay within `NEAR`."""

ALL_TASKS: dict[str, TaskSpecification] = {**TASKS, **NOVEL_TASKS}
"""Training tasks and held-out tasks."""

EXPERT = "expert"


@dataclass(frozen=True)
class Setting:
    """Conditions under which a policy is evaluated.

    Attributes:
        task: A key of `ALL_TASKS`.
        split: Split whose ranges the episodes are drawn from.
        physics: Whether to simulate physics instead of kinematics.
    """

    task: str
    split: Split
    physics: bool = False


@dataclass(frozen=True)
class Trial:
    """Result of one episode.

    Attributes:
        success: Whether the episode succeeded.
        reward: Mean reward per step.
        errors: Error of each step, rad.
        arrival: Time until the first quarter of a second in which the error stayed within `NEAR`, s; None if there is
            none.
        effort: Integral of the squared actions (shares of the maximum speed), s; approximately proportional to energy.
        unsafe: Number of steps with a cost, because the action was out of range or led outside the envelope.
    """

    success: bool
    reward: float
    errors: Sequence[float]
    arrival: float | None
    effort: float
    unsafe: int


def trial(environment: Environment, policy: TaskPolicy, seed: int, length: int) -> Trial:
    """Runs one episode and measures the result."""
    episode = play(environment, policy, seed, length)
    errors = tuple(float(info["error"]) for info in episode.infos)
    effort = PERIOD * float(np.square(np.clip(episode.actions, -1.0, 1.0)).sum())
    unsafe = sum(info["cost"] > 0.0 for info in episode.infos)
    return Trial(episode.success, float(np.mean(episode.rewards)), errors, _arrival(errors), effort, unsafe)


@dataclass(frozen=True)
class Contender:
    """Policy to evaluate, with the tasks in which it can act.

    Attributes:
        name: Display name.
        tasks: Tasks whose observations and actions fit the policy.
        policy: Function that returns the policy for a task.
    """

    name: str
    tasks: Sequence[str]
    policy: Callable[[str], TaskPolicy]


@dataclass(frozen=True)
class EvaluationPlan:
    """Plan of an evaluation, with the tasks, the numbers of episodes and the seed.

    Attributes:
        tasks: Names of tasks; empty for all tasks that fit each policy.
        episodes: Number of kinematic episodes for each of the two ranges of every task, at most 1000.
        physics: Number of episodes with physics for the test ranges of every task with more than one step, at most
            1000.
        seed: Seed of the episodes, 0 to 999.

    Raises:
        AgentError: `NOT_FOUND` for an unknown task, `INVALID_GOAL` for numbers out of range.
    """

    tasks: Sequence[str] = ()
    episodes: int = 100
    physics: int = 5
    seed: int = 0

    def __post_init__(self) -> None:
        for task in self.tasks:
            if task not in ALL_TASKS:
                raise AgentError(ErrorCode.NOT_FOUND, f"Unknown task {task!r:.60}: expected {', '.join(ALL_TASKS)}.")
        if not seeds_of_test(self.seed, self.episodes):
            raise AgentError(ErrorCode.INVALID_GOAL, "Invalid plan: expected at least one episode.")
        seeds_of_test(self.seed, self.physics)

    def settings(self, contender: Contender) -> list[Setting]:
        """Returns the settings in which the given policy is evaluated.

        Raises:
            AgentError: `INVALID_GOAL` if no task fits the policy.
        """
        tasks = [task for task in self.tasks or contender.tasks if task in contender.tasks]
        if not tasks:
            message = f"No task fits {contender.name}: expected one of {', '.join(contender.tasks)}."
            raise AgentError(ErrorCode.INVALID_GOAL, message)
        found = [Setting(task, split) for task in tasks for split in Split]
        if self.physics:
            found += [Setting(task, Split.TEST, physics=True) for task in tasks if ALL_TASKS[task].length > 1]
        return found

    def seeds(self, setting: Setting) -> range:
        """Returns the seeds of the episodes in a setting."""
        return seeds_of_test(self.seed, self.physics if setting.physics else self.episodes)


@dataclass(frozen=True)
class Played:
    """Results of a policy in one setting, with the expert's results in the same episodes.

    Attributes:
        policy: Name of the policy.
        setting: Setting of the evaluation.
        trials: Result of the policy in each episode.
        expert: Result of the expert in each episode.
        executed: Number of executed motor commands that were outside the envelope or changed the speed abruptly; None
            without physics.
    """

    policy: str
    setting: Setting
    trials: Sequence[Trial]
    expert: Sequence[Trial]
    executed: int | None


Listener = Callable[[int, int, Trial], None]
"""Callback after every episode, with its number (from 1), the total number of episodes, and the result."""


@dataclass
class Evaluation:
    """Runs an evaluation according to a plan. All episodes with physics share one robot, which is loaded only once.

    Attributes:
        plan: Plan of the evaluation.
        listener: Callback after every episode.
    """

    plan: EvaluationPlan
    listener: Listener = lambda number, total, each: None
    _experts: dict[Setting, _Found] = field(default_factory=dict)
    _body: MujocoDynamics | None = None
    _number: int = 0

    def play(self, contenders: Sequence[Contender]) -> Iterator[Played]:
        """Runs all episodes, one setting after another.

        Raises:
            AgentError: Same as for `EvaluationPlan.settings`.
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
