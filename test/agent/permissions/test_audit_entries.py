import asyncio
from pathlib import Path

import pytest

from reachy_agent_ros.agent.permissions import audit_entries
from reachy_agent_ros.agent.permissions.audit_check import check, records
from reachy_agent_ros.agent.permissions.audit_entries import Repetitions
from reachy_agent_ros.agent.permissions.audit_log import AuditLog
from reachy_agent_ros.agent.permissions.audit_record import AuditEntry
from reachy_agent_ros.core.errors import AgentError


def looked(turn: str = "a", who: str = "a program") -> AuditEntry:
    return AuditEntry("call", "allowed", who, "get_robot_state", "{}", reason="it is autonomous", turn_id=turn)


def test_logs_first_of_several_identical_calls_and_counts_the_others(tmp_path: Path) -> None:
    path = tmp_path / "audit.jsonl"
    audit = AuditLog(path)
    repeated = Repetitions(audit)

    async def look() -> None:
        await repeated.write(looked())
        assert [record["turn_id"] for record in records(path)] == ["a"]
        for turn in "bcd":
            await repeated.write(looked(turn))
        await repeated.write(looked(who="another"))
        assert [record["who"] for record in records(path)] == ["a program", "another"]

    asyncio.run(look())
    repeated.close()
    audit.close()
    assert [record["reason"] for record in records(path)][2:] == ["it is autonomous; 3 times more within 10 s"]
    assert check(path).fault is None


def test_identical_call_is_logged_again_after_time_window(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(audit_entries, "WINDOW", 0.0)
    path = tmp_path / "audit.jsonl"
    repeated = Repetitions(AuditLog(path))

    async def look() -> None:
        for turn in "ab":
            await repeated.write(looked(turn))
            await asyncio.sleep(0.01)

    asyncio.run(look())
    assert [record["turn_id"] for record in records(path)] == ["a", "b"]


def test_repeated_call_raises_error_if_it_cannot_be_logged(tmp_path: Path) -> None:
    audit = AuditLog(tmp_path / "audit.jsonl")
    repeated = Repetitions(audit)
    audit.close()

    async def look() -> None:
        for _ in range(2):
            with pytest.raises(AgentError):
                await repeated.write(looked())

    asyncio.run(look())
