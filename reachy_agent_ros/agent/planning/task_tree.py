"""Task tree, which contains the steps of a plan with their order and their states."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from reachy_agent_ros.agent.planning.step import PlannedStep, Step, StepState, numbered, one_line
from reachy_agent_ros.agent.terminal_text import fit, plain
from reachy_agent_ros.core.errors import AgentError, ErrorCode

MOST_STEPS = 30
"""Maximum number of steps and sub-steps. People do not read more, and a small context has no room for more."""

LONGEST_GOAL = 300
LONGEST_OUTCOME = 300


@dataclass(frozen=True)
class TaskTree:
    """Immutable revision of a plan. Every change creates a new revision.

    Steps without sub-steps are always in this order: first all completed steps, then at most one running or blocked
    step, then all pending steps.

    Attributes:
        goal: Goal of the person.
        steps: Steps in the order in which they are performed.
        revision: Number of the revision, from 1.
        last_key: Greatest key ever assigned to a step.
        failed_in_a_row: Number of consecutive failures of any steps: replacing one failing step with another is not
            progress.
        tool_worked: Whether a tool call succeeded since the running step began.
        in_error: Tools whose last call in the running step failed. The success of another tool does not count: a
            small model that did not find a door turned the robot's head and claimed that the door was found.
        origin: Provenance labels of text in the plan, in one line.
    """

    goal: str
    steps: tuple[Step, ...]
    revision: int = 1
    last_key: int = 0
    failed_in_a_row: int = 0
    tool_worked: bool = False
    in_error: tuple[str, ...] = ()
    origin: str = ""

    def numbered(self) -> Iterator[tuple[str, Step]]:
        """Yields all steps, depth first, each with its number, such as "2" or "2.1"."""
        return numbered(self.steps)

    def find(self, number: str) -> Step:
        """Returns the step with the given number.

        Raises:
            AgentError: `INVALID_ARGUMENTS`.
        """
        steps = dict(self.numbered())
        if number not in steps:
            raise AgentError(ErrorCode.INVALID_ARGUMENTS, f"There is no step {number!r:.40}, only {', '.join(steps)}.")
        return steps[number]

    @property
    def current(self) -> tuple[str, Step] | None:
        """First unfinished step, with its number; None if all steps are done."""
        left = ((number, step) for number, step in self.numbered() if not step.steps)
        return next((place for place in left if place[1].state is not StepState.DONE), None)

    @property
    def blocked(self) -> bool:
        """Whether a person must decide how the plan continues."""
        return self.current is not None and self.current[1].state is StepState.BLOCKED

    @property
    def plea(self) -> str:
        """Instruction for the model if the plan is blocked; empty if the plan is not blocked."""
        if self.current is None or not self.blocked:
            return ""
        number, step = self.current
        count = max(self.failed_in_a_row, step.failures)
        return f"Step {number} is blocked after {count} failure{'s' * (count != 1)}: ask the person what to do now."

    def begun(self, number: str) -> TaskTree:
        """Starts a step and returns the changed plan.

        Raises:
            AgentError: `INVALID_ARGUMENTS`: there is no such step, it is done, or another step comes first;
                `INVALID_GOAL`: the step is already running, or a person must be asked first.
        """
        step = self._turn_of(number)
        if step.state is StepState.RUNNING:
            raise AgentError(ErrorCode.INVALID_GOAL, f"Step {number} is already running: do it, then finish it.")
        tree = self._with(replace(step, state=StepState.RUNNING, outcome=""))
        return replace(tree, tool_worked=False, in_error=())

    def finished(self, number: str, observed: str, as_expected: bool, most_failures: int) -> TaskTree:
        """Ends a step and returns the changed plan. A tool error overrides the model's claim that the step succeeded.

        Args:
            number: Number of the running step.
            observed: Actual observation.
            as_expected: Whether the observation matches the expectation.
            most_failures: Number of failures that block the plan.

        Raises:
            AgentError: `INVALID_ARGUMENTS`: there is no such step, it is done, or another step comes first;
                `INVALID_GOAL`: the step is not running, a person must be asked first, or the step needs a tool and none
                was used.
        """
        step = self._turn_of(number)
        if step.state is not StepState.RUNNING:
            raise AgentError(ErrorCode.INVALID_GOAL, f"Step {number} has not begun: begin it first.")
        if as_expected and step.needs_tool and not self.tool_worked and not self.in_error:
            message = f"No tool has been used since step {number} began: use one, or say that it is not as expected."
            raise AgentError(ErrorCode.INVALID_GOAL, message)
        says_more = f"{', '.join(self.in_error)} ended in an error" if self.in_error and as_expected else observed
        step = replace(step, outcome=fit(plain(says_more), LONGEST_OUTCOME))
        if self.in_error:  # the failure was already counted
            return self._with(replace(step, state=StepState.PENDING))
        if not as_expected:
            return self._failed(step, StepState.PENDING, most_failures)
        return replace(self._with(replace(step, state=StepState.DONE)), failed_in_a_row=0)

    def noted(self, tool: str, worked: bool, most_failures: int) -> TaskTree:
        """Records a tool call and returns the changed plan. An error counts as a failure of any running step."""
        if self.current is None or self.current[1].state is not StepState.RUNNING:
            return self
        others = tuple(name for name in self.in_error if name != tool)
        if worked:
            return replace(self, tool_worked=True, in_error=others)
        step = replace(self.current[1], outcome=f"{fit(plain(tool), 80)} ended in an error")
        return replace(self._failed(step, StepState.RUNNING, most_failures), in_error=(*others, tool))

    def interrupted(self, why: str) -> TaskTree:
        """Resets the running step to pending and returns the changed plan. The reset does not count as a failure."""
        if self.current is None or self.current[1].state is not StepState.RUNNING:
            return self
        return self._with(replace(self.current[1], state=StepState.PENDING, outcome=why))

    def unblocked(self, most_failures: int) -> TaskTree:
        """Allows one more attempt at a blocked step and returns the changed plan.

        Call it after a person was informed that the step is blocked.
        """
        if self.current is None or not self.blocked:
            return self
        tree = self._with(replace(self.current[1], state=StepState.PENDING))
        return replace(tree, failed_in_a_row=min(self.failed_in_a_row, most_failures - 1))

    def with_steps(self, steps: tuple[Step, ...], last_key: int) -> TaskTree:
        """Returns the next revision of the plan, with the given steps.

        Raises:
            AgentError: `INVALID_ARGUMENTS`: there are no steps or too many.
        """
        count = sum(1 for _ in numbered(steps))
        if not 1 <= count <= MOST_STEPS:
            message = f"A plan must have 1 to {MOST_STEPS} steps, including sub-steps, not {count}."
            raise AgentError(ErrorCode.INVALID_ARGUMENTS, message)
        return replace(self, steps=steps, last_key=last_key, revision=self.revision + 1)

    def _turn_of(self, number: str) -> Step:
        step = self.find(number)
        require_unblocked(self)
        if self.current is None or step.state is StepState.DONE:
            raise AgentError(ErrorCode.INVALID_ARGUMENTS, f"Step {number} is already done.")
        if step.key != self.current[1].key:
            raise AgentError(ErrorCode.INVALID_ARGUMENTS, f"Step {self.current[0]} comes first, not step {number}.")
        return step

    def _failed(self, step: Step, otherwise: StepState, most_failures: int) -> TaskTree:
        in_a_row, failures = self.failed_in_a_row + 1, step.failures + 1
        state = StepState.BLOCKED if max(in_a_row, failures) >= most_failures else otherwise
        return replace(self._with(replace(step, state=state, failures=failures)), failed_in_a_row=in_a_row)

    def _with(self, changed: Step) -> TaskTree:
        steps = tuple(_exchanged(step, changed) for step in self.steps)
        return replace(self, steps=steps, revision=self.revision + 1)


def planned(goal: str, drafts: Sequence[PlannedStep], before: TaskTree | None = None) -> TaskTree:
    """Creates the first revision of a plan.

    Args:
        goal: Goal of the person.
        drafts: Steps as the model wrote them.
        before: Previous plan of the conversation, None if there is none.

    Raises:
        AgentError: `INVALID_ARGUMENTS`: there are no steps or too many, or a text is empty or too long;
            `INVALID_GOAL`: the previous plan is not done.
    """
    if before is not None and before.current is not None:
        message = f"There is already a plan for {before.goal!r:.80}: revise it, or drop it first."
        raise AgentError(ErrorCode.INVALID_GOAL, message)
    nothing = TaskTree(one_line(goal, LONGEST_GOAL, "The goal"), (), revision=0)
    steps: list[Step] = []
    key = 0
    for draft in drafts:
        steps.append(draft.made(key + 1))
        key += 1 + len(draft.sub_steps)
    return nothing.with_steps(tuple(steps), key)


def require_unblocked(tree: TaskTree) -> None:
    """Checks that the plan is not blocked. Raises `INVALID_GOAL` if a person must decide how it continues."""
    if tree.blocked:
        raise AgentError(ErrorCode.INVALID_GOAL, tree.plea)


def _exchanged(step: Step, changed: Step) -> Step:
    if step.key == changed.key:
        return changed
    return step.consisting_of(tuple(_exchanged(part, changed) for part in step.steps))
