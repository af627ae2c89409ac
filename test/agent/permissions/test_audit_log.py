import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reachy_agent_ros.agent.permissions import audit_log
from reachy_agent_ros.agent.permissions.audit_check import check, records
from reachy_agent_ros.agent.permissions.audit_log import AuditLog, head_path
from reachy_agent_ros.agent.permissions.audit_record import AuditEntry, Head, read_head, write_head
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.storage.file_lock import locked

CALL = AuditEntry("call", "allowed", "robot", "dance", "{}")

WRITER = """
import sys
from dataclasses import replace
from pathlib import Path
from reachy_agent_ros.agent.permissions.audit_log import AuditLog
from reachy_agent_ros.agent.permissions.audit_record import AuditEntry
log = AuditLog(Path(sys.argv[1]))
for number in range(1, 100_000):
    log.append(AuditEntry("call", "allowed", "robot", "dance", "{}"))
    print(number, flush=True)
"""


def filled(folder: Path, count: int = 3) -> Path:
    path = folder / "audit.jsonl"
    log = AuditLog(path)
    for _ in range(count):
        log.append(CALL)
    log.close()
    return path


@pytest.mark.parametrize("torn", [1, 40, 5000])
def test_incomplete_line_of_audit_log_is_replaced_by_repair_record(tmp_path: Path, torn: int) -> None:
    path = filled(tmp_path)
    with path.open("ab") as file:
        file.write((b'{"approval":"' + b"x" * 5000)[:torn])
    assert check(path).first_bad == 4
    assert "incomplete" in str(check(path).fault)
    AuditLog(path).close()
    assert check(path).fault is None
    last = list(records(path))[-1]
    assert (last["number"], last["event"], last["outcome"]) == (4, "repair", "torn")
    assert f"{torn} bytes" in last["reason"]


def test_crash_between_writing_record_and_head_file_loses_no_record(tmp_path: Path) -> None:
    path = filled(tmp_path, 2)
    before = head_path(path).read_bytes()
    log = AuditLog(path)
    log.append(CALL)
    log.close()
    head_path(path).write_bytes(before)
    assert check(path).fault is None
    log = AuditLog(path)
    log.append(CALL)
    assert check(path).records == 4
    assert check(path).fault is None


def test_torn_write_to_head_file_preserves_previous_head(tmp_path: Path) -> None:
    path = filled(tmp_path)
    content = bytearray(head_path(path).read_bytes())
    content[512 + 10 : 512 + 30] = b"?" * 20
    head_path(path).write_bytes(content)
    assert read_head(head_path(path)) == Head(2, list(records(path))[1]["hash"])
    AuditLog(path).close()
    assert check(path).fault is None
    assert read_head(head_path(path)) == Head(3, list(records(path))[2]["hash"])


@pytest.mark.parametrize("part", ["count", "last", "check"])
def test_rejects_audit_log_with_modified_head_file(tmp_path: Path, part: str) -> None:
    path = filled(tmp_path)
    content = head_path(path).read_bytes()
    slots = [content[:512], content[512:]]
    newest = json.loads(slots[1])
    changed = {"count": 7, "last": "0" * 64, "check": "0" * 16}
    slots[1] = json.dumps({**newest, part: changed[part]}).encode().ljust(512)
    head_path(path).write_bytes(b"".join(slots))
    assert read_head(head_path(path)) == Head(2, list(records(path))[1]["hash"])


def test_audit_record_is_synced_before_head_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "folder" / "audit.jsonl"
    synced: list[tuple[str, int]] = []
    really = os.fdatasync

    def note(file: int) -> None:
        really(file)
        synced.append((Path(f"/proc/self/fd/{file}").readlink().name, path.read_bytes().count(b"\n")))

    log = AuditLog(path)
    monkeypatch.setattr(os, "fdatasync", note)
    log.append(CALL)
    log.append(CALL)
    assert synced == [(name, count) for count in (1, 2) for name in (path.name, head_path(path).name)]


