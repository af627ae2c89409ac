"""Update of a checkout in steps: state backup, code, setup and check, with a rollback after a failure.

A running graph is stopped first, and started again after the update or rollback.
"""

from __future__ import annotations

import shlex
from collections.abc import Collection
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.update import journal as journals
from reachy_agent_ros.update import steps
from reachy_agent_ros.update.checkout import Checkout
from reachy_agent_ros.update.journal import Journal, Step, StoppedGraph
from reachy_agent_ros.update.recovery_program import write_recovery_program
from reachy_agent_ros.update.steps import Report

_STEPS = {
    Step.STOP: steps.stop,
    Step.BACKUP: steps.back_up,
    Step.CODE: steps.switch,
    Step.SETUP: steps.set_up,
    Step.CHECK: steps.check,
    Step.START: steps.start,
}
"""Steps in order."""

_UNCHANGED = (Step.STOP, Step.BACKUP)
"""Steps during which code, environment and state are as before the update."""

_GRAPH_MAY_RUN = (Step.STOP, Step.START)
"""Steps that may have been interrupted while the graph was running."""


@dataclass(frozen=True)
class Updated:
    """Result of an update.

    Attributes:
        old: Commit before the update.
        new: Commit after the update.
        name: Name of the new version.
        changes: Short hash and first line of each new commit, newest first.
        backup: Backup of the state from before the update; empty if there was nothing to update, and after a rollback.
        restarted: Whether a graph was stopped and started again.
    """

    old: str
    new: str
    name: str
    changes: tuple[str, ...] = ()
    backup: str = ""
    restarted: bool = False


def update(
    checkout: Checkout,
    state: Path,
    wanted: str,
    report: Report,
    graph: StoppedGraph | None = None,
    known: Collection[int] = (),
) -> Updated:
    """Checks all conditions for an update, then updates a checkout.

    Args:
        checkout: The checkout.
        state: State directory.
        wanted: Version as for `Checkout.target`.
        report: Called before each step.
        graph: Running graph to restart; None if there is none.
        known: Ids of the graph's processes.

    Raises:
        AgentError: `INVALID_GOAL`: a condition does not hold, or a step failed and everything is as before. The message
            gives the reason. `NOT_FOUND`: there is no such version; `TIMEOUT`: a command exceeded its time limit before
            the code was changed; `STORAGE_FAILED`: the journal cannot be read or written; or an error of the rollback.
    """
    with checkout.locked():
        interrupted = journals.load(checkout.folder)
        if interrupted is not None:
            message = f"The update to {interrupted.name} was interrupted. Finish it with --continue, or undo it with "
            raise AgentError(ErrorCode.INVALID_GOAL, f"{message}--rollback.")
        steps.require_rest(checkout.root, known)
        old = checkout.commit()
        name, new = checkout.target(wanted)
        if checkout.contains(old, new):
            return Updated(old, old, name)
        if not checkout.contains(new, old):
            message = f"{name} does not contain your current version {old[:12]}. Merge or rebase your commits with git."
            raise AgentError(ErrorCode.INVALID_GOAL, message)
        checkout.require_clean(new)
        backup = state.with_name(f"{state.name}.before-update-{datetime.now():%Y-%m-%dT%H-%M-%S}.backup")
        journal = Journal(str(checkout.root), old, new, name, str(state), str(backup), graph=graph)
        for change in _changes(checkout, journal):
            report(f"  {change}")
        write_recovery_program(checkout.folder)
        return _proceed(checkout, journal, report)


def resume(checkout: Checkout, report: Report) -> Updated:
    """Finishes an interrupted update, or an interrupted rollback.

    Args:
        checkout: The checkout.
        report: Called before each step.

    Raises:
        AgentError: As for `update`; `INVALID_GOAL`: a rollback was finished; `NOT_FOUND`: no update was interrupted.
    """
    with checkout.locked():
        journal = _interrupted(checkout)
        if journal.step is Step.ROLLBACK or journal.rolled_back:
            _roll_back(checkout, journal, report)
            raise _rolled_back(journal)
        return _proceed(checkout, journal, report)


