"""All tasks by name, and how to come by their environments and experts."""

from __future__ import annotations

import gymnasium

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.learning.environments.contextual_environment import ContextualEnvironment, JointEnvironment
from reachy_agent_ros.learning.environments.contextual_tasks import ContextualTask, JointTask
from reachy_agent_ros.learning.environments.expert import ContextualExpert, JointExpert, TrackingExpert
from reachy_agent_ros.learning.environments.randomisation import ImperfectDynamics, Randomisation
from reachy_agent_ros.learning.environments.spaces import Entries
from reachy_agent_ros.learning.environments.specification import Split, TaskPolicy, TaskSpecification, Values
from reachy_agent_ros.learning.environments.tasks import NOVEL, TRAINING
from reachy_agent_ros.learning.environments.tracking_environment import TrackingEnvironment
from reachy_agent_ros.learning.environments.tracking_task import TrackingTask
from reachy_agent_ros.simulation.dynamics import Dynamics, KinematicDynamics
from reachy_agent_ros.simulation.mujoco_dynamics import MujocoDynamics

Environment = gymnasium.Env[Entries, Entries]

TASKS: dict[str, TaskSpecification] = {task.name: task.specification for task in TRAINING}
"""What policies are trained on."""

NOVEL_TASKS: dict[str, TaskSpecification] = {task.name: task.specification for task in NOVEL}
"""What is held out."""

_ALL: dict[str, TrackingTask | ContextualTask | JointTask] = {task.name: task for task in (*TRAINING, *NOVEL)}


def make(
    name: str,
    *,
    kinematic: bool = True,
    split: Split = Split.TRAINING,
    randomisation: Randomisation | None = None,
    render_mode: str | None = None,
    body: Dynamics | None = None,
    **parameters: float,
) -> Environment:
    """An environment of a task.

    Args:
        name: One of `TASKS` or `NOVEL_TASKS`.
        kinematic: Whether arithmetic moves, instead of physics. Physics takes 2 s to load.
        split: Which ranges the parameters of an episode are drawn from.
        randomisation: Of the robot from episode to episode; None for what the task says, which is the model's robot
            but for `payload`.
        render_mode: `rgb_array` or None.
        body: What moves instead, to share one between environments that are used in turn.
        parameters: Those of the task that shall not be drawn.

    Raises:
        AgentError: `NOT_FOUND` for an unknown task; `INVALID_GOAL` for a parameter that it does not have or
                that is beyond both ranges, and for an unknown range.
    """
    task = _task(name)
    _require_known(task, parameters)
    if split not in list(Split):
        raise AgentError(ErrorCode.INVALID_GOAL, f"There is no range {split!r}, only: {', '.join(Split)}.")
    if isinstance(task, ContextualTask):
        return ContextualEnvironment(task, split, parameters)
    moved = body or (KinematicDynamics() if kinematic else MujocoDynamics())
    tracking = task.tracking if isinstance(task, JointTask) else task
    environment = TrackingEnvironment(
        tracking, ImperfectDynamics(moved), split, _of(tracking, parameters), randomisation, render_mode
    )
    if isinstance(task, TrackingTask):
        return environment
    return JointEnvironment(
        environment, ContextualEnvironment(task.contextual, split, _of(task.contextual, parameters))
    )


def expert_for(name: str) -> TaskPolicy:
    """The scripted expert of a task.

    Raises:
        AgentError: `NOT_FOUND` for an unknown task.
    """
    task = _task(name)
    if isinstance(task, JointTask):
        return JointExpert(task)
    return ContextualExpert(task) if isinstance(task, ContextualTask) else TrackingExpert(task)


def add(task: TrackingTask) -> None:
    """Makes one more task known to this process, in place of an earlier one of its name.

    Args:
        task: What somebody has shown, for example.
    """
    TASKS[task.name] = task.specification
    _ALL[task.name] = task


def register() -> None:
    """Makes every task known to `gymnasium.make`, `look_at` as `reachy_agent/LookAt-v0`. May be called again."""
    for name in _ALL:
        if gymnasium_id(name) not in gymnasium.registry:
            gymnasium.register(gymnasium_id(name), f"{make.__module__}:make", kwargs={"name": name})


def gymnasium_id(name: str) -> str:
    """What Gymnasium calls a task."""
    return f"reachy_agent/{''.join(word.capitalize() for word in name.split('_'))}-v0"


def _task(name: str) -> TrackingTask | ContextualTask | JointTask:
    if name not in _ALL:
        raise AgentError(ErrorCode.NOT_FOUND, f"There is no task {name!r}, only: {', '.join(_ALL)}.")
    return _ALL[name]


def _require_known(task: TrackingTask | ContextualTask | JointTask, parameters: Values) -> None:
    bounds = {each.name: each.bounds for each in task.specification.parameters}
    for name, value in parameters.items():
        if name not in bounds:
            message = f"{task.name} has no parameter {name}, only: {', '.join(bounds)}."
            raise AgentError(ErrorCode.INVALID_GOAL, message)
        low, high = bounds[name]
        if not low <= value <= high:
            raise AgentError(
                ErrorCode.INVALID_GOAL, f"{name} of {task.name} is from {low:g} to {high:g}, not {value:g}."
            )


def _of(task: TrackingTask | ContextualTask, parameters: Values) -> Values:
    """Those parameters that belong to a part of a task."""
    names = {each.name for each in task.parameters}
    return {name: value for name, value in parameters.items() if name in names}
