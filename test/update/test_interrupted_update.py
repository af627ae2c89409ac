"""Tests of updates that are killed at any point. They can be finished or rolled back without data loss."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from reachy_agent_ros.core.errors import AgentError
from reachy_agent_ros.update import checkout as checkouts
from reachy_agent_ros.update.checkout import Checkout
from reachy_agent_ros.update.journal import Step, load
from reachy_agent_ros.update.updater import resume, roll_back, update
from support import ROOT
from support.cases import mostly_nightly
from support.versioned_checkout import Repository

DRIVER = """
import os, signal, sys
from pathlib import Path
from reachy_agent_ros.update import journal
from reachy_agent_ros.update.checkout import Checkout
from reachy_agent_ros.update.updater import update
from support.versioned_checkout import Repository

repository = Repository(*map(Path, sys.argv[1:]))
save = journal.Journal.save

def dying(self, folder):
    save(self, folder)
    if self.step == os.environ.get("AFTER_JOURNAL"):
        os.kill(os.getpid(), signal.SIGKILL)

journal.Journal.save = dying
update(Checkout(repository.root), repository.state, "", print, repository.graph)
"""
"""Update in a process of its own, which ends right after the journal names a step."""

ALL_DIE = "kill -9 0"
"""Ends the update, git and the scripts at once, as a power failure does."""

PLACES = [
    *({"AFTER_JOURNAL": step} for step in Step if step is not Step.ROLLBACK),
    *({f"IN_{place}": ALL_DIE} for place in ("DOWN", "BACKUP", "CODE", "SETUP", "CHECK", "UP")),
    {"IN_BACKUP": 'mkdir "$(dirname "$2")/.$(basename "$2").draft-copy"; kill -9 0'},
    {"IN_CHECK": "exit 1", "AFTER_JOURNAL": Step.ROLLBACK},
    {"IN_CHECK": "exit 1", "IN_RESTORE": ALL_DIE},
    {"IN_CHECK": "exit 1", "AFTER_JOURNAL": Step.START},
]


def interrupted(repository: Repository, place: dict[str, str]) -> None:
    """Runs an update that restarts a graph, and kills it at a given point."""
    done = subprocess.run(
        [sys.executable, "-c", DRIVER, repository.root, repository.author, repository.state],
        env={**os.environ, **place, "PYTHONPATH": f"{ROOT}:{ROOT / 'test'}"},
        start_new_session=True,
        capture_output=True,
        text=True,
    )
    assert done.returncode == -signal.SIGKILL, done.stderr
    assert load(Checkout(repository.root).folder) is not None


@pytest.mark.parametrize("place", mostly_nightly(PLACES, one_in=3), ids=str)
def test_rollback_of_killed_update_returns_to_previous_version(released: Repository, place: dict[str, str]) -> None:
    interrupted(released, place)
    roll_back(Checkout(released.root), print)
    assert released.version == ("1", "1", "1")
    assert released.is_clean
    assert load(Checkout(released.root).folder) is None
    assert (released.state / "persona").read_text() == "performer\n"
    assert released.graph_runs


@pytest.mark.parametrize("place", mostly_nightly(PLACES), ids=str)
def test_resumed_update_reaches_new_version(released: Repository, place: dict[str, str]) -> None:
    interrupted(released, place)
    if "exit 1" in place.values():  # its rollback was interrupted, which is what is finished
        with pytest.raises(AgentError, match="is back"):
            resume(Checkout(released.root), print)
        assert released.version == ("1", "1", "1")
    else:
        assert Path(resume(Checkout(released.root), print).backup).is_file()
        assert released.version == ("2", "2", "2")
    assert released.is_clean
    assert released.graph_runs
    assert load(Checkout(released.root).folder) is None
    assert not list(released.state.parent.glob(".*.draft*"))


def test_killed_checkout_leaves_files_of_both_versions(released: Repository) -> None:
    interrupted(released, {"IN_CODE": ALL_DIE})
    assert (released.root / "a_new_file").exists()
    assert not (released.root / "z_new_file").exists()


def test_update_program_rolls_back_without_checkout_and_environment(released: Repository) -> None:
    interrupted(released, {"IN_CODE": ALL_DIE})
    program = Checkout(released.root).folder / "update.pyz"
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    python = Path(sys.executable).resolve()
    done = subprocess.run([python, program, "--rollback"], env=environment, cwd="/", capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert released.version == ("1", "1", "1")
    assert released.is_clean


def test_interrupted_update_must_be_finished_before_next_update(released: Repository) -> None:
    interrupted(released, {"IN_SETUP": ALL_DIE})
    with pytest.raises(AgentError, match="Finish it with --continue, or undo it with --rollback"):
        update(Checkout(released.root), released.state, "", print)


def test_edits_after_interruption_are_kept(released: Repository) -> None:
    interrupted(released, {"IN_SETUP": ALL_DIE})
    (released.root / "z_new_file").write_text("mine")
    roll_back(Checkout(released.root), print)
    (kept,) = Checkout(released.root).folder.glob("edited-*/z_new_file")
    assert kept.read_text() == "mine"


def test_running_step_of_killed_update_blocks_rollback(released: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    interrupted(released, {"IN_SETUP": f"kill -9 $PPID; echo $$ > {released.root}/.venv/setup_pid; exec sleep 60"})
    monkeypatch.setattr(checkouts, "LOCK_PATIENCE", 0.1)
    with pytest.raises(AgentError, match="still running"):
        roll_back(Checkout(released.root), print)
    os.kill(int((released.root / ".venv" / "setup_pid").read_text()), signal.SIGKILL)
    monkeypatch.setattr(checkouts, "LOCK_PATIENCE", 10.0)
    roll_back(Checkout(released.root), print)
    assert released.version == ("1", "1", "1")
