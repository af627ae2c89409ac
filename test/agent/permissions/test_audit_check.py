import json
from dataclasses import asdict
from pathlib import Path

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from reachy_agent_ros.agent.permissions.audit_check import check, records
from reachy_agent_ros.agent.permissions.audit_log import AuditLog, head_path
from reachy_agent_ros.agent.permissions.audit_record import GENESIS, AuditEntry, Head, canonical, sealed, write_head
from reachy_agent_ros.core.errors import AgentError, ErrorCode

COUNT = 6


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("audit") / "audit.jsonl"
    writer = AuditLog(path)
    for number in range(COUNT):
        writer.append(AuditEntry("call", "allowed", "robot", f"tool {number}", '{"a": 1}'))
    writer.close()
    return path


def changed(log: Path, content: bytes) -> Path:
    path = log.with_name("changed.jsonl")
    path.write_bytes(content)
    head_path(path).write_bytes(head_path(log).read_bytes())
    return path


def test_unmodified_audit_log_is_valid(log: Path) -> None:
    report = check(log)
    assert (report.records, report.fault, report.first_bad) == (COUNT, None, 0)


@given(st.integers(0), st.integers(1, 255))
def test_finds_audit_record_with_any_modified_byte(log: Path, place: int, change: int) -> None:
    content = bytearray(log.read_bytes())
    place %= len(content)
    content[place] ^= change
    number = log.read_bytes()[:place].count(b"\n") + 1
    assert check(changed(log, content)).first_bad == number


def test_finds_audit_record_that_is_not_canonical_json(log: Path) -> None:
    first, *others = log.read_bytes().splitlines(keepends=True)
    report = check(changed(log, b"".join((json.dumps(json.loads(first)).encode() + b"\n", *others))))
    assert report.first_bad == 1
    assert "not canonical JSON" in str(report.fault)


@given(st.permutations(range(COUNT)))
def test_finds_reordered_audit_records(log: Path, order: list[int]) -> None:
    assume(order != sorted(order))
    lines = log.read_bytes().splitlines(keepends=True)
    first = next(index for index, one in enumerate(order) if one != index)
    assert check(changed(log, b"".join(lines[one] for one in order))).first_bad == first + 1


@given(st.integers(0, COUNT - 1))
def test_finds_removed_audit_record(log: Path, index: int) -> None:
    lines = log.read_bytes().splitlines(keepends=True)
    report = check(changed(log, b"".join(lines[:index] + lines[index + 1 :])))
    assert (report.records, report.first_bad) == (index, index + 1)


@given(st.integers(0))
def test_finds_truncated_end_of_audit_log(log: Path, length: int) -> None:
    content = log.read_bytes()
    length %= len(content)
    assert check(changed(log, content[:length])).first_bad == content[:length].count(b"\n") + 1


def test_forged_last_record_does_not_match_head_file_of_audit_log(log: Path) -> None:
    lines = log.read_text().splitlines(keepends=True)
    record = json.loads(lines[-1])
    del record["hash"]
    forged = canonical(sealed({**record, "tool": "another"})) + "\n"
    assert check(changed(log, "".join([*lines[:-1], forged]).encode())).first_bad == COUNT


def test_audit_log_without_head_file_is_invalid(log: Path) -> None:
    path = changed(log, log.read_bytes())
    head_path(path).write_bytes(b"\x00" * 1024)
    report = check(path)
    assert (report.records, report.first_bad) == (COUNT, 0)
    assert "records may be missing" in str(report.fault)


def test_reads_intact_records_of_damaged_audit_log(log: Path) -> None:
    lines = log.read_bytes().splitlines(keepends=True)
    path = changed(log, b"".join([lines[0], b"\xff\xfe\n", b"[1]\n", lines[2]]))
    assert [record["number"] for record in records(path)] == [1, 3]


def test_check_of_missing_audit_log_raises_not_found(tmp_path: Path) -> None:
    with pytest.raises(AgentError) as error:
        check(tmp_path / "audit.jsonl")
    assert error.value.code is ErrorCode.NOT_FOUND


def test_check_of_unreadable_audit_log_raises_storage_failed(tmp_path: Path) -> None:
    with pytest.raises(AgentError, match="cannot be read") as error:
        check(tmp_path)
    assert error.value.code is ErrorCode.STORAGE_FAILED


def test_check_of_audit_log_with_unreadable_head_file_raises_storage_failed(log: Path) -> None:
    path = log.with_name("unreadable.jsonl")
    path.write_bytes(log.read_bytes())
    head_path(path).mkdir()
    with pytest.raises(AgentError, match="head file of the audit log cannot be read") as error:
        check(path)
    assert error.value.code is ErrorCode.STORAGE_FAILED


def test_audit_records_without_decider_fields_are_valid(tmp_path: Path) -> None:
    path = tmp_path / "audit.jsonl"
    last, lines = GENESIS, []
    for number in (1, 2):
        kept = {key: "" for key in asdict(AuditEntry("", "")) if key not in ("asked_by", "decided_by")}
        place = {"number": number, "previous": last, "time": 1.5, "format": 1}
        record = sealed({**kept, **place, "event": "answer", "outcome": "approved", "who": "service"})
        lines.append(canonical(record))
        last = record["hash"]
    path.write_text("\n".join([*lines, ""]))
    with head_path(path).open("wb") as head:
        write_head(head.fileno(), Head(2, last))
    log = AuditLog(path)
    log.append(AuditEntry("answer", "approved", "Ada", decided_by="Ada", asked_by="token:desk#77aa01cd"))
    log.close()
    assert (check(path).records, check(path).fault) == (3, None)
    assert [record.get("decided_by") for record in records(path)] == [None, None, "Ada"]
