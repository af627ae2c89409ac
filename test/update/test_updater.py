"""Tests of updating a checkout: choice of the version, preconditions, and rollback after a failed step."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.update import checkout as checkouts
from reachy_agent_ros.update.checkout import Checkout
from reachy_agent_ros.update.journal import load
from reachy_agent_ros.update.updater import Updated, resume, roll_back, update
from support.versioned_checkout import Repository, git


def updated(repository: Repository, wanted: str = "") -> Updated:
    return update(Checkout(repository.root), repository.state, wanted, print)


def refusal(repository: Repository, wanted: str = "") -> AgentError:
    """Runs an update that must fail without changing anything. Returns its error."""
    with pytest.raises(AgentError) as caught:
        updated(repository, wanted)
    assert repository.version == ("1", "1", "1")
    assert load(Checkout(repository.root).folder) is None
    return caught.value


def test_update_changes_code_and_environment_and_keeps_backup(released: Repository) -> None:
    done = updated(released)
    assert released.version == ("2", "2", "2")
    assert released.is_clean
    assert (done.name, len(done.changes)) == ("v0.10.0", 2)
    assert Path(done.backup).is_file()
    assert git(released.root, "branch", "--show-current") == "main"
    assert load(Checkout(released.root).folder) is None


def test_newest_release_has_highest_version_number_without_suffix(released: Repository) -> None:
    released.publish({"version": "3\n"}, "v0.11.0-rc1")
    assert updated(released).name == "v0.10.0"


def test_update_follows_upstream_branch_without_releases(repository: Repository) -> None:
    for place in (repository.root, repository.author):
        git(place, "tag", "-d", "v0.1.0")
    git(repository.author, "push", "-q", "origin", ":refs/tags/v0.1.0")
    new = repository.publish({"version": "2\n"})
    assert updated(repository).new == new


def test_update_to_branch_uses_branch_of_remote(released: Repository) -> None:
    new = released.publish({"version": "3\n"})
    assert updated(released, "main").new == new


def test_update_of_newest_version_has_no_effect(repository: Repository) -> None:
    done = updated(repository)
    assert done.old == done.new
    assert not done.backup


def test_update_rejects_unknown_version(released: Repository) -> None:
    assert refusal(released, "v9").code is ErrorCode.NOT_FOUND


def test_update_rejects_local_changes(released: Repository) -> None:
    (released.root / "program").write_text("mine")
    assert "local changes: program" in refusal(released).message
    assert (released.root / "program").read_text() == "mine"


def test_update_rejects_untracked_file_with_name_of_new_file(released: Repository) -> None:
    (released.root / "a_new_file").write_text("mine")
    assert "already exist: a_new_file" in refusal(released).message
    assert (released.root / "a_new_file").read_text() == "mine"


def test_update_rejects_version_without_local_commits(released: Repository) -> None:
    (released.root / "mine").write_text("mine")
    git(released.root, "add", "mine")
    git(released.root, "commit", "-q", "-m", "mine")
    assert "does not contain your current version" in refusal(released).message


def test_update_rejects_running_program_of_environment(released: Repository) -> None:
    node = released.root / ".venv" / "bin" / "node"
    node.symlink_to("/bin/sleep")
    with subprocess.Popen([node, "60"]) as running:
        try:
            assert f"Process {running.pid} runs this version" in refusal(released).message
        finally:
            running.kill()


def restarted(repository: Repository) -> Updated:
    """Runs an update while a graph is running."""
    Path(repository.graph.variables["GRAPH"]).touch()
    return update(Checkout(repository.root), repository.state, "", print, repository.graph)


def test_graph_is_restarted_after_update(released: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    for step in ("IN_BACKUP", "IN_SETUP", "IN_CHECK"):
        monkeypatch.setenv(step, f"if [ -e {released.graph.variables['GRAPH']} ]; then exit 1; fi")
    assert restarted(released).restarted
    assert released.version == ("2", "2", "2")
    assert released.graph_runs


def test_degraded_graph_counts_as_restarted(released: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("IN_UP", "trap 'exit 4' EXIT")
    assert restarted(released).restarted
    assert released.version == ("2", "2", "2")


@pytest.mark.parametrize("step", ["IN_BACKUP", "IN_SETUP", "IN_CHECK", "IN_UP"])
def test_graph_of_previous_version_is_restarted_after_failed_step(
    released: Repository, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    old_fails = "true" if step == "IN_BACKUP" else f"grep -q 2 {released.root}/version"
    monkeypatch.setenv(step, f"if {old_fails}; then echo no luck; exit 3; fi")
    with pytest.raises(AgentError, match="failed with exit code 3: no luck"):
        restarted(released)
    assert released.version == ("1", "1", "1")
    assert released.graph_runs
    assert load(Checkout(released.root).folder) is None


def test_reports_graph_that_does_not_start_after_rollback(
    released: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("IN_UP", "echo no port; exit 3")
    with pytest.raises(AgentError) as caught:
        restarted(released)
    assert caught.value.message.count("no port") == 2  # of the new and of the old version
    assert caught.value.message.endswith("Try: reachy-agent up --detach robot:=none")
    assert released.version == ("1", "1", "1")
    assert load(Checkout(released.root).folder) is None


def test_update_of_newest_version_does_not_restart_graph(
    repository: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("IN_DOWN", "exit 3")
    assert not restarted(repository).restarted


def test_update_rejects_folder_without_git(tmp_path: Path) -> None:
    with pytest.raises(AgentError, match="not a git repository"):
        Checkout(tmp_path)


@pytest.mark.parametrize("step", ["IN_BACKUP", "IN_SETUP", "IN_CHECK"])
def test_failed_step_of_update_is_rolled_back(released: Repository, monkeypatch: pytest.MonkeyPatch, step: str) -> None:
    # Only the new version fails, so that the rollback can set up the old one.
    fails = "echo no luck; exit 3"
    monkeypatch.setenv(
        step, fails if step == "IN_BACKUP" else f"if grep -q 2 {released.root}/version; then {fails}; fi"
    )
    assert "failed with exit code 3: no luck" in refusal(released).message
    assert released.is_clean


def test_state_changed_by_new_version_is_restored_after_failed_update(released: Repository) -> None:
    broken = "#!/bin/sh\necho 2 > $REACHY_AGENT_STATE/format\nexit 1\n"
    released.publish({"program": broken}, "v0.12.0")
    refusal(released)
    (kept,) = released.state.parent.glob("state.before-*T*.*[0-9]")
    assert (kept / "format").read_text() == "2\n"


def test_failed_rollback_can_be_repeated(released: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("IN_SETUP", "exit 3")
    with pytest.raises(AgentError, match="failed with exit code 3"):
        updated(released)
    with pytest.raises(AgentError, match="was interrupted"):
        updated(released)
    monkeypatch.delenv("IN_SETUP")
    roll_back(Checkout(released.root), print)
    assert released.version == ("1", "1", "1")


def test_resume_without_interrupted_update_raises_error(repository: Repository) -> None:
    for act in (resume, roll_back):
        with pytest.raises(AgentError, match="No update was interrupted"):
            act(Checkout(repository.root), print)


def test_second_concurrent_update_is_rejected(released: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checkouts, "LOCK_PATIENCE", 0.1)
    with Checkout(released.root).locked():
        assert "still running" in refusal(released).message
