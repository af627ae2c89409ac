"""Many training runs side by side: in processes of this machine, or on a Ray cluster."""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.learning.training.configuration import TrainingConfiguration
from reachy_agent_ros.learning.training.run import Outcome, train


@dataclass(frozen=True)
class Place:
    """Where the runs run.

    Attributes:
        processes: Of this machine, at least 1; None for one a core.
        cluster: Address of a Ray cluster, as in "auto" or "ray://head:10001"; None for this machine.
    """

    processes: int | None = None
    cluster: str | None = None


def sweep(
    configurations: Sequence[TrainingConfiguration], place: Place | None = None, folder: Path | None = None
) -> list[Outcome]:
    """Outcomes of all runs, in their order. Each has a folder of its own, named by its number, with its checkpoint.

    Raises:
        AgentError: As `train`; `SERVER_UNAVAILABLE` for a cluster without Ray being installed or without an answer.
    """
    place = place or Place()
    jobs = [(each, folder / str(number) if folder else None) for number, each in enumerate(configurations)]
    if place.cluster is not None:
        return _on_cluster(jobs, place.cluster)
    context = multiprocessing.get_context("spawn")  # PyTorch's threads do not survive a fork
    processes = min(place.processes or os.cpu_count() or 1, len(jobs) or 1)
    with ProcessPoolExecutor(processes, mp_context=context) as pool:
        return list(pool.map(_one, jobs))


def _one(job: tuple[TrainingConfiguration, Path | None]) -> Outcome:
    return train(*job)


def _on_cluster(jobs: Sequence[tuple[TrainingConfiguration, Path | None]], address: str) -> list[Outcome]:
    """Folders lie on a file system that all its machines share."""
    try:
        import ray  # an extra: most never need it
    except ImportError:
        message = "A cluster needs Ray on every machine: pip install ray"
        raise AgentError(ErrorCode.SERVER_UNAVAILABLE, message) from None
    try:
        ray.init(address=address, ignore_reinit_error=True)
    except (ConnectionError, ValueError) as error:
        raise AgentError(ErrorCode.SERVER_UNAVAILABLE, f"The cluster {address!r:.80} does not answer.") from error
    remote = ray.remote(num_cpus=1)(_one)
    outcomes: list[Outcome] = ray.get([remote.remote(job) for job in jobs])
    return outcomes
