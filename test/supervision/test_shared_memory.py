import mmap
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.supervision import shared_memory


@pytest.fixture
def leftovers(tmp_path: Path) -> list[Path]:
    names = ("fastdds_0a1b", "fastdds_port7410", "sem.fastdds_port7410_mutex", "fast_datasharing_7")
    paths = [tmp_path / name for name in names]
    for path in paths:
        path.write_bytes(bytes(4096))
    return paths


def test_leftovers_that_nobody_uses_are_removed(leftovers, tmp_path):
    other = tmp_path / "of_another_program"
    other.touch()
    assert shared_memory.sweep(tmp_path) == len(leftovers)
    assert list(tmp_path.iterdir()) == [other]


def test_nothing_is_removed_while_a_process_has_one_of_them_mapped(leftovers, tmp_path):
    with leftovers[0].open("r+b") as file, mmap.mmap(file.fileno(), 0):
        file.close()
        assert shared_memory.sweep(tmp_path) == 0
    assert all(path.exists() for path in leftovers)


def test_nothing_is_removed_while_a_process_has_one_of_them_open(leftovers, tmp_path):
    with leftovers[1].open("rb"):
        assert shared_memory.sweep(tmp_path) == 0
    assert shared_memory.sweep(tmp_path) == len(leftovers)


def test_what_this_process_has_mapped_is_made_unreadable_for_others(leftovers, tmp_path):
    mine, other = leftovers[:2]
    for path in (mine, other):
        path.chmod(0o644)
    with mine.open("r+b") as file, mmap.mmap(file.fileno(), 0):
        shared_memory.make_private(tmp_path)
    assert mine.stat().st_mode & 0o777 == 0o600
    assert other.stat().st_mode & 0o777 == 0o644


@pytest.fixture
def small_memory(tmp_path: Path) -> Iterator[Path]:
    mount = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=4m", "tmpfs", tmp_path], capture_output=True)
    if mount.returncode:
        pytest.skip("mounting is not allowed here")
    yield tmp_path
    subprocess.run(["umount", tmp_path], check=True)


def test_a_small_shared_memory_is_refused_with_its_name_and_the_size_needed(small_memory):
    with pytest.raises(AgentError, match=f"{small_memory} has 4 MB free.*needs 32 MB.*remount") as refusal:
        shared_memory.require_space(small_memory)
    assert refusal.value.code is ErrorCode.STORAGE_FAILED


def test_enough_shared_memory_is_no_complaint(tmp_path):
    shared_memory.require_space(tmp_path, needed=1)
