"""Plan board, which stores the current plan of each conversation and applies changes to it."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import replace

from reachy_agent_ros.agent.planning.plan_revision import PlanRevision, revised
from reachy_agent_ros.agent.planning.plan_store import PlanStore
from reachy_agent_ros.agent.planning.step import PlannedStep
from reachy_agent_ros.agent.planning.task_tree import TaskTree, planned, require_unblocked
from reachy_agent_ros.agent.provenance.label import read, written
from reachy_agent_ros.core.errors import AgentError, ErrorCode

PLAN_TOOLS = frozenset({"make_plan", "begin_step", "finish_step", "revise_plan", "drop_plan"})
"""Tools that change a plan. Their results do not count for the running step."""


class PlanBoard:
    """Stores one plan per conversation. Publishes each change after it is on disk. Thread-safe.

    Args:
        store: Store of the plans. A step that was running when it was stored counts as interrupted.
        most_failures: Number of failures of one step, or of consecutive failures, after which the person is asked.
        on_change: Called after each change, in order, with the conversation and its plan; None for a deleted plan. It
            must not block.

    Raises:
        AgentError: `INVALID_ARGUMENTS`: `most_failures` is below 1; `STORAGE_FAILED`.
    """

    def __init__(
        self,
        store: PlanStore,
        most_failures: int = 2,
        on_change: Callable[[str, TaskTree | None], None] = lambda _session_id, _tree: None,
    ) -> None:
        if most_failures < 1:
            message = f"Invalid number of failures {most_failures}: expected at least 1 before a person is asked."
            raise AgentError(ErrorCode.INVALID_ARGUMENTS, message)
        self._store = store
        self._most_failures = most_failures
        self._on_change = on_change
        self._lock = threading.RLock()
        self._trees = {name: tree.interrupted("interrupted by a restart") for name, tree in store.load().items()}

    @property
    def damage(self) -> str:
        """Readable description of damage in the file; empty if the file is not damaged."""
        return self._store.damage

    def tree(self, session_id: str) -> TaskTree | None:
        """Returns the plan of a conversation, or None if it has no plan."""
        return self._trees.get(session_id)

    def make(self, session_id: str, goal: str, steps: Sequence[PlannedStep]) -> TaskTree:
        """Creates a plan for a conversation without an unfinished plan.

        Raises:
            AgentError: `INVALID_ARGUMENTS`; `INVALID_GOAL`: there is an unfinished plan; `STORAGE_FAILED`.
        """
        with self._lock:
            return self._keep(session_id, planned(goal, steps, self.tree(session_id)))

    def label(self, session_id: str, origin: str) -> None:
        """Adds provenance labels to the plan of a conversation; does nothing without a plan.

        Call it after adding labeled text.

        Raises:
            AgentError: `STORAGE_FAILED`.
        """
        with self._lock:
            tree = self.tree(session_id)
            if tree is not None and origin:
                self._keep(session_id, replace(tree, origin=written((*read(tree.origin), *read(origin)))))

    def begin(self, session_id: str, number: str) -> TaskTree:
        """Starts a step; see `TaskTree.begun`. Also raises `INVALID_GOAL` without a plan, and `STORAGE_FAILED`."""
        return self._change(session_id, lambda tree: tree.begun(number))

    def finish(self, session_id: str, number: str, observed: str, as_expected: bool) -> TaskTree:
        """Finishes a step; see `TaskTree.finished`. Also raises `INVALID_GOAL` without a plan, and `STORAGE_FAILED`."""
        return self._change(session_id, lambda tree: tree.finished(number, observed, as_expected, self._most_failures))

    def revise(self, session_id: str, revision: PlanRevision) -> TaskTree:
        """Changes a plan; see `revised`. Also raises `INVALID_GOAL` without a plan, and `STORAGE_FAILED`."""
        return self._change(session_id, lambda tree: revised(tree, revision))

    def drop(self, session_id: str) -> TaskTree:
        """Deletes a plan and returns it.

        Raises:
            AgentError: `INVALID_GOAL`: there is no plan, or a person must be asked first; `STORAGE_FAILED`.
        """
        with self._lock:
            tree = self._required(session_id)
            require_unblocked(tree)  # otherwise the failure count could be reset with a new plan
            self.forget(session_id)
            return tree

    def forget(self, session_id: str) -> None:
        """Deletes the plan of a conversation regardless of its state.

        Raises:
            AgentError: `STORAGE_FAILED`.
        """
        with self._lock:
            if session_id in self._trees:
                self._store.put(session_id, None)
                del self._trees[session_id]
                self._on_change(session_id, None)

    def person_spoke(self, session_id: str) -> None:
        """Updates the plan when a person starts a new turn.

        A running step is interrupted, and a blocked step may be tried once more. A plan is deleted if it is done or if
        its conversation was deleted.

        Raises:
            AgentError: `STORAGE_FAILED`.
        """
        with self._lock:
            tree = self.tree(session_id)
            if tree is None:
                return
            if tree.current is None or not self._store.has(session_id):  # another process deleted the conversation
                self.forget(session_id)
                return
            changed = tree.interrupted("interrupted by the person").unblocked(self._most_failures)
            if changed is not tree:
                self._keep(session_id, changed)

    def note_result(self, session_id: str, tool: str, worked: bool) -> None:
        """Records the result of a tool call. An error counts as a failure of the running step. Ignores planning tools.

        Raises:
            AgentError: `STORAGE_FAILED`.
        """
        with self._lock:
            tree = self.tree(session_id)
            if tree is None or tool in PLAN_TOOLS:
                return
            noted = tree.noted(tool, worked, self._most_failures)
            if noted.revision == tree.revision:
                self._trees[session_id] = noted
            else:
                self._keep(session_id, noted)

    def close(self) -> None:
        """Closes the file of the plans."""
        self._store.close()

    def _change(self, session_id: str, change: Callable[[TaskTree], TaskTree]) -> TaskTree:
        with self._lock:
            return self._keep(session_id, change(self._required(session_id)))

    def _required(self, session_id: str) -> TaskTree:
        tree = self.tree(session_id)
        if tree is None:
            raise AgentError(ErrorCode.INVALID_GOAL, "There is no plan: make one first.")
        return tree

    def _keep(self, session_id: str, tree: TaskTree) -> TaskTree:
        self._store.put(session_id, tree)
        self._trees[session_id] = tree
        self._on_change(session_id, tree)
        return tree
