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


def test_what_was_learned_is_there_after_a_restart(path: Path) -> None:
    LearnedPhrases(path).learn("Please, show some respect!", [NOD])
    assert LearnedPhrases(path).all() == [LearnedPhrase("show some respect", (NOD,))]


def test_what_is_learned_anew_replaces_what_was_learned(path: Path) -> None:
    learned = LearnedPhrases(path)
    learned.learn("show some respect", [NOD, NOD])
    learned.learn("Show some respect.", [NOD])
    assert [one.actions for one in learned.all()] == [(NOD,)]


def test_what_is_forgotten_is_gone_from_the_file(path: Path) -> None:
    learned = LearnedPhrases(path)
    learned.learn("do the flamingo", [NOD])
    assert learned.forget("Do the flamingo, please!")
    assert learned.all() == []
    assert b"flamingo" not in path.read_bytes()
    assert not learned.forget("do the flamingo")


@pytest.mark.parametrize("text", ["", "please", "?!", "x" * (LONGEST + 1)])
def test_no_words_and_too_many_are_refused(path: Path, text: str) -> None:
    with pytest.raises(AgentError) as caught:
        LearnedPhrases(path).learn(text, [NOD])
    assert caught.value.code is ErrorCode.INVALID_ARGUMENTS
    assert LearnedPhrases(path).all() == []


def test_nothing_to_do_is_nothing_to_learn(path: Path) -> None:
    with pytest.raises(AgentError):
        LearnedPhrases(path).learn("do nothing", [])


def test_a_file_that_is_no_database_is_set_aside_and_told(path: Path, caplog: pytest.LogCaptureFixture) -> None:
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
def test_a_locked_file_is_told(path: Path) -> None:
    learned = LearnedPhrases(path)
    learned.learn("show some respect", [NOD])
    other = sqlite3.connect(path)
    other.execute("BEGIN EXCLUSIVE")
    with pytest.raises(AgentError):
        learned.learn("do the flamingo", [NOD])
    other.close()
    assert len(learned.all()) == 1


def test_a_phrase_of_which_a_bit_flipped_means_nothing(path: Path, caplog: pytest.LogCaptureFixture) -> None:
    with closing(LearnedPhrases(path)) as learned:
        learned.learn("show some respect", [Action("gesture", {"gesture": "bow"})])
        learned.learn("dance", [NOD])
    flip(path, "bow")
    assert [one.phrase for one in LearnedPhrases(path).all()] == ["dance"]
    assert "damaged and left out" in caplog.text


def test_every_commit_waits_for_the_disk(path: Path) -> None:
    with LearnedPhrases(path)._opened().reading() as connection:
        assert connection.execute("PRAGMA synchronous").fetchone() == (2,)
        assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