def roll_back(checkout: Checkout, report: Report) -> Updated:
    """Undoes an interrupted update: restores code, environment and, if the new version may have used it, state.

    Args:
        checkout: The checkout.
        report: Called before each step.

    Raises:
        AgentError: `INVALID_GOAL` or `TIMEOUT`: a step failed, and can be repeated, or only the graph did not start;
            `NOT_FOUND`: no update was interrupted.
    """
    with checkout.locked():
        journal = _interrupted(checkout)
        _roll_back(checkout, journal, report)
        return Updated(journal.old, journal.old, journal.old[:12], restarted=journal.graph is not None)


def _proceed(checkout: Checkout, journal: Journal, report: Report) -> Updated:
    """Runs the steps of an update, from the step in the journal on. After a failure, undoes all steps."""
    for step in list(_STEPS)[list(_STEPS).index(journal.step) :]:
        journal = replace(journal, step=step, state_used=step in (Step.CHECK, Step.START))
        journal.save(checkout.folder)
        try:
            _STEPS[step](checkout, journal, report)
        except AgentError as error:
            journal = replace(journal, failure=error.message)
            _roll_back(checkout, journal, report)
            raise error if step in _UNCHANGED else _rolled_back(journal) from error
    journals.remove(checkout.folder)
    changes = _changes(checkout, journal)
    return Updated(journal.old, journal.new, journal.name, changes, journal.backup, journal.graph is not None)


def _roll_back(checkout: Checkout, journal: Journal, report: Report) -> None:
    """Undoes an update. After a failure, keeps the journal, so that the rollback can be repeated."""
    if journal.step in _UNCHANGED:
        steps.discard_backup(journal)
    elif not journal.rolled_back:
        if journal.step is Step.START:
            steps.stop(checkout, journal, report)
        journal = replace(journal, step=Step.ROLLBACK)
        journal.save(checkout.folder)
        report(f"Returning to {journal.old[:12]}")
        checkout.switch(journal.old, journal.old, journal.new)
        steps.set_up(checkout, journal, report)
        if journal.state_used:
            steps.restore(checkout, journal, report)
    graph = journal.graph
    if graph is not None:
        journal = replace(journal, step=Step.START, rolled_back=True)
        journal.save(checkout.folder)
        _start_again(checkout, journal, graph, report)
    journals.remove(checkout.folder)


def _start_again(checkout: Checkout, journal: Journal, graph: StoppedGraph, report: Report) -> None:
    try:
        steps.start(checkout, journal, report)
    except AgentError as error:
        journals.remove(checkout.folder)  # the previous version is complete, so that the rollback has ended
        command = shlex.join(["reachy-agent", "up", "--detach", *graph.words])
        message = f"Version {journal.old[:12]} is back, but its graph does not start: {error.message} Try: {command}"
        raise AgentError(ErrorCode.INVALID_GOAL, f"{journal.failure} {message}".strip()) from error


def _rolled_back(journal: Journal) -> AgentError:
    reason = journal.failure or "it was undone."
    message = f"The update to {journal.name} failed, and version {journal.old[:12]} is back: {reason}"
    return AgentError(ErrorCode.INVALID_GOAL, message)


def _interrupted(checkout: Checkout) -> Journal:
    journal = journals.load(checkout.folder)
    if journal is None:
        raise AgentError(ErrorCode.NOT_FOUND, "No update was interrupted.")
    if journal.step not in _GRAPH_MAY_RUN:
        steps.require_rest(checkout.root)
    return journal


def _changes(checkout: Checkout, journal: Journal) -> tuple[str, ...]:
    return tuple(checkout.git("log", "--format=%h %s", f"{journal.old}..{journal.new}").splitlines())
