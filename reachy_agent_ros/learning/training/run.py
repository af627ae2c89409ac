"""Executes training runs with validations and checkpoints, sweeps of parallel runs, and progress reports.

Progress is reported to the terminal, the action of the node, TensorBoard and a plot.
"""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path
from types import TracebackType

import numpy as np

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.learning.environments.conformance import play
from reachy_agent_ros.learning.environments.registry import make
from reachy_agent_ros.learning.environments.specification import JUDGED, Split, TaskPolicy
from reachy_agent_ros.learning.training.actor import Weights
from reachy_agent_ros.learning.training.checkpoint import Checkpoint
from reachy_agent_ros.learning.training.configuration import TrainingConfiguration
from reachy_agent_ros.learning.training.demonstrations import DemonstrationEpisode, task_length
from reachy_agent_ros.learning.training.learner import Learner, People, learner, shown

CHECKPOINT = "checkpoint.npz"
"""File name of the checkpoint in the folder of a run."""


@dataclass(frozen=True)
class TrainingOutcome:
    """Result of a training run.

    Attributes:
        weights: Weights of the policy, for an `Actor`.
        curve: Progress of all rounds; rounds with a validation have the figure `success`.
        finished: Whether all episodes were played.
    """

    weights: Weights
    curve: Sequence[TrainingRound]
    finished: bool

    @property
    def judgments(self) -> list[float]:
        """Success rates of all validations, including the validation before the first round."""
        return [each.figures["success"] for each in self.curve if "success" in each.figures]


def judge(
    configuration: TrainingConfiguration, policy: TaskPolicy, split: Split = Split.TRAINING, episodes: int | None = None
) -> dict[str, float]:
    """Validates a policy in episodes that are not used for training.

    Returns the success rate, mean reward per step, mean error of the last step, and mean cost per step.
    """
    environment = make(configuration.task, kinematic=configuration.kinematic, split=split)
    length = task_length(configuration.task)
    seeds = range(JUDGED, JUDGED + (episodes or configuration.judged))
    found = [play(environment, policy, seed, length) for seed in seeds]
    return {
        "success": float(np.mean([each.success for each in found])),
        "mean_reward": float(np.mean([np.mean(each.rewards) for each in found])),
        "error": float(np.mean([each.error for each in found])),
        "cost": sum(each.cost for each in found) / sum(len(each.rewards) for each in found),
    }


def train(
    configuration: TrainingConfiguration,
    folder: Path | None = None,
    demonstrations: Sequence[DemonstrationEpisode] | None = None,
    people: People | None = None,
    listeners: Sequence[Listener] = (),
    canceled: Callable[[], bool] = lambda: False,
) -> TrainingOutcome:
    """Trains a policy. Resumes from a checkpoint if the folder contains one.

    Args:
        configuration: Configuration of the run.
        folder: Folder of the checkpoint; None for no checkpoint.
        demonstrations: Training demonstrations; None for demonstrations by the expert.
        people: People who take part.
        listeners: Callbacks after every round, and after the validation before the first round.
        canceled: Callback between rounds; a result of True ends the run.

    Raises:
        AgentError: The errors of `learner`; `POLICY_REJECTED` for a checkpoint of another run or shape,
            `STORAGE_FAILED` for a checkpoint that cannot be read or written.
    """
    people = people or People()
    known = list(demonstrations) if demonstrations is not None else shown(configuration, people)
    path = folder and folder / CHECKPOINT
    stored = Checkpoint.read(path) if path and path.exists() else None
    made = learner(configuration, known, people, cloned=stored is None)
    if stored is not None:
        curve = _resumed(configuration, made, stored)
    else:
        curve = [TrainingRound(0, configuration.episodes, judge(configuration, made.network.actor()))]
        _tell(curve[0], listeners)
    due = made.episodes + configuration.judge_every
    while made.episodes < configuration.episodes and not canceled():
        figures = made.advance()
        if judged := made.episodes >= min(due, configuration.episodes):
            due = made.episodes + configuration.judge_every
            figures = {**figures, **judge(configuration, made.network.actor())}
        progress = TrainingRound(made.episodes, configuration.episodes, figures)
        curve.append(progress)
        if path and judged:
            facts = {"configuration": configuration.facts(), "curve": [asdict(each) for each in curve]}
            Checkpoint(made.arrays(), facts).write(path)
        _tell(progress, listeners)
    return TrainingOutcome(made.network.weights(), curve, made.episodes >= configuration.episodes)


@dataclass(frozen=True)
class Place:
    """Location where training runs are executed: processes on this machine, or a Ray cluster.

    Attributes:
        processes: Number of local processes, at least 1; None for one process per core.
        cluster: Address of a Ray cluster, for example "auto" or "ray://head:10001"; None for this machine.
    """

    processes: int | None = None
    cluster: str | None = None


