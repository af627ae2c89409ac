import argparse
import json
from pathlib import Path

import pytest

from reachy_agent_ros.agent.permissions.audit_log import AuditLog
from reachy_agent_ros.agent.permissions.audit_record import AuditEntry
from reachy_agent_ros.cli.commands import audit
from reachy_agent_ros.core.errors import AgentError


@pytest.fixture
def log(tmp_path: Path) -> Path:
    path = tmp_path / "audit.jsonl"
    writer = AuditLog(path)
    writer.append(AuditEntry("call", "allowed", "robot", "dance", '{"dance": "waltz"}', rule="dance: notify"))
    writer.append(AuditEntry("call", "refused", "robot", "erase", "{}", reason="Nobody approved it in time."))
    writer.close()
    return path


def run(log: Path, *words: str) -> int:
    parser = argparse.ArgumentParser()
    audit.add_arguments(parser)
    return audit.run(parser.parse_args(["--log", str(log), *words]))


@pytest.mark.parametrize(
    ("words", "tools"),
    [
        ((), ["dance", "erase"]),
        (("--tool", "dance"), ["dance"]),
        (("--search", "WALTZ"), ["dance"]),
        (("--search", "nobody approved"), ["erase"]),
        (("--since", "10min"), ["dance", "erase"]),
        (("--since", "2000-01-01", "--search", "erase"), ["erase"]),
        (("--since", "2100-01-01"), []),
    ],
)
def test_audit_command_filters_records(
    log: Path, words: tuple[str, ...], tools: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(log, "--json", *words) == 0
    assert [json.loads(line)["tool"] for line in capsys.readouterr().out.splitlines()] == tools


def test_audit_command_prints_one_line_per_record(log: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(log, "--tool", "dance") == 0
    line = capsys.readouterr().out
    assert 'call allowed dance {"dance": "waltz"} (robot; dance: notify)' in line


def test_audit_record_names_requester_and_approver(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    log = tmp_path / "audit.jsonl"
    writer = AuditLog(log)
    writer.append(
        AuditEntry("call", "allowed", "robot", "dance", "{}", asked_by="token:desk#77aa01cd", decided_by="speech")
    )
    writer.close()
    assert run(log) == 0
    line = capsys.readouterr().out
    assert "call allowed dance {} (robot; requested with token:desk#77aa01cd; decided by speech)" in line


def test_audit_check_reports_whether_log_is_intact(log: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(log, "--check") == 0
    told = capsys.readouterr().out
    assert "All 2 records" in told
    assert run(log, "--json", "--search", told.split()[-1]) == 0
    assert json.loads(capsys.readouterr().out)["number"] == 2
    log.write_text(log.read_text().replace("waltz", "tango"))
    assert run(log, "--check") == 1
    assert "Record 1 is invalid" in capsys.readouterr().err
    assert run(log, "--check", "--json") == 1
    assert json.loads(capsys.readouterr().out)["first_bad"] == 1


def test_audit_command_skips_record_with_impossible_time(log: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with log.open("a") as file:
        file.write('{"time": 1e300}\n{"time": "now"}\n{}\n')
    assert run(log) == 0
    assert len(capsys.readouterr().out.splitlines()) == 2


def test_reports_missing_audit_log(tmp_path: Path) -> None:
    with pytest.raises(AgentError, match="no audit log"):
        run(tmp_path / "audit.jsonl")


@pytest.mark.parametrize("when", ["soon", "10 weeks", ""])
def test_audit_command_rejects_invalid_time(log: Path, when: str) -> None:
    with pytest.raises(SystemExit) as error:
        run(log, "--since", when)
    assert error.value.code == 2
