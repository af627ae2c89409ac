"""Update of a checkout in steps: backup of the state, code, set-up and check, with rollback after a failure."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.update import journal as journals
from reachy_agent_ros.update.checkout import Checkout
from reachy_agent_ros.update.journal import Journal, Step
from reachy_agent_ros.update.recovery_program import recovery_command, write_recovery_program

PROGRAM = ".venv/bin/reachy-agent"
"""Command of the environment that set-up creates, relative to the checkout."""

SETUP_TIMEOUT = 3600.0
"""Time limit of `scripts/setup`, s. With PyTorch over a slow line it takes half an hour."""

PROGRAM_TIMEOUT = 1200.0
"""Time limit of a backup, a restoration or a check, s."""

Report = Callable[[str], None]
"""Tells a person what happens."""


@dataclass(frozen=True)
class Updated:
    """Result of an update.

    Attributes:
        old: Commit before.
        new: Commit after.
        name: Name of the new version.
        changes: First line of each new commit, newest first.
        backup: Backup of the state from before; empty if there was nothing to update.
    """

    old: str
    new: str
    name: str
    changes: tuple[str, ...] = ()
    backup: str = ""


def update(checkout: Checkout, state: Path, wanted: str, report: Report) -> Updated:
    """Updates a checkout. Nothing is changed before all conditions hold.

    Args:
        checkout: The checkout.
        state: State directory.
        wanted: Version as for `Checkout.target`.
        report: Called before each step.

    Raises:
        AgentError: `INVALID_GOAL`: a condition does not hold, or a step failed and everything is as before. The message
            gives the reason.
    """
    with checkout.locked():
        interrupted = journals.load(checkout.folder)
        if interrupted is not None:
            message = f"The update to {interrupted.name} was interrupted. Finish it with --continue, or undo it with "
            raise AgentError(ErrorCode.INVALID_GOAL, f"{message}--rollback.")
        require_rest(checkout.root)
        old = checkout.commit()
        name, new = checkout.target(wanted)
        if checkout.contains(old, new):
            return Updated(old, old, name)
        if not checkout.contains(new, old):
            message = f"{name} does not contain your current version {old[:12]}. Merge or rebase your commits with git."
            raise AgentError(ErrorCode.INVALID_GOAL, message)
        checkout.require_clean(new)
        backup = state.with_name(f"{state.name}.before-update-{datetime.now():%Y-%m-%dT%H-%M-%S}.backup")
        journal = Journal(str(checkout.root), old, new, name, str(state), str(backup))
        for change in (changes := _changes(checkout, journal)):
            report(f"  {change}")
        write_recovery_program(checkout.folder)
        journal.save(checkout.folder)
        _proceed(checkout, journal, report)
        return Updated(old, new, name, changes, str(backup))


def resume(checkout: Checkout, report: Report) -> Updated:
    """Finishes an interrupted update, or its rollback if that was interrupted.

    Args:
        checkout: The checkout.
        report: Called before each step.

    Raises:
        AgentError: As for `update`; `NOT_FOUND`: no update was interrupted.
    """
    with checkout.locked():
        require_rest(checkout.root)
        journal = _interrupted(checkout)
        if journal.step is Step.ROLLBACK:
            _roll_back(checkout, journal, report)
            raise _rolled_back(journal)
        _proceed(checkout, journal, report)
        return Updated(journal.old, journal.new, journal.name, _changes(checkout, journal), journal.backup)


def roll_back(checkout: Checkout, report: Report) -> Updated:
    """Undoes an interrupted update: restores code and environment, and the state if the new version may have used it.

    Args:
        checkout: The checkout.
        report: Called before each step.

    Raises:
        AgentError: `INVALID_GOAL`: a step failed, and can be repeated; `NOT_FOUND`: no update was interrupted.
    """
    with checkout.locked():
        require_rest(checkout.root)
        journal = _interrupted(checkout)
        _roll_back(checkout, journal, report)
        return Updated(journal.old, journal.old, journal.old[:12])


def require_rest(root: Path) -> None:
    """Checks that no program of the environment runs: it would go on with files of two versions.

    Raises:
        AgentError: `INVALID_GOAL` with the process.
    """
    own = {os.getpid(), os.getppid()}
    prefixes = tuple(f"{root}/{name}/bin/".encode() for name in (".venv", ".venv-daemon"))
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            words = (folder / "cmdline").read_bytes().split(b"\0")
        except OSError:  # it has ended, or belongs to another user
            continue
        if int(folder.name) not in own and any(word.startswith(prefixes) for word in words):
            command = b" ".join(words).decode(errors="replace").strip()
            message = f"Process {folder.name} runs this version: {command:.120}. Stop it first: reachy-agent down"
            raise AgentError(ErrorCode.INVALID_GOAL, message)


def _proceed(checkout: Checkout, journal: Journal, report: Report) -> None:
    """Takes the steps of an update from that of the journal on. After a failure, everything is rolled back."""
    steps = {Step.BACKUP: _back_up, Step.CODE: _switch, Step.SETUP: _set_up, Step.CHECK: _check}
    for step in list(steps)[list(steps).index(journal.step) :]:
        journal = replace(journal, step=step, state_used=step is Step.CHECK)
        journal.save(checkout.folder)
        try:
            steps[step](checkout, journal, report)
        except AgentError as error:
            if step is Step.BACKUP:  # nothing has changed
                journals.remove(checkout.folder)
                raise
            journal = replace(journal, step=Step.ROLLBACK, failure=error.message)
            _roll_back(checkout, journal, report)
            raise _rolled_back(journal) from error
    journals.remove(checkout.folder)


def _back_up(checkout: Checkout, journal: Journal, report: Report) -> None:
    report(f"Backing up the state to {journal.backup}")
    _discard_backup(journal)  # of an interrupted try
    checkout.run([PROGRAM, "backup", journal.backup], PROGRAM_TIMEOUT, _variables(journal))


def _switch(checkout: Checkout, journal: Journal, report: Report) -> None:
    report(f"Changing to {journal.name}. If `reachy-agent` does not start from here on: {recovery_command(checkout)}")
    checkout.switch(journal.new, journal.old, journal.new)


def _set_up(checkout: Checkout, journal: Journal, report: Report) -> None:
    report("Setting up the environment: scripts/setup")
    stages = checkout.root / ".venv" / ".setup"
    extra = next((f"--{name}" for name in ("test", "learning") if (stages / name).exists()), "")
    checkout.run(["scripts/setup", *filter(None, [extra])], SETUP_TIMEOUT, {})


def _check(checkout: Checkout, journal: Journal, report: Report) -> None:
    report(f"Checking {journal.name}")
    checkout.run([PROGRAM, "config", "check"], PROGRAM_TIMEOUT, _variables(journal))


def _roll_back(checkout: Checkout, journal: Journal, report: Report) -> None:
    """Undoes an update. A failure leaves the journal, so that the rollback can be repeated."""
    if journal.step is Step.BACKUP:  # nothing has changed
        _discard_backup(journal)
        journals.remove(checkout.folder)
        return
    journal = replace(journal, step=Step.ROLLBACK)
    journal.save(checkout.folder)
    report(f"Returning to {journal.old[:12]}")
    checkout.switch(journal.old, journal.old, journal.new)
    _set_up(checkout, journal, report)
    if journal.state_used:
        report("Restoring the state")
        checkout.run([PROGRAM, "restore", journal.backup], PROGRAM_TIMEOUT, _variables(journal))
    journals.remove(checkout.folder)


def _discard_backup(journal: Journal) -> None:
    """Removes a backup that may be incomplete, before anything else was changed."""
    backup = Path(journal.backup)
    backup.unlink(missing_ok=True)
    for draft in backup.parent.glob(f".{backup.name}.draft*"):
        if draft.is_dir():
            shutil.rmtree(draft)
        else:
            draft.unlink()


def _rolled_back(journal: Journal) -> AgentError:
    message = f"The update to {journal.name} failed, and version {journal.old[:12]} is back: {journal.failure}"
    return AgentError(ErrorCode.INVALID_GOAL, message)


def _interrupted(checkout: Checkout) -> Journal:
    journal = journals.load(checkout.folder)
    if journal is None:
        raise AgentError(ErrorCode.NOT_FOUND, "No update was interrupted.")
    return journal


def _changes(checkout: Checkout, journal: Journal) -> tuple[str, ...]:
    return tuple(checkout.git("log", "--format=%h %s", f"{journal.old}..{journal.new}").splitlines())


def _variables(journal: Journal) -> dict[str, str]:
    return {"REACHY_AGENT_STATE": journal.state}
