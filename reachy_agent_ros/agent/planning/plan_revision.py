"""Plan revisions: replaced, inserted and removed steps, as a model writes them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from pydantic import Field

from reachy_agent_ros.agent.planning.step import PlannedStep, PlannedSubStep, Step, StepNumber, StepState, numbered
from reachy_agent_ros.agent.planning.task_tree import TaskTree, require_unblocked
from reachy_agent_ros.core.arguments import ToolArguments
from reachy_agent_ros.core.errors import AgentError, ErrorCode

BEGINNING = "0"
"""Step number for inserting a step at the beginning."""


class ReplacedStep(PlannedStep):
    """Step that replaces another step."""

    number: StepNumber = Field(description="Number of the step to replace.")


class InsertedStep(PlannedSubStep):
    """Additional step: a top-level step, or a sub-step if inserted after a sub-step."""

    after: StepNumber = Field(description="Number of the step before the new step; 0 for the beginning.")


class PlanRevision(ToolArguments):
    """Changes to a plan. Step numbers are those before the change."""

    reason: str = Field(description="Observation or request that makes the change necessary.")
    replace: tuple[ReplacedStep, ...] = Field((), description="Steps to change or to replace with others.")
    insert: tuple[InsertedStep, ...] = Field((), description="Additional steps.")
    remove: tuple[StepNumber, ...] = Field((), description="Numbers of steps to remove.")


def revised(tree: TaskTree, revision: PlanRevision) -> TaskTree:
    """Applies a revision and returns the changed plan. Completed and running steps stay the same.

    Raises:
        AgentError: `INVALID_ARGUMENTS`: the change contradicts itself, changes completed or running steps or their
            order, or exceeds a limit of plans; `INVALID_GOAL`: a person must be asked first.
    """
    require_unblocked(tree)
    edit = _edit(tree, revision)
    changed = tree.with_steps(tuple(edit.applied(tree.steps, beginning=True)), edit.last_key)
    _require_all(edit, changed)
    _require_kept(tree, changed)
    return changed


@dataclass
class _Edit:
    """Plan revision with step keys instead of step numbers, which change while it is applied."""

    removed: set[int]
    replaced: dict[int, Step]
    inserted: dict[int, list[Step]]
    last_key: int

    def applied(self, steps: tuple[Step, ...], beginning: bool = False) -> Iterator[Step]:
        if beginning:
            yield from self.inserted.get(0, ())
        for step in steps:
            yield from self._changed(step)
            yield from self.inserted.get(step.key, ())

    def _changed(self, step: Step) -> Iterator[Step]:
        if step.key in self.removed:
            return
        if step.key in self.replaced:
            yield self.replaced[step.key]
            return
        parts = tuple(self.applied(step.steps))
        if parts or not step.steps:  # a step without remaining sub-steps is also removed
            yield step.consisting_of(parts)


def _edit(tree: TaskTree, revision: PlanRevision) -> _Edit:
    edit = _Edit({tree.find(number).key for number in revision.remove}, {}, {}, tree.last_key)
    for other in revision.replace:
        old = tree.find(other.number)
        if old.key in edit.replaced or old.key in edit.removed:
            raise _refused(f"Step {other.number} can be changed in one way only.")
        if other.sub_steps and "." in other.number:
            raise _refused(f"Step {other.number} is a sub-step and cannot itself contain steps.")
        made = other.made(edit.last_key + 1)
        edit.last_key += 1 + len(other.sub_steps)
        edit.replaced[old.key] = replace(made, key=old.key, failures=old.failures)
    for more in revision.insert:
        key = 0 if more.after == BEGINNING else tree.find(more.after).key
        edit.last_key += 1
        edit.inserted.setdefault(key, []).append(more.made(edit.last_key))
    if not (edit.removed or edit.replaced or edit.inserted):
        raise _refused("Nothing is replaced, inserted or removed.")
    return edit


def _require_all(edit: _Edit, changed: TaskTree) -> None:
    keys = {step.key for _, step in changed.numbered()}
    new = [*edit.replaced.values(), *(step for steps in edit.inserted.values() for step in steps)]
    lost = [step.title for step in new if step.key not in keys]
    if lost:
        raise _refused(f"{lost[0]!r:.80} belongs to a step that is itself removed or replaced.")


def _require_kept(tree: TaskTree, changed: TaskTree) -> None:
    fixed = (StepState.DONE, StepState.RUNNING)
    after = {step.key: step.state for _, step in changed.numbered()}
    for number, step in tree.numbered():
        if step.state in fixed and after.get(step.key) is not step.state:
            how = "done" if step.state is StepState.DONE else "running: finish it first"
            raise _refused(f"Step {number} can no longer be changed: it is {how}.")
    states = [step.state for _, step in numbered(changed.steps) if not step.steps]
    open_at = next((place for place, state in enumerate(states) if state is StepState.PENDING), len(states))
    if any(state in fixed for state in states[open_at:]):
        raise _refused("New steps must come after those that are done or running.")


def _refused(message: str) -> AgentError:
    return AgentError(ErrorCode.INVALID_ARGUMENTS, message)
