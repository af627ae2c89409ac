"""Full disks, garbage, locks and cut recordings, as the campaign injects them."""

import shutil
from pathlib import Path
from random import Random

import pytest

from chaos.storage.cut_recording import cut_recording
from chaos.storage.full_disk import full_disk
from chaos.storage.garbage import garbled_and_restored
from chaos.storage.locked_database import kept_while_locked
from support.cases import every_second_nightly

needs_bwrap = pytest.mark.skipif(shutil.which("bwrap") is None, reason="bwrap is not installed")


@pytest.mark.slow
@needs_bwrap
@pytest.mark.parametrize("name", every_second_nightly(["memories", "approvals", "judgments", "demonstrations"]))
def test_full_disk_is_reported_and_stored_records_stay_readable(name: str) -> None:
    came = full_disk(name)
    assert "full" in came.refusal or "No space left" in came.refusal
    assert (came.served, came.opened, came.lost, came.usable) == (True, "yes", 0, True)


@pytest.mark.parametrize("seed", every_second_nightly(range(3)))
@pytest.mark.parametrize("name", ["memories", "conversations", "judgments", "approvals", "decisions", "tools"])
def test_garbage_in_a_file_is_never_served_and_a_backup_takes_its_place(name: str, seed: int, tmp_path: Path) -> None:
    came = garbled_and_restored(name, tmp_path, Random(seed))
    assert (came.wrong, came.lost, came.usable) == (0, 0, True)


@pytest.mark.parametrize(("name", "file"), [("conversations", "sessions.sqlite3"), ("judgments", "feedback.db")])
def test_records_wait_for_locked_file_and_are_stored(name: str, file: str, tmp_path: Path) -> None:
    came = kept_while_locked(name, file, tmp_path, 0.3)
    assert (came.faults, came.acknowledged, came.lost, came.unusable) == (0, 6, 0, [])


@pytest.mark.parametrize("seed", range(5))
def test_a_cut_recording_is_read_up_to_its_last_chunk(seed: int, tmp_path: Path) -> None:
    came = cut_recording(tmp_path / "bag", Random(seed))
    assert came.whole
    assert came.before - came.chunk <= came.read <= came.before + 1
