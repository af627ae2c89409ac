import errno
from contextlib import closing
from pathlib import Path

import pytest

from reachy_agent_ros.agent.planning.plan_store import PlanStore
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.gateway.access.token_file import TokenFile
from reachy_agent_ros.gateway.roles import Role
from reachy_agent_ros.nlu.decision import Action
from reachy_agent_ros.nlu.learned import LearnedPhrases
from reachy_agent_ros.storage.backup import state_backup
from reachy_agent_ros.storage.backup.state_backup import back_up, exchange, restore


@pytest.fixture
def state(tmp_path: Path) -> Path:
    """Returns a state directory with a learned phrase and an access token."""
    folder = tmp_path / "state"
    with closing(LearnedPhrases(folder / "phrases.db")) as learned:
        learned.learn("show respect", [Action("gesture", {"name": "wave"})])
    TokenFile(folder / "tokens.json").make("phone", Role.OPERATOR)
    return folder


@pytest.fixture
def archive(state: Path, tmp_path: Path) -> Path:
    back_up(state, tmp_path / "backup")
    return tmp_path / "backup"


def phrases(state: Path) -> list[str]:
    with closing(LearnedPhrases(state / "phrases.db")) as learned:
        return [one.phrase for one in learned.all()]


def test_restore_keeps_previous_state(archive: Path, state: Path) -> None:
    with closing(LearnedPhrases(state / "phrases.db")) as learned:
        learned.forget("show respect")
        learned.learn("dance", [Action("dance", {})])
    done = restore(archive, state)
    assert phrases(state) == ["show respect"]
    assert [token.name for token in TokenFile(state / "tokens.json").tokens()] == ["phone"]
    assert done.kept is not None
    assert phrases(done.kept) == ["dance"]


def test_restores_backup_without_previous_state(archive: Path, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    for folder in (tmp_path / "new" / "state", tmp_path / "empty"):
        assert restore(archive, folder).kept is None
        assert phrases(folder) == ["show respect"]


def test_restoring_truncated_backup_leaves_state_unchanged(archive: Path, state: Path, tmp_path: Path) -> None:
    archive.write_bytes(archive.read_bytes()[:-20])
    before = sorted(tmp_path.iterdir())
    with pytest.raises(AgentError, match="truncated"):
        restore(archive, state)
    assert sorted(tmp_path.iterdir()) == before
    assert phrases(state) == ["show respect"]


def test_restore_fails_while_robot_is_running(archive: Path, state: Path) -> None:
    plans = PlanStore(state / "plans.sqlite3")
    with pytest.raises(AgentError, match="Stop the robot first") as refused:
        restore(archive, state)
    assert refused.value.code is ErrorCode.INVALID_GOAL
    plans.close()
    restore(archive, state)


def test_failed_folder_exchange_leaves_state_unchanged(
    archive: Path, state: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(_one: Path, _other: Path) -> None:
        raise OSError(errno.EINVAL, "Invalid argument")

    monkeypatch.setattr(state_backup, "exchange", refuse)
    before = sorted(tmp_path.iterdir())
    with pytest.raises(AgentError, match="cannot be replaced: Invalid argument"):
        restore(archive, state)
    assert sorted(tmp_path.iterdir()) == before


def test_rejects_archive_inside_state_directory(state: Path) -> None:
    with pytest.raises(AgentError, match="part of its own backup"):
        back_up(state, state / "backup")


def test_failed_backup_leaves_no_files(state: Path, tmp_path: Path) -> None:
    (tmp_path / "backup").touch()
    before = sorted(tmp_path.iterdir())
    with pytest.raises(AgentError, match="already exists"):
        back_up(state, tmp_path / "backup")
    assert sorted(tmp_path.iterdir()) == before


def test_exchange_swaps_two_folders(tmp_path: Path) -> None:
    for name in ("one", "other"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "who").write_text(name)
    exchange(tmp_path / "one", tmp_path / "other")
    assert (tmp_path / "one" / "who").read_text() == "other"
    assert (tmp_path / "other" / "who").read_text() == "one"


def test_exchange_with_missing_folder_leaves_other_unchanged(tmp_path: Path) -> None:
    (tmp_path / "one").mkdir()
    with pytest.raises(FileNotFoundError):
        exchange(tmp_path / "one", tmp_path / "other")
    assert (tmp_path / "one").is_dir()
