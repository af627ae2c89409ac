import uuid
from pathlib import Path

import pytest

from reachy_agent_ros.agent.undo.journal import EVERYWHERE, Act, UndoJournal

FIRST, SECOND = uuid.uuid4(), uuid.uuid4()


@pytest.fixture
def journal(tmp_path: Path) -> UndoJournal:
    return UndoJournal(tmp_path / "undo.sqlite3")


def note(turn: uuid.UUID, key: str = "tea", session: str = "talk") -> Act:
    return Act(session, turn, "write_note", "note", key, '"before"')


def test_last_turn_is_returned_with_latest_act_first(journal: UndoJournal) -> None:
    for turn, key in ((FIRST, "a"), (SECOND, "b"), (SECOND, "c")):
        journal.begin(note(turn, key))
    assert [act.key for act in journal.last("talk")] == ["c", "b"]


def test_state_after_act_survives_restart(journal: UndoJournal, tmp_path: Path) -> None:
    journal.end(journal.begin(note(FIRST)), '"after"')
    journal.close()
    (act,) = UndoJournal(tmp_path / "undo.sqlite3").last("talk")
    assert (act.turn_id, act.before, act.after) == (FIRST, '"before"', '"after"')


def test_conversations_are_separate_except_for_acts_of_none(journal: UndoJournal) -> None:
    journal.begin(note(FIRST, session="talk"))
    journal.begin(note(SECOND, session="other"))
    assert [act.turn_id for act in journal.last("talk")] == [FIRST]
    journal.begin(note(SECOND, key="persona", session=EVERYWHERE))
    assert [act.key for act in journal.last("talk")] == ["persona"]


def test_forgets_one_note_or_all_notes(journal: UndoJournal) -> None:
    for key in ("a", "b", "c"):
        journal.begin(note(FIRST, key))
    journal.forget("note", "b")
    assert [act.key for act in journal.last("talk")] == ["c", "a"]
    journal.forget("fact")
    assert len(journal.last("talk")) == 2
    journal.forget("note")
    assert journal.last("talk") == []


def test_forgets_conversation(journal: UndoJournal) -> None:
    journal.begin(note(FIRST))
    journal.begin(note(SECOND, session="other"))
    journal.forget_conversation("talk")
    assert journal.last("talk") == []
    assert journal.last("other") != []


def test_damaged_act_is_left_out(journal: UndoJournal, tmp_path: Path) -> None:
    journal.begin(note(FIRST))
    journal.close()
    path = tmp_path / "undo.sqlite3"
    path.write_bytes(path.read_bytes().replace(b'"before"', b'"bef0re"'))
    damaged = UndoJournal(path)
    assert damaged.last("talk") == []
    assert "Left out" in damaged.damage
