import os
import threading
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.learning.feedback import spool as spool_module
from reachy_agent_ros.learning.feedback.rows import Row
from reachy_agent_ros.learning.feedback.spool import Spool


def batch(number: int) -> list[Row]:
    return [Row("judgements", {"text": f"größer\n{number}", "given": float(number)})]


def drained(spool: Spool) -> list[list[Row]]:
    taken: list[list[Row]] = []
    spool.drain(lambda batches: taken.extend(map(list, batches)))
    return taken


def refuse(_batches: Sequence[Sequence[Row]]) -> None:
    raise AgentError(ErrorCode.STORAGE_FAILED, "The database is gone.")


def test_spool_returns_each_batch_once_and_in_order(tmp_path: Path) -> None:
    spool = Spool(tmp_path / "spool")
    for number in range(20):
        spool.append(batch(number))
    assert drained(Spool(tmp_path / "spool")) == [batch(number) for number in range(20)]
    assert spool.is_empty
    assert drained(spool) == []


def test_spool_preserves_batches_if_draining_fails(tmp_path: Path) -> None:
    spool = Spool(tmp_path / "spool")
    spool.append(batch(1))
    with pytest.raises(AgentError, match="gone"):
        spool.drain(refuse)
    assert drained(spool) == [batch(1)]


def test_spool_sets_aside_damaged_line_once_if_draining_fails(tmp_path: Path) -> None:
    path = tmp_path / "spool"
    path.write_bytes(b"00000000 damaged\n")
    spool = Spool(path)
    spool.append(batch(1))
    for _ in range(3):
        with pytest.raises(AgentError, match="gone"):
            spool.drain(refuse)
    assert drained(spool) == [batch(1)]
    assert path.with_name("spool.damaged").read_bytes() == b"00000000 damaged\n"


@pytest.mark.slow
def test_spool_reads_complete_lines_of_truncated_file(tmp_path: Path) -> None:
    path = tmp_path / "spool"
    spool = Spool(path)
    sizes = [0]
    for number in range(3):
        spool.append(batch(number))
        sizes.append(path.stat().st_size)
    whole = path.read_bytes()
    for cut in range(len(whole) + 1):
        path.write_bytes(whole[:cut])
        kept = sum(size <= cut for size in sizes[1:])
        spool.append(batch(9))
        assert drained(spool) == [*map(batch, range(kept)), batch(9)]
        assert not path.with_name("spool.damaged").exists()


@pytest.mark.slow
@given(st.integers(0, 200), st.binary(min_size=1, max_size=8))
def test_spool_sets_aside_damaged_line_and_preserves_other_lines(
    tmp_path_factory: pytest.TempPathFactory, place: int, noise: bytes
) -> None:
    path = tmp_path_factory.mktemp("spool") / "spool"
    spool = Spool(path)
    for number in range(4):
        spool.append(batch(number))
    content = bytearray(path.read_bytes())
    place = min(place, len(content) - len(noise))
    content[place : place + len(noise)] = noise
    path.write_bytes(content)
    taken = drained(spool)
    assert all(one in [batch(number) for number in range(4)] for one in taken)
    assert len(taken) >= 2
    assert spool.is_empty


def test_concurrent_appends_to_spool_lose_no_batch(tmp_path: Path) -> None:
    spools = [Spool(tmp_path / "spool") for _ in range(4)]
    threads = [
        threading.Thread(target=lambda number=number: [spools[number].append(batch(number)) for _ in range(20)])
        for number in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(drained(spools[0])) == 80


def test_full_spool_rejects_new_batches_and_preserves_stored_batches(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    spool = Spool(tmp_path / "spool")
    spool.append(batch(1))
    monkeypatch.setattr(spool_module, "MAX_BYTES", (tmp_path / "spool").stat().st_size)
    with pytest.raises(AgentError, match="is full") as error:
        spool.append(batch(2))
    assert error.value.code is ErrorCode.STORAGE_FAILED
    assert drained(spool) == [batch(1)]


def test_append_to_spool_syncs_file_and_folder_to_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    synced, sync = [], os.fsync

    def note(file: int) -> None:
        synced.append(Path(os.readlink(f"/proc/self/fd/{file}")).name)
        sync(file)

    monkeypatch.setattr(os, "fsync", note)
    spool = Spool(tmp_path / "folder" / "spool")
    spool.append(batch(1))
    assert synced == [tmp_path.name, "spool", "folder"]
    spool.append(batch(2))
    assert synced[3:] == ["spool"]


def test_spool_file_is_readable_only_by_its_owner(tmp_path: Path) -> None:
    Spool(tmp_path / "spool").append(batch(1))
    assert (tmp_path / "spool").stat().st_mode & 0o077 == 0
