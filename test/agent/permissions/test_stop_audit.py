"""Stops are recorded in the audit log with the person and the way."""

from __future__ import annotations

import asyncio
from contextlib import closing
from pathlib import Path

import pytest

from reachy_agent_ros.agent.conversation.turn_request import TurnSource
from reachy_agent_ros.agent.permissions.audit_check import check, records
from reachy_agent_ros.agent.permissions.audit_log import AuditLog
from reachy_agent_ros.agent.permissions.permission_service import AUDIT_FILE
from reachy_agent_ros.agent.permissions.principal import Principal
from reachy_agent_ros.agent.permissions.stop_audit import StopAudit
from reachy_agent_ros.storage.file_lock import held
from support.agent.world import MindInWorld, until


def stops(directory: Path) -> list[tuple[str, str]]:
    """Returns who stopped the robot and how, for each recorded stop."""
    return [(one["who"], one["reason"]) for one in records(directory / AUDIT_FILE) if one["event"] == "stop"]


def test_records_who_stopped_the_robot_and_how(tmp_path: Path) -> None:
    with closing(StopAudit(tmp_path)) as audit:
        audit.note("command line, user ada", "reachy-agent stop")
        audit.note("", "word over the robot's voice")
    assert stops(tmp_path) == [
        ("command line, user ada", "reachy-agent stop"),
        ("unknown", "word over the robot's voice"),
    ]
    assert check(tmp_path / AUDIT_FILE).fault is None


def test_draft_and_final_text_of_spoken_stop_are_one_record(tmp_path: Path) -> None:
    with closing(StopAudit(tmp_path)) as audit:
        for turn_id in ("first", "first", "second"):
            audit.note("", "spoken words", turn_id)
    assert len(stops(tmp_path)) == 2


def test_note_returns_while_audit_log_is_locked(tmp_path: Path) -> None:
    path = tmp_path / AUDIT_FILE
    with closing(AuditLog(path)):
        pass
    with closing(StopAudit(tmp_path)) as audit, path.open("r+b") as log, held(log.fileno(), path, 1.0):
        audit.note("ada", "HTTP")
        assert stops(tmp_path) == []
    assert stops(tmp_path) == [("ada", "HTTP")]


def test_unwritable_log_does_not_prevent_stop(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    (tmp_path / AUDIT_FILE).mkdir()
    with closing(StopAudit(tmp_path)) as audit:
        audit.note("ada", "HTTP")
    assert "A stop could not be recorded" in caplog.text


@pytest.mark.parametrize("source", [TurnSource.TYPED, TurnSource.SPOKEN])
def test_stop_in_conversation_is_recorded_after_robot_holds(tmp_path: Path, source: TurnSource) -> None:
    mind = MindInWorld(tmp_path)

    async def talk() -> None:
        reply = await mind.say("stop", source=source, principal=Principal("token:ada#1", True))
        assert (reply.reply, mind.world.holds) == ("I stopped.", 1)
        await until(lambda: stops(tmp_path))
        await mind.mind.close()

    asyncio.run(talk())
    assert stops(tmp_path) == [("token:ada#1", f"{source.name.lower()} words")]
