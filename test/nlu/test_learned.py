import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.nlu.decision import Action
from reachy_agent_ros.nlu.learned import LONGEST, LearnedPhrase, LearnedPhrases
from support.flipped_bits import flip

NOD = Action("gesture", {"gesture": "nod"})


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "state" / "phrases.db"


def test_learned_phrase_survives_restart(path: Path) -> None:
    LearnedPhrases(path).learn("Please, show some respect!", [NOD])
    assert LearnedPhrases(path).all() == [LearnedPhrase("show some respect", (NOD,))]


def test_new_meaning_of_learned_phrase_replaces_old_meaning(path: Path) -> None:
    learned = LearnedPhrases(path)
    learned.learn("show some respect", [NOD, NOD])
    learned.learn("Show some respect.", [NOD])
    assert [one.actions for one in learned.all()] == [(NOD,)]


def test_deleted_phrase_is_erased_from_file(path: Path) -> None:
    learned = LearnedPhrases(path)
    learned.learn("do the flamingo", [NOD])
    assert learned.forget("Do the flamingo, please!")
    assert learned.all() == []
    assert b"flamingo" not in path.read_bytes()
    assert not learned.forget("do the flamingo")


@pytest.mark.parametrize("text", ["", "please", "?!", "x" * (LONGEST + 1)])
def test_rejects_empty_or_too_long_learned_phrase(path: Path, text: str) -> None:
    with pytest.raises(AgentError) as caught:
        LearnedPhrases(path).learn(text, [NOD])
    assert caught.value.code is ErrorCode.INVALID_ARGUMENTS
    assert LearnedPhrases(path).all() == []


def test_rejects_learned_phrase_without_actions(path: Path) -> None:
    with pytest.raises(AgentError):
        LearnedPhrases(path).learn("do nothing", [])


def test_damaged_phrase_file_is_set_aside_and_logged(path: Path, caplog: pytest.LogCaptureFixture) -> None:
    path.parent.mkdir()
    path.write_text("no database, and long enough to be read as one" * 100)
    learned = LearnedPhrases(path)
    assert learned.all() == []
    (aside,) = path.parent.glob("phrases.db.damaged-*")
    assert aside.read_text().startswith("no database")
    assert f"It is kept as {aside}" in caplog.text
    learned.learn("show some respect", [NOD])
    assert len(LearnedPhrases(path).all()) == 1


@pytest.mark.slow
def test_locked_phrase_file_raises_error(path: Path) -> None:
    learned = LearnedPhrases(path)
    learned.learn("show some respect", [NOD])
    other = sqlite3.connect(path)
    other.execute("BEGIN EXCLUSIVE")
    with pytest.raises(AgentError):
        learned.learn("do the flamingo", [NOD])
    other.close()
    assert len(learned.all()) == 1


def test_damaged_phrase_is_ignored(path: Path, caplog: pytest.LogCaptureFixture) -> None:
    with closing(LearnedPhrases(path)) as learned:
        learned.learn("show some respect", [Action("gesture", {"gesture": "bow"})])
        learned.learn("dance", [NOD])
    flip(path, "bow")
    assert [one.phrase for one in LearnedPhrases(path).all()] == ["dance"]
    assert "damaged and left out" in caplog.text


def test_commit_of_learned_phrase_is_synchronous(path: Path) -> None:
    with LearnedPhrases(path)._opened().reading() as connection:
        assert connection.execute("PRAGMA synchronous").fetchone() == (2,)
        assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
