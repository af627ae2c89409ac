"""Durability of the feedback store: acknowledged feedback survives a process that is killed at any time."""

from __future__ import annotations

import os
import signal
import sys
import tempfile
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Engine, event

from reachy_agent_ros.learning.feedback.recorder import FeedbackRecorder
from reachy_agent_ros.learning.feedback.rows import row_of_judgment
from reachy_agent_ros.learning.feedback.store import FeedbackStore
from support.learning.feedback_cases import WordScorer, act, said

WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT
STATEMENTS = ("before_cursor_execute", "after_cursor_execute", "begin", "commit")


def die_at_touch(count: int) -> None:
    """Kills this process after `count` database accesses and file writes.

    The process dies before the next access or write.
    """
    left = [count]

    def touch(*_: Any, **__: Any) -> None:
        if left[0] == 0:
            os.kill(os.getpid(), signal.SIGKILL)
        left[0] -= 1

    def watch(name: str, arguments: tuple[Any, ...]) -> None:
        if name in ("os.rename", "os.remove", "os.truncate") or (name == "open" and arguments[2] & WRITES):
            touch()

    for name in STATEMENTS:
        event.listen(Engine, name, touch)
    for name in ("fsync", "pwrite", "ftruncate"):
        real = getattr(os, name)
        setattr(os, name, lambda *arguments, real=real: (touch(), real(*arguments))[1])
    sys.addaudithook(watch)


def killed(work: Callable[[], None]) -> tuple[bool, int]:
    """Runs `work` in a child process. Returns whether the process was killed, and the number of acknowledgments."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.dup2(writing, 1)
            work()
            os._exit(0)
        finally:
            os._exit(1)
    os.close(writing)
    said_so = b""
    while part := os.read(reading, 1000):
        said_so += part
    os.close(reading)
    _, status = os.waitpid(child, 0)
    assert os.WIFSIGNALED(status) or os.WEXITSTATUS(status) == 0
    return os.WIFSIGNALED(status), len(said_so)


def words(path: Path) -> list[str]:
    store = FeedbackStore(path)
    found = [row.values for row in store.rows() if row.table == "judgements"]
    rewarded = [row.values["feedback_id"] for row in store.rows() if row.table == "rewards"]
    store.close()
    # A judgment and its reward are stored together or not at all.
    assert sorted(rewarded) == sorted(values["feedback_id"] for values in found)
    return sorted(values["text"] for values in found)


def give_two(path: Path, touches: int) -> None:
    die_at_touch(touches)
    recorder = FeedbackRecorder(FeedbackStore(path), WordScorer())
    recorder.note_act(act(began=100.0, ended=101.0))
    for number in range(2):
        recorder.give(said(str(number), at=102.0))
        os.write(1, b".")


def give_while_it_is_away(path: Path, touches: int) -> None:
    recorder = FeedbackRecorder(FeedbackStore(path), WordScorer())
    recorder.note_act(act(began=100.0, ended=101.0))
    path.rename(path.with_name("away"))
    die_at_touch(touches)
    for number in range(2):
        recorder.give(said(str(number), at=102.0))
        os.write(1, b".")
    path.with_name("away").rename(path)
    recorder.give(said("2", at=102.0))
    os.write(1, b".")


@pytest.fixture
def folder() -> Iterator[Path]:
    """Folder in memory if possible, because it is faster than a disk. Its data also survives SIGKILL."""
    memory = Path("/dev/shm")
    with tempfile.TemporaryDirectory(dir=memory if os.access(memory, os.W_OK) else None) as name:
        yield Path(name)


@pytest.mark.nightly
@pytest.mark.parametrize("work", [give_two, give_while_it_is_away])
def test_acknowledged_feedback_is_stored_exactly_once_if_process_is_killed_at_any_write(
    work: Callable[[Path, int], None], folder: Path
) -> None:
    touches, done = 0, -1
    while True:
        path = folder / str(touches) / "feedback.db"
        died, acknowledged = killed(partial(work, path, touches))
        if path.with_name("away").exists():
            path.with_name("away").rename(path)
        kept = words(path)
        assert kept == [str(number) for number in range(len(kept))]
        assert acknowledged <= len(kept) <= acknowledged + 1
        done = max(done, acknowledged)
        if not died:
            break
        touches += 1
    assert done >= 2
    assert touches > 20


@pytest.mark.slow
def test_acknowledged_feedback_is_stored_if_process_is_killed_at_any_time(tmp_path: Path) -> None:
    path = tmp_path / "feedback.db"
    total = 0
    for round_ in range(5):
        reading, writing = os.pipe()
        child = os.fork()
        if child == 0:
            store = FeedbackStore(path)
            for number in range(10_000):
                store.add([row_of_judgment(said(f"{round_}/{number}"))])
                os.write(writing, b".")
            os._exit(0)
        os.close(writing)
        count = 0
        while count < 10 + round_:
            count += len(os.read(reading, 1))
        os.kill(child, signal.SIGKILL)
        while part := os.read(reading, 1000):
            count += len(part)
        os.close(reading)
        os.waitpid(child, 0)
        total += count
        store = FeedbackStore(path)
        stored = sum(row.table == "judgements" for row in store.rows())
        store.close()
        assert total <= stored <= total + round_ + 1
        total = stored
