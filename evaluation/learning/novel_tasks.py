"""Success of a policy in tasks without training, before and after ten corrections.

Run `scripts/evaluate novel_tasks`. It takes ten minutes on one core. The policy is cloned from 10 demonstrations of
each training task with tracking, except the one that requires spoken corrections. It uses one small network for every
channel. The style of speech is cloned from 200 decisions of `style`. A correction is a takeover: a person watches an
episode, takes over when the robot makes a mistake, and completes the episode (HG-DAgger, Kelly et al., 2019).
"""

from __future__ import annotations

import statistics
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import torch

from bench.report import Figure, percentile, print_report
from evaluation.learning.channel_policy import ChannelPolicy, channel_rows
from reachy_agent_ros.learning.environments.conformance import play
from reachy_agent_ros.learning.environments.contextual_tasks import JointTask
from reachy_agent_ros.learning.environments.registry import expert_for, make
from reachy_agent_ros.learning.environments.spaces import Entries
from reachy_agent_ros.learning.environments.specification import PostureChannel, Split, TaskPolicy
from reachy_agent_ros.learning.environments.tasks import NOVEL, TRAINING
from reachy_agent_ros.learning.environments.tracking_task import BLOCKS, TrackingTask
from reachy_agent_ros.learning.evaluation.evaluation import Trial, trial
from reachy_agent_ros.learning.training.actor import Actor
from reachy_agent_ros.learning.training.behavioral_cloning import BehavioralCloning
from reachy_agent_ros.learning.training.demonstrations import demonstrate, joined
from reachy_agent_ros.learning.training.policy_network import PolicyNetwork, Shape
from reachy_agent_ros.simulation.mujoco_dynamics import MujocoDynamics

Rows = tuple[Entries, Entries]
"""Observations and actions, one row per step."""

SEEDS = range(5)
SHOWN, DECISIONS, CORRECTIONS = 10, 200, 10
JUDGED, PHYSICS = 25, 2  # episodes from each range
EPOCHS = 40
WEIGHT = 10  # weight of a correction relative to a demonstration
WRONG = 0.2  # deviation from the person's action, as a share of the maximum speed
WITHOUT, AFTER, UNSAFE = 70.0, 90.0, 1.0  # %
KNOWN = [task for task in TRAINING if isinstance(task, TrackingTask) and not task.biased]


class Person:
    """Simulated person who watches a policy, and takes over after a mistake until the end of the episode."""

    def __init__(self, policy: TaskPolicy, expert: TaskPolicy) -> None:
        self._policy, self._expert = policy, expert
        self.seen: list[Entries] = []
        self.done: list[Entries] = []

    def action(self, observation: Entries) -> Entries:
        """Returns the action of the policy, or the action of the person after a mistake of the policy."""
        own, wanted = self._policy.action(observation), self._expert.action(observation)
        if not self.done and np.abs(own - wanted).max() < WRONG:
            return own
        self.seen.append(observation)
        self.done.append(wanted)
        return wanted


@dataclass(frozen=True)
class Generalist:
    """Policies that are learned from all training tasks.

    Attributes:
        body: Training rows of single channels.
        speech: Training rows of decisions.
        seed: Random seed of the networks.
    """

    body: Rows
    speech: Rows
    seed: int

    @classmethod
    def taught(cls, seed: int) -> Generalist:
        """Creates policies that are cloned from demonstrations of the training tasks."""
        found = [_channels(task.channels, _shown(task.name, SHOWN, seed)) for task in KNOWN]
        return cls(_together(found), _shown("style", DECISIONS, seed), seed)

    def corrected(self, task: TrackingTask | JointTask, seen: Entries, done: Entries) -> Generalist:
        """Returns policies that also learn from corrections in a task. Each correction counts `WEIGHT` times."""
        tracking, entries = _tracking(task)
        count = len(tracking.channels)
        body = _channels(tracking.channels, (seen[:, :entries], done[:, :count]))
        decided = [(seen[:, entries:], done[:, count:])] * WEIGHT if isinstance(task, JointTask) else []
        return Generalist(_together([self.body, *[body] * WEIGHT]), _together([self.speech, *decided]), self.seed)

    def policy(self, task: TrackingTask | JointTask) -> TaskPolicy:
        """Returns the policy for a task."""
        body = ChannelPolicy(_cloned(self.body, self.seed), _tracking(task)[0].channels)
        if isinstance(task, TrackingTask):
            return body
        return Both(body, _cloned(self.speech, self.seed), _tracking(task)[1])


