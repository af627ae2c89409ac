"""Steps of an update. Every step can be repeated after an interruption at any point."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Collection
from pathlib import Path

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.update.checkout import Checkout
from reachy_agent_ros.update.journal import Journal
from reachy_agent_ros.update.recovery_program import recovery_command

PROGRAM = ".venv/bin/reachy-agent"
"""Command in the environment that the setup creates, relative to the checkout."""

SETUP_TIMEOUT = 3600.0
"""Time limit of `scripts/setup`, s. With PyTorch over a slow connection, it takes half an hour."""

PROGRAM_TIMEOUT = 1200.0
"""Time limit of other commands, s."""

GRAPH_RUNS = (0, 4)
"""Exit codes of `reachy-agent up --detach` for a graph whose nodes are all ready, even if some are degraded."""

Report = Callable[[str], None]
"""Function that tells a person what is happening."""


def stop(checkout: Checkout, journal: Journal, report: Report) -> None:
    """Stops the graph that the journal names, if it is running. Checks that no other program is running."""
    if journal.graph is not None:
        report("Stopping the graph")
        command = [PROGRAM, "down", "--namespace", journal.graph.namespace]
        checkout.run(command, PROGRAM_TIMEOUT, journal.graph.variables)
    require_rest(checkout.root)


def back_up(checkout: Checkout, journal: Journal, report: Report) -> None:
    """Backs up the state directory."""
    report(f"Backing up the state to {journal.backup}")
    discard_backup(journal)  # from an interrupted attempt
    checkout.run([PROGRAM, "backup", journal.backup], PROGRAM_TIMEOUT, _variables(journal))


def switch(checkout: Checkout, journal: Journal, report: Report) -> None:
    """Moves the checkout to the new commit."""
    report(f"Changing to {journal.name}. If `reachy-agent` does not start from here on: {recovery_command(checkout)}")
    checkout.switch(journal.new, journal.old, journal.new)


def set_up(checkout: Checkout, _journal: Journal, report: Report) -> None:
    """Sets up the environment of the current commit."""
    report("Setting up the environment: scripts/setup")
    stages = checkout.root / ".venv" / ".setup"
    extra = next((f"--{name}" for name in ("test", "learning") if (stages / name).exists()), "")
    checkout.run(["scripts/setup", *filter(None, [extra])], SETUP_TIMEOUT, {})


def check(checkout: Checkout, journal: Journal, report: Report) -> None:
    """Checks the settings with the new version."""
    report(f"Checking {journal.name}")
    checkout.run([PROGRAM, "config", "check"], PROGRAM_TIMEOUT, _variables(journal))


def start(checkout: Checkout, journal: Journal, report: Report) -> None:
    """Starts the graph that the journal names in the background, and waits until its nodes are ready."""
    if journal.graph is None:
        return
    stop(checkout, journal, report)  # an interrupted attempt may have started it
    report("Starting the graph")
    command = [PROGRAM, "up", "--detach", *journal.graph.words]
    checkout.run(command, PROGRAM_TIMEOUT, journal.graph.variables, Path(journal.graph.folder), GRAPH_RUNS)


def restore(checkout: Checkout, journal: Journal, report: Report) -> None:
    """Restores the state directory from the backup."""
    report("Restoring the state")
    checkout.run([PROGRAM, "restore", journal.backup], PROGRAM_TIMEOUT, _variables(journal))


def discard_backup(journal: Journal) -> None:
    """Removes a backup that may be incomplete. Until this step, the update has changed nothing else."""
    backup = Path(journal.backup)
    backup.unlink(missing_ok=True)
    for draft in backup.parent.glob(f".{backup.name}.draft*"):
        if draft.is_dir():
            shutil.rmtree(draft)
        else:
            draft.unlink()


def require_rest(root: Path, known: Collection[int] = ()) -> None:
    """Checks that no program of the environment is running. Such a program would use files of two versions.

    Args:
        root: Folder of the checkout.
        known: Ids of processes that may run.

    Raises:
        AgentError: `INVALID_GOAL`, naming the process.
    """
    ignored = {os.getpid(), os.getppid(), *known}
    prefixes = tuple(f"{root}/{name}/bin/".encode() for name in (".venv", ".venv-daemon"))
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            words = (folder / "cmdline").read_bytes().split(b"\0")
        except OSError:  # it has ended, or belongs to another user
            continue
        if int(folder.name) not in ignored and any(word.startswith(prefixes) for word in words):
            command = b" ".join(words).decode(errors="replace").strip()
            message = (
                f"Process {folder.name} runs this version: {command:.120}. Stop it first. For a graph, use "
                "`reachy-agent down`, or update with --restart."
            )
            raise AgentError(ErrorCode.INVALID_GOAL, message)


def _variables(journal: Journal) -> dict[str, str]:
    return {"REACHY_AGENT_STATE": journal.state}
