"""Storage faults of the campaign: full disks, damaged files, locked databases and truncated recordings."""

import shutil
from pathlib import Path
from random import Random

import pytest

from chaos.storage.cut_recording import cut_recording
from chaos.storage.full_disk import full_disk
from chaos.storage.garbage import garbled_and_restored
from chaos.storage.locked_database import kept_while_locked
from support.cases import mostly_nightly

needs_bwrap = pytest.mark.skipif(shutil.which("bwrap") is None, reason="bwrap is not installed")


@pytest.mark.slow
@needs_bwrap
@pytest.mark.parametrize("name", mostly_nightly(["memories", "approvals", "judgments", "demonstrations"]))
def test_store_on_full_disk_raises_error_and_loses_no_record(name: str) -> None:
    came = full_disk(name)
    assert "full" in came.refusal or "No space left" in came.refusal
    assert (came.served, came.opened, came.lost, came.usable) == (True, "yes", 0, True)


@pytest.mark.parametrize("seed", mostly_nightly(range(3)))
@pytest.mark.parametrize("name", ["memories", "conversations", "judgments", "approvals", "decisions", "tools"])
def test_damaged_store_returns_no_damaged_record_and_can_be_restored(name: str, seed: int, tmp_path: Path) -> None:
    came = garbled_and_restored(name, tmp_path, Random(seed))
    assert (came.wrong, came.lost, came.usable) == (0, 0, True)


@pytest.mark.parametrize(("name", "file"), [("conversations", "sessions.sqlite3"), ("judgments", "feedback.db")])
def test_write_waits_until_locked_database_is_unlocked(name: str, file: str, tmp_path: Path) -> None:
    came = kept_while_locked(name, file, tmp_path, 0.3)
    assert (came.faults, came.acknowledged, came.lost, came.unusable) == (0, 6, 0, [])


@pytest.mark.parametrize("seed", range(5))
def test_truncated_recording_is_readable_up_to_last_chunk(seed: int, tmp_path: Path) -> None:
    came = cut_recording(tmp_path / "bag", Random(seed))
    assert came.whole
    assert came.before - came.chunk <= came.read <= came.before + 1