@dataclass(frozen=True)
class Both:
    """Combination of a body policy and a speech policy. Each policy receives its part of the observation."""

    body: TaskPolicy
    speech: TaskPolicy
    entries: int

    def action(self, observation: Entries) -> Entries:
        """Returns the actions of both policies."""
        parts = observation[: self.entries], observation[self.entries :]
        return np.concatenate([self.body.action(parts[0]), self.speech.action(parts[1])])


def main(as_json: bool) -> int:
    """Measures and prints all figures. Always returns exit code 0."""
    print_report("novel_tasks", list(figures()), as_json)
    return 0


def figures() -> Iterator[Figure]:
    """Measures all figures."""
    taught = [Generalist.taught(seed) for seed in SEEDS]
    body = MujocoDynamics(watched=True)
    unsafe, before, after = [], [], []
    for task in NOVEL:
        zero, ten = [], []
        for each in taught:
            policy = each.policy(task)
            tried = _trials(task, policy)
            seen, done = _corrections(task, policy, each.seed)
            learned = each.corrected(task, seen, done).policy(task) if len(seen) else policy
            again = _trials(task, learned) + _trials(task, learned, body, PHYSICS)
            zero.append(_success(tried))
            ten.append(_success(again))
            unsafe += [100.0 * one.unsafe / len(one.errors) for one in (*tried, *again)]
        before.append(statistics.median(zero))
        after.append(statistics.median(ten))
        yield from _both(f"{task.name}: success without training", zero, WITHOUT)
        yield from _both(f"{task.name}: success after {CORRECTIONS} corrections", ten, AFTER)
    yield Figure("all: success without training, p10 of tasks", percentile(before, 10), "%", WITHOUT, at_least=True)
    yield Figure("all: success after corrections, p10 of tasks", percentile(after, 10), "%", AFTER, at_least=True)
    yield Figure("all: unsafe actions proposed", statistics.mean(unsafe), "%", UNSAFE)
    assert body.watch is not None
    yield Figure("all: unsafe commands executed, physics", body.watch.violations + body.watch.jumps, "", 0.0)


def _both(name: str, values: Sequence[float], bar: float) -> Iterator[Figure]:
    yield Figure(f"{name}, median", percentile(values, 50), "%", bar, at_least=True)
    yield Figure(f"{name}, p10", percentile(values, 10), "%", bar, at_least=True)


def _success(trials: Sequence[Trial]) -> float:
    return 100.0 * statistics.mean(each.success for each in trials)


def _trials(
    task: TrackingTask | JointTask, policy: TaskPolicy, body: MujocoDynamics | None = None, episodes: int = JUDGED
) -> list[Trial]:
    length = task.specification.length
    return [
        trial(environment, policy, 3_000_000 + seed, length)
        for split in Split
        for environment in [make(task.name, split=split, body=body)]
        for seed in range(episodes)
    ]


def _corrections(task: TrackingTask | JointTask, policy: TaskPolicy, seed: int) -> Rows:
    """Watches up to a hundred episodes, and collects the corrections of the first ten that needed a correction."""
    environment, people = make(task.name), []
    for number in range(100):
        person = Person(policy, expert_for(task.name))
        play(environment, person, 1_500_000 + 1000 * seed + number, task.specification.length)
        people += [person] if person.done else []
        if len(people) == CORRECTIONS:
            break
    seen, done = [row for each in people for row in each.seen], [row for each in people for row in each.done]
    return np.array(seen, np.float32), np.array(done, np.float32)


def _shown(task: str, count: int, seed: int) -> Rows:
    first = 1_000_000 + 1000 * seed
    length = next(each.specification.length for each in TRAINING if each.name == task)
    return joined(demonstrate(make(task), expert_for(task), range(first, first + count), length))


def _tracking(task: TrackingTask | JointTask) -> tuple[TrackingTask, int]:
    tracking = task.tracking if isinstance(task, JointTask) else task
    return tracking, len(tracking.specification.observation)


def _channels(channels: Sequence[PostureChannel], rows: Rows) -> Rows:
    return channel_rows(rows[0], channels), rows[1].reshape(-1, 1)


def _together(rows: Sequence[Rows]) -> Rows:
    return np.concatenate([seen for seen, _ in rows]), np.concatenate([done for _, done in rows])


def _cloned(rows: Rows, seed: int) -> Actor:
    torch.manual_seed(seed)
    network = PolicyNetwork(Shape(rows[0].shape[1], rows[1].shape[1]))
    network.standardize(rows[0])
    epochs = EPOCHS if rows[0].shape[1] == len(BLOCKS) else 10 * EPOCHS
    BehavioralCloning(network, seed, epochs, batch=256 if epochs == EPOCHS else 64).fit(*rows)
    return network.actor()