def test_unwritable_audit_log_raises_storage_failed(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    for path in (tmp_path / "file" / "audit.jsonl", tmp_path):
        with pytest.raises(AgentError) as error:
            AuditLog(path)
        assert error.value.code is ErrorCode.STORAGE_FAILED


def test_continues_audit_log_after_records_longer_than_one_block(tmp_path: Path) -> None:
    path = tmp_path / "audit.jsonl"
    long = "\U0001f916" * 4000  # 48,000 bytes as JSON, in three fields of the record
    for count in range(1, 5):
        log = AuditLog(path)
        log.append(AuditEntry("call", "allowed", tool=long, arguments_json=long, reason=long))
        log.close()
        assert (check(path).records, check(path).fault) == (count, None)


def test_rejects_audit_log_with_missing_acknowledged_records(tmp_path: Path) -> None:
    path = filled(tmp_path)
    path.write_text("".join(path.read_text().splitlines(keepends=True)[:-1]))
    for _ in range(2):  # the second attempt checks that the first released its lock
        with pytest.raises(AgentError, match="audit --check") as error:
            AuditLog(path)
    assert error.value.code is ErrorCode.STORAGE_FAILED


@pytest.mark.parametrize("gone", ["log", "head"])
def test_rejects_audit_log_without_matching_head_file(tmp_path: Path, gone: str) -> None:
    path = filled(tmp_path)
    (path if gone == "log" else head_path(path)).unlink()
    with pytest.raises(AgentError, match="audit --check"):
        AuditLog(path)


@pytest.mark.slow
@given(st.integers(0), st.integers(0, 512))
def test_acknowledged_audit_records_survive_power_failure_at_any_byte(
    tmp_path_factory: pytest.TempPathFactory, cut: int, slot_cut: int
) -> None:
    """The record is written to the disk before the head of the log, so a crash can damage only one of the two."""
    folder = tmp_path_factory.mktemp("audit")
    path = filled(folder, 2)
    log, head = path.read_bytes(), head_path(path).read_bytes()
    writer = AuditLog(path)
    writer.append(CALL)
    writer.close()
    new_log, new_head = path.read_bytes(), head_path(path).read_bytes()
    cut = len(log) + cut % (len(new_log) - len(log) + 1)
    path.write_bytes(new_log[:cut])
    whole = cut == len(new_log)
    head_path(path).write_bytes(head[:512] + new_head[512 : 512 + slot_cut] + head[512 + slot_cut :] if whole else head)
    AuditLog(path).close()
    torn = not whole and cut > len(log)
    assert (check(path).records, check(path).fault) == (2 + whole + torn, None)


@pytest.mark.slow
@given(st.sets(st.integers(0, 4)))
def test_audit_log_recovers_from_any_subset_of_unsynced_sectors(
    tmp_path_factory: pytest.TempPathFactory, kept: set[int]
) -> None:
    path = filled(tmp_path_factory.mktemp("audit"), 2)
    log, head = path.read_bytes(), head_path(path).read_bytes()
    writer = AuditLog(path)
    writer.append(replace(CALL, reason="x" * 2000))
    writer.close()
    content = bytearray(path.read_bytes())
    for number, start in enumerate(range(len(log), len(content), 512)):
        if number not in kept:
            content[start : start + 512] = bytes(len(content[start : start + 512]))
    path.write_bytes(content)
    head_path(path).write_bytes(head)
    AuditLog(path).close()
    assert (check(path).records, check(path).fault) == (3, None)
    assert [record["event"] for record in records(path)][:2] == ["call", "call"]


def test_acknowledged_audit_records_survive_killed_writer(tmp_path: Path) -> None:
    path = tmp_path / "audit.jsonl"
    with subprocess.Popen([sys.executable, "-c", WRITER, str(path)], stdout=subprocess.PIPE, text=True) as writer:
        assert writer.stdout is not None
        acknowledged = [writer.stdout.readline() for _ in range(50)]
        writer.kill()
        acknowledged += writer.stdout.readlines()
    whole = [int(line) for line in acknowledged if line.endswith("\n")]
    AuditLog(path).close()
    assert check(path).fault is None
    assert check(path).records >= whole[-1]


def test_concurrent_processes_write_a_single_chain_of_audit_records(tmp_path: Path) -> None:
    path = tmp_path / "audit.jsonl"
    log = AuditLog(path)
    with subprocess.Popen([sys.executable, "-c", WRITER, str(path)], stdout=subprocess.PIPE, text=True) as writer:
        assert writer.stdout is not None
        for _ in range(20):
            assert writer.stdout.readline()
            log.append(replace(CALL, who="another process"))
        writer.kill()
        writer.stdout.read()
    log.append(CALL)
    assert check(path).fault is None
    assert [record["who"] for record in records(path)].count("another process") == 20


def test_repairs_incomplete_audit_record_written_by_another_process(tmp_path: Path) -> None:
    path = tmp_path / "audit.jsonl"
    log = AuditLog(path)
    log.append(CALL)
    with path.open("ab") as file:
        file.write(b'{"approval":"')
    log.append(CALL)
    assert [record["event"] for record in records(path)] == ["call", "repair", "call"]
    assert check(path).fault is None


def test_reports_audit_log_that_is_locked_by_another_process(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = filled(tmp_path)
    log = AuditLog(path)
    monkeypatch.setattr(audit_log, "PATIENCE", 0.0)
    with locked(path), pytest.raises(AgentError, match="Another process") as error:
        log.append(CALL)
    assert error.value.code is ErrorCode.STORAGE_FAILED
    log.append(CALL)
    assert (check(path).records, check(path).fault) == (4, None)


def test_full_disk_leaves_no_partial_audit_record(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "audit.jsonl"
    log = AuditLog(path)
    log.append(CALL)

    def full(_file: int) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(os, "fdatasync", full)
        with pytest.raises(AgentError, match="No space") as error:
            log.append(CALL)
    assert error.value.code is ErrorCode.STORAGE_FAILED
    log.append(CALL)
    assert (check(path).records, check(path).fault) == (2, None)


def test_audit_log_redacts_arguments(tmp_path: Path) -> None:
    log = AuditLog(tmp_path / "audit.jsonl", lambda tool, arguments: "…" if tool == "remember" else arguments)
    log.append(AuditEntry("call", "allowed", tool="remember", arguments_json='{"fact": "secret"}'))
    log.append(CALL)
    assert "secret" not in (tmp_path / "audit.jsonl").read_text()
    assert [record["arguments_json"] for record in records(tmp_path / "audit.jsonl")] == ["…", "{}"]
    assert check(tmp_path / "audit.jsonl").fault is None


def test_audit_log_is_readable_by_owner_only(tmp_path: Path) -> None:
    path = filled(tmp_path)
    assert path.stat().st_mode & 0o077 == 0 == head_path(path).stat().st_mode & 0o077


@pytest.mark.slow
@given(st.lists(st.tuples(st.text(), st.text(max_size=5000)), max_size=5))
def test_audit_chain_is_valid_after_reopening(
    tmp_path_factory: pytest.TempPathFactory, texts: list[tuple[str, str]]
) -> None:
    path = tmp_path_factory.mktemp("audit") / "audit.jsonl"
    for tool, arguments in [*texts, ("\ud800\r\n", "\x00\u2028")]:
        log = AuditLog(path)
        log.append(AuditEntry("call", "allowed", tool=tool, arguments_json=arguments))
        log.close()
    assert (check(path).records, check(path).fault) == (len(texts) + 1, None)


def test_head_file_of_audit_log_overwrites_older_slot(tmp_path: Path) -> None:
    with (tmp_path / "head").open("w+b") as file:
        for count in range(5):
            write_head(file.fileno(), Head(count, str(count)))
            assert read_head(tmp_path / "head") == Head(count, str(count))
    assert (tmp_path / "head").stat().st_size == 1024


def test_closed_audit_log_rejects_entries(tmp_path: Path) -> None:
    log = AuditLog(tmp_path / "audit.jsonl")
    log.close()
    other = tmp_path / "other"
    with other.open("wb+"), pytest.raises(AgentError, match="the log is closed"):
        log.append(AuditEntry("call", "allowed"))
    assert other.read_bytes() == b""


def test_long_text_in_audit_log_is_truncated_and_followed_by_length_and_digest(tmp_path: Path) -> None:
    path = tmp_path / "audit.jsonl"
    log = AuditLog(path)
    for length in (4000, 4001):
        log.append(replace(CALL, arguments_json="x" * length))
    whole, cut = (record["arguments_json"] for record in records(path))
    assert whole == "x" * 4000
    assert cut.startswith("x" * 4000 + "\u2026 (4001 characters, SHA-256 ")
    assert check(path).fault is None
