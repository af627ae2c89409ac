"""Finds policies to evaluate by name: the expert, an untrained network, a version of a skill, or a weights file."""

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
    """Finds the policy to evaluate by name.

    Args:
        name: `expert`; `untrained`; a skill, for example "nod" for its active version or "nod@3" for version 3; or a
            weights file whose name ends with `.npz`.
        task: Training task of a weights file; ignored otherwise.
        store: Policy store; None for the policy store of the robot.

    Raises:
        AgentError: `NOT_FOUND` for an unknown task, skill, version or file; `INVALID_GOAL` for a skill without a task;
            `POLICY_REJECTED` for weights that are invalid or do not fit the task; `STORAGE_FAILED` for damaged weights.
    """
    if name == EXPERT:
        return Contender(EXPERT, tuple(ALL_TASKS), expert_for)
    if name == UNTRAINED:
        return Contender(UNTRAINED, tuple(ALL_TASKS), _untrained)
    if name.endswith(".npz"):
        return _trained(Path(name).stem, task or "", _read(Path(name)))
    skill, _, version = name.partition("@")
    if version and not version.isdecimal():
        raise AgentError(ErrorCode.NOT_FOUND, f"Invalid version {version!r:.60}: expected a number.")
    store = store or PolicyStore()
    record = store.inspect(skill, int(version or 0))
    if skill not in TASKS:
        message = (
            f"{skill} is not a task. Run `reachy-agent skills evaluate {skill}` if it was demonstrated, or "
            "`scripts/evaluate corrections` if it is corrected by feedback."
        )
        raise AgentError(ErrorCode.INVALID_GOAL, message)
    return _trained(f"{skill}@{record.version}", skill, store.weights(record))


def _trained(name: str, task: str, weights: Weights) -> Contender:
    if task not in TASKS:
        raise AgentError(ErrorCode.NOT_FOUND, f"Specify the task that {name} was trained on: {', '.join(TASKS)}.")
    actor, own = Actor(weights), TASKS[task]
    if actor.shape != (len(own.observation), len(own.action)):
        message = f"{name} is not a policy for {task}: it has the wrong number of inputs or outputs."
        raise AgentError(ErrorCode.POLICY_REJECTED, message)
    layout = own.observation, own.action
    alike = [each for each, known in ALL_TASKS.items() if (known.observation, known.action) == layout]
    return Contender(name, alike, lambda _: actor)


def _untrained(task: str) -> Actor:
    """Creates a network with random initial weights (LeCun initialization)."""
    specification, generator = ALL_TASKS[task], np.random.default_rng(0)
    sizes = (len(specification.observation), _HIDDEN, _HIDDEN, len(specification.action))
    weights = {"mean": np.zeros(sizes[0]), "scale": np.ones(sizes[0])}
    for index, (before, after) in enumerate(pairwise(sizes)):
        weights[f"weight{index}"] = generator.normal(0.0, before**-0.5, (after, before))
        weights[f"bias{index}"] = np.zeros(after)
    return Actor(weights)


def _read(path: Path) -> Weights:
    if not path.exists():
        raise AgentError(ErrorCode.NOT_FOUND, f"File not found: {path}.")
    with storing(f"Cannot read {path}"):
        content = path.read_bytes()
    try:
        return read_arrays(content)
    except ValueError:
        raise AgentError(ErrorCode.POLICY_REJECTED, f"{path} is not a weights file.") from None