def sweep(
    configurations: Sequence[TrainingConfiguration], place: Place | None = None, folder: Path | None = None
) -> list[TrainingOutcome]:
    """Executes training runs in parallel, each with a numbered checkpoint folder. Returns the outcomes in order.

    Raises:
        AgentError: The errors of `train`; `SERVER_UNAVAILABLE` if Ray is not installed or the cluster does not respond.
    """
    place = place or Place()
    jobs = [(each, folder / str(number) if folder else None) for number, each in enumerate(configurations)]
    if place.cluster is not None:
        return _on_cluster(jobs, place.cluster)
    context = multiprocessing.get_context("spawn")  # PyTorch's threads do not survive a fork
    processes = min(place.processes or os.cpu_count() or 1, len(jobs) or 1)
    with ProcessPoolExecutor(processes, mp_context=context) as pool:
        return list(pool.map(_one, jobs))


@dataclass(frozen=True)
class TrainingRound:
    """Progress of a training run after one round.

    Attributes:
        episodes: Number of episodes played so far.
        of: Total number of episodes.
        figures: Figures of the round by name; `success` is the success rate of the validation, 0..1.
    """

    episodes: int
    of: int
    figures: Mapping[str, float]


Listener = Callable[[TrainingRound], None]
"""Callback after every round. An exception ends the run between two rounds, after the checkpoint is written."""


class TensorBoardListener:
    """Listener that writes progress to a TensorBoard file. Use it as a context manager.

    Args:
        folder: Folder of the file. Pass this folder or a parent folder to TensorBoard.
    """

    def __init__(self, folder: Path) -> None:
        from torch.utils.tensorboard import SummaryWriter  # takes a second to load

        self._writer = SummaryWriter(str(folder))

    def __call__(self, progress: TrainingRound) -> None:
        """Writes the figures of one round and flushes them, so that they are visible immediately."""
        for name, value in progress.figures.items():
            self._writer.add_scalar(name, value, progress.episodes)
        self._writer.flush()

    def __enter__(self) -> TensorBoardListener:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._writer.close()


def print_progress(progress: TrainingRound) -> None:
    """Prints the progress of a run in one line."""
    figures = ", ".join(f"{name} {value:.3g}" for name, value in progress.figures.items())
    print(f"{progress.episodes}/{progress.of} episodes: {figures}", flush=True)


def plot_curve(curve: Sequence[TrainingRound], title: str, file: Path) -> None:
    """Plots all figures of a learning curve as PNG. The x-axis is the number of episodes."""
    from matplotlib.figure import Figure  # takes a second to load

    names = list(dict.fromkeys(name for each in curve for name in each.figures))
    figure = Figure(figsize=(7.0, 2.2 * len(names)), layout="constrained")
    panes = figure.subplots(len(names), sharex=True, squeeze=False)[:, 0]
    for pane, name in zip(panes, names, strict=True):
        points = [(each.episodes, each.figures[name]) for each in curve if name in each.figures]
        pane.plot(*zip(*points, strict=True), marker=".")
        pane.set_ylabel(name)
        pane.grid(alpha=0.3)
    panes[-1].set_xlabel("episodes")
    figure.suptitle(title)
    figure.savefig(file, dpi=110)


def _tell(progress: TrainingRound, listeners: Sequence[Listener]) -> None:
    for listener in listeners:
        listener(progress)


def _resumed(configuration: TrainingConfiguration, made: Learner, stored: Checkpoint) -> list[TrainingRound]:
    """Restores the learner from a checkpoint. Returns the learning curve so far."""
    wanted, found = configuration.facts(), stored.facts["configuration"]
    if differing := [name for name, value in wanted.items() if found.get(name) != value]:
        message = f"The checkpoint belongs to another run: it differs in {', '.join(differing)}."
        raise AgentError(ErrorCode.POLICY_REJECTED, message)
    made.restore(stored.arrays)
    return [TrainingRound(**each) for each in stored.facts["curve"]]


def _one(job: tuple[TrainingConfiguration, Path | None]) -> TrainingOutcome:
    return train(*job)


def _on_cluster(jobs: Sequence[tuple[TrainingConfiguration, Path | None]], address: str) -> list[TrainingOutcome]:
    """Executes runs on a Ray cluster. All machines must share the file system with the folders of the runs."""
    try:
        import ray  # optional dependency
    except ImportError:
        message = "Ray is not installed. Run pip install ray on every machine of the cluster."
        raise AgentError(ErrorCode.SERVER_UNAVAILABLE, message) from None
    try:
        ray.init(address=address, ignore_reinit_error=True)
    except (ConnectionError, ValueError) as error:
        raise AgentError(ErrorCode.SERVER_UNAVAILABLE, f"The Ray cluster {address!r:.80} does not respond.") from error
    remote = ray.remote(num_cpus=1)(_one)
    outcomes: list[TrainingOutcome] = ray.get([remote.remote(job) for job in jobs])
    return outcomes
