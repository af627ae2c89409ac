"""Registry of tasks, which creates environments and experts by the name of the task."""

from __future__ import annotations

import gymnasium

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.learning.environments.contextual_environment import ContextualEnvironment, JointEnvironment
from reachy_agent_ros.learning.environments.contextual_tasks import ContextualTask, JointTask
from reachy_agent_ros.learning.environments.expert import ContextualExpert, JointExpert, TrackingExpert
from reachy_agent_ros.learning.environments.randomization import ImperfectDynamics, Randomization
from reachy_agent_ros.learning.environments.spaces import Entries
from reachy_agent_ros.learning.environments.specification import Split, TaskPolicy, TaskSpecification, Values
from reachy_agent_ros.learning.environments.tasks import NOVEL, TRAINING
from reachy_agent_ros.learning.environments.tracking_environment import TrackingEnvironment
from reachy_agent_ros.learning.environments.tracking_task import TrackingTask
from reachy_agent_ros.simulation.dynamics import Dynamics, KinematicDynamics
from reachy_agent_ros.simulation.mujoco_dynamics import MujocoDynamics

Environment = gymnasium.Env[Entries, Entries]

TASKS: dict[str, TaskSpecification] = {task.name: task.specification for task in TRAINING}
"""Tasks for training."""

NOVEL_TASKS: dict[str, TaskSpecification] = {task.name: task.specification for task in NOVEL}
"""Held-out tasks."""

_ALL: dict[str, TrackingTask | ContextualTask | JointTask] = {task.name: task for task in (*TRAINING, *NOVEL)}


def make(
    name: str,
    *,
    kinematic: bool = True,
    split: Split = Split.TRAINING,
    randomization: Randomization | None = None,
    render_mode: str | None = None,
    body: Dynamics | None = None,
    **parameters: float,
) -> Environment:
    """Creates an environment for a task.

    Args:
        name: A key of `TASKS` or `NOVEL_TASKS`.
        kinematic: Whether to simulate kinematics instead of physics. Physics takes 2 s to load.
        split: Split whose ranges the parameters of an episode are drawn from.
        randomization: Randomization of the robot; None for the default of the task. Only `payload` has a default.
        render_mode: `rgb_array` or None.
        body: Dynamics to use instead, for example to share them between environments that are not used at the same
            time.
        parameters: Task parameters with fixed values.

    Raises:
        AgentError: `NOT_FOUND` for an unknown task; `INVALID_GOAL` for an unknown parameter, a value outside both
            ranges, or an unknown split.
    """
    task = _task(name)
    _require_known(task, parameters)
    if split not in list(Split):
        raise AgentError(ErrorCode.INVALID_GOAL, f"Invalid split {split!r}: expected {', '.join(Split)}.")
    if isinstance(task, ContextualTask):
        return ContextualEnvironment(task, split, parameters)
    moved = body or (KinematicDynamics() if kinematic else MujocoDynamics())
    tracking = task.tracking if isinstance(task, JointTask) else task
    environment = TrackingEnvironment(
        tracking, ImperfectDynamics(moved), split, _of(tracking, parameters), randomization, render_mode
    )
    if isinstance(task, TrackingTask):
        return environment
    return JointEnvironment(
        environment, ContextualEnvironment(task.contextual, split, _of(task.contextual, parameters))
    )


def expert_for(name: str) -> TaskPolicy:
    """Creates the scripted expert for a task.

    Raises:
        AgentError: `NOT_FOUND` for an unknown task.
    """
    task = _task(name)
    if isinstance(task, JointTask):
        return JointExpert(task)
    return ContextualExpert(task) if isinstance(task, ContextualTask) else TrackingExpert(task)


def add(task: TrackingTask) -> None:
    """Adds a task to the registry of this process. Replaces a task with the same name.

    Args:
        task: The task, for example a demonstrated one.
    """
    TASKS[task.name] = task.specification
    _ALL[task.name] = task


def register() -> None:
    """Registers all tasks with Gymnasium, for example `look_at` as `reachy_agent/LookAt-v0`. Idempotent."""
    for name in _ALL:
        if gymnasium_id(name) not in gymnasium.registry:
            gymnasium.register(gymnasium_id(name), f"{make.__module__}:make", kwargs={"name": name})


def gymnasium_id(name: str) -> str:
    """Returns the Gymnasium ID of a task."""
    return f"reachy_agent/{''.join(word.capitalize() for word in name.split('_'))}-v0"


def _task(name: str) -> TrackingTask | ContextualTask | JointTask:
    if name not in _ALL:
        raise AgentError(ErrorCode.NOT_FOUND, f"Unknown task {name!r}: expected one of {', '.join(_ALL)}.")
    return _ALL[name]


def _require_known(task: TrackingTask | ContextualTask | JointTask, parameters: Values) -> None:
    bounds = {each.name: each.bounds for each in task.specification.parameters}
    for name, value in parameters.items():
        if name not in bounds:
            message = f"Unknown parameter {name} of {task.name}: expected one of {', '.join(bounds)}."
            raise AgentError(ErrorCode.INVALID_GOAL, message)
        low, high = bounds[name]
        if not low <= value <= high:
            raise AgentError(
                ErrorCode.INVALID_GOAL, f"Invalid {name} {value:g} of {task.name}: expected {low:g} to {high:g}."
            )


def _of(task: TrackingTask | ContextualTask, parameters: Values) -> Values:
    """Selects the parameters that belong to one part of a joint task."""
    names = {each.name for each in task.parameters}
    return {name: value for name, value in parameters.items() if name in names}
