"""Policies to evaluate, found by name: the expert, an untrained network, a version of a skill, or a file of weights."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import numpy as np

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.learning.correction.policy_store import PolicyStore
from reachy_agent_ros.learning.environments.registry import TASKS, expert_for
from reachy_agent_ros.learning.evaluation.evaluation import ALL_TASKS, EXPERT, Contender
from reachy_agent_ros.learning.training.actor import Actor, Weights
from reachy_agent_ros.storage.packed_arrays import read_arrays
from reachy_agent_ros.storage.storing import storing

UNTRAINED = "untrained"
_HIDDEN = 64


def contender(name: str, task: str | None = None, store: PolicyStore | None = None) -> Contender:
    """The policy of that name.

    Args:
        name: `expert`; `untrained`; a skill with a policy, as in "nod", for the version that acts, or "nod@3"; or a
            file of weights that ends with `.npz`.
        task: What a file of weights was trained on; of no account otherwise.
        store: Of the policies; None for the robot's.

    Raises:
        AgentError: `NOT_FOUND` for an unknown task, skill, version or file; `INVALID_GOAL` for a skill without a task;
            `POLICY_REJECTED` for weights that are invalid or do not fit the task; `STORAGE_FAILED` for damaged ones.
    """
    if name == EXPERT:
        return Contender(EXPERT, tuple(ALL_TASKS), expert_for)
    if name == UNTRAINED:
        return Contender(UNTRAINED, tuple(ALL_TASKS), _untrained)
    if name.endswith(".npz"):
        return _trained(Path(name).stem, task or "", _read(Path(name)))
    skill, _, version = name.partition("@")
    if version and not version.isdecimal():
        raise AgentError(ErrorCode.NOT_FOUND, f"A version is a number, not {version!r:.60}.")
    store = store or PolicyStore()
    record = store.inspect(skill, int(version or 0))
    if skill not in TASKS:
        message = f"{skill} is not a task: people correct it by words. See `scripts/evaluate corrections`."
        raise AgentError(ErrorCode.INVALID_GOAL, message)
    return _trained(f"{skill}@{record.version}", skill, store.weights(record))


def _trained(name: str, task: str, weights: Weights) -> Contender:
    if task not in TASKS:
        raise AgentError(ErrorCode.NOT_FOUND, f"Name the task that it was trained on: {', '.join(TASKS)}.")
    actor, own = Actor(weights), TASKS[task]
    if actor.shape != (len(own.observation), len(own.action)):
        raise AgentError(ErrorCode.POLICY_REJECTED, f"{name} is not a policy of {task}: its shape differs.")
    layout = own.observation, own.action
    alike = [each for each, known in ALL_TASKS.items() if (known.observation, known.action) == layout]
    return Contender(name, alike, lambda _: actor)


def _untrained(task: str) -> Actor:
    """A network as it is before the first step of learning (LeCun's initialisation)."""
    specification, generator = ALL_TASKS[task], np.random.default_rng(0)
    sizes = (len(specification.observation), _HIDDEN, _HIDDEN, len(specification.action))
    weights = {"mean": np.zeros(sizes[0]), "scale": np.ones(sizes[0])}
    for index, (before, after) in enumerate(pairwise(sizes)):
        weights[f"weight{index}"] = generator.normal(0.0, before**-0.5, (after, before))
        weights[f"bias{index}"] = np.zeros(after)
    return Actor(weights)


def _read(path: Path) -> Weights:
    if not path.exists():
        raise AgentError(ErrorCode.NOT_FOUND, f"There is no file {path}.")
    with storing(f"{path} cannot be read"):
        content = path.read_bytes()
    try:
        return read_arrays(content)
    except ValueError:
        raise AgentError(ErrorCode.POLICY_REJECTED, f"{path} is not a file of weights.") from None
