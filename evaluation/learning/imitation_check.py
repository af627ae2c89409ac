"""Comparison of our behavioral cloning and our GAIL with the same algorithms of the library `imitation`.

Run `scripts/evaluate imitation_check`. It takes ten minutes on one core, and longer the first time, when it creates an
environment for the library, which requires an older version of Gymnasium (`requirements/imitation.txt`). Demonstrations
and results are exchanged as .npz files. Both sides learn from the same demonstrations and are evaluated in the same
episodes.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from bench.report import Figure, print_report
from evaluation.learning.imitation_task import EPISODES, EPOCHS, SEEDS, TASK, Judged, judged
from reachy_agent_ros.learning.environments.registry import TASKS, expert_for, make
from reachy_agent_ros.learning.environments.spaces import Entries
from reachy_agent_ros.learning.training.actor import Actor
from reachy_agent_ros.learning.training.configuration import Algorithm, TrainingConfiguration
from reachy_agent_ros.learning.training.demonstrations import DemonstrationEpisode, demonstrate, joined
from reachy_agent_ros.learning.training.run import train

_ROOT = Path(__file__).parents[2]
_ENVIRONMENT = _ROOT / "build" / "imitation"
_SHOWN, _HELD_OUT = range(4_000_000, 4_000_010), range(4_000_010, 4_000_030)
_NAMES = {"bc": "BC", "gail": "GAIL"}
_DIFFERENCE = 5.0  # % of success, for the end of the interval that is further from zero
_RESAMPLES = 10_000

Sides = Mapping[str, Sequence[Judged]]
"""Results of the policy of each seed, by algorithm."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the option for the virtual environment of the library."""
    parser.add_argument(
        "--environment", type=Path, default=_ENVIRONMENT, help="virtual environment of the library, created if missing"
    )


def main(as_json: bool, environment: Path = _ENVIRONMENT) -> int:
    """Trains with both implementations and compares the results. Always returns exit code 0."""
    shown, others = (
        demonstrate(make(TASK), expert_for(TASK), seeds, TASKS[TASK].length) for seeds in (_SHOWN, _HELD_OUT)
    )
    observations, _ = joined(others)
    library = _library(_made(environment), shown, observations)
    print_report("imitation_check", list(figures(_ours(shown, observations), library)), as_json)
    return 0


def figures(ours: Sides, library: Sides) -> Iterator[Figure]:
    """Computes all figures."""
    for algorithm, name in _NAMES.items():
        own, other = ours[algorithm], library[algorithm]
        for side, every in (("ours", own), ("imitation's", other)):
            yield Figure(f"{name}, {side}: success", 100.0 * float(np.mean([each.successes for each in every])), "%")
            yield Figure(f"{name}, {side}: return", float(np.mean([each.returns for each in every])), "")
        low, high = _interval([each.successes for each in own], [each.successes for each in other])
        yield Figure(f"{name}: ours less imitation's success, 95 % from", 100.0 * low, "%", -_DIFFERENCE, at_least=True)
        yield Figure(f"{name}: ours less imitation's success, 95 % to", 100.0 * high, "%", _DIFFERENCE)
        low, high = _interval([each.returns for each in own], [each.returns for each in other])
        yield Figure(f"{name}: ours less imitation's return, 95 % from", low, "")
        yield Figure(f"{name}: ours less imitation's return, 95 % to", high, "")
        yield Figure(f"{name}: actions, ours to imitation's, RMS", _apart(own, other), "")
        next_seed = [*other[1:], other[0]]
        yield Figure(f"{name}: actions, imitation's to its next seed's, RMS", _apart(other, next_seed), "")


def _ours(shown: Sequence[DemonstrationEpisode], held_out: Entries) -> Sides:
    found: dict[str, list[Judged]] = {}
    for algorithm, episodes in (("bc", EPOCHS), ("gail", EPISODES)):
        runs = [
            TrainingConfiguration(
                TASK, Algorithm(algorithm), seed, episodes, device="cpu", judge_every=episodes, judged=1
            )
            for seed in SEEDS
        ]
        policies = [Actor(train(each, demonstrations=shown).weights) for each in runs]
        found[algorithm] = [judged(each, held_out) for each in policies]
    return found


def _library(python: Path, shown: Sequence[DemonstrationEpisode], held_out: Entries) -> Sides:
    with tempfile.TemporaryDirectory() as folder:
        given, results = Path(folder) / "demonstrations.npz", Path(folder) / "results.npz"
        rows = {name: np.array([getattr(each, name) for each in shown]) for name in ("observations", "actions")}
        np.savez(given, allow_pickle=False, **rows, held_out=held_out)
        side = Path(__file__).with_name("imitation_library.py")
        paths = {"PYTHONPATH": str(_ROOT), "TMPDIR": folder}  # the logger of the library creates folders
        quiet = {"TQDM_DISABLE": "1", "PYTHONWARNINGS": "ignore"}
        subprocess.run([python, side, given, results], check=True, cwd=folder, env={**os.environ, **paths, **quiet})
        with np.load(results) as stored:
            found = dict(stored)
    columns = {name: [found[f"{name}/{each}"] for each in ("successes", "returns", "actions")] for name in _NAMES}
    return {name: [Judged(*row) for row in zip(*each, strict=True)] for name, each in columns.items()}


def _made(environment: Path) -> Path:
    """Returns the Python interpreter of the library's environment. Creates the environment if needed."""
    python = environment / "bin" / "python"
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", environment], check=True)
        install: list[str | Path] = [
            python,
            "-m",
            "pip",
            "install",
            "--quiet",
            "-r",
            _ROOT / "requirements" / "imitation.txt",
        ]
        subprocess.run(install, check=True)
    return python


def _interval(own: Sequence[NDArray[np.generic]], other: Sequence[NDArray[np.generic]]) -> tuple[float, float]:
    """Returns the bootstrap 95 % confidence interval of the difference between the two means.

    The bootstrap resamples the seeds of each implementation and the episodes that both share.
    """
    generator = np.random.default_rng(0)
    both = [np.array(each, dtype=np.float64) for each in (own, other)]
    seeds, episodes = both[0].shape
    differences = []
    for _ in range(_RESAMPLES):
        played = generator.integers(episodes, size=episodes)
        means = [each[generator.integers(seeds, size=seeds)][:, played].mean() for each in both]
        differences.append(means[0] - means[1])
    low, high = np.percentile(differences, [2.5, 97.5])
    return float(low), float(high)


def _apart(first: Sequence[Judged], second: Sequence[Judged]) -> float:
    """Returns the root mean square difference of the actions at held-out observations, as a fraction of full speed."""
    squares = [np.mean((a.actions - b.actions) ** 2) for a, b in zip(first, second, strict=True)]
    return float(np.sqrt(np.mean(squares)))
