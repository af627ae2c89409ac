"""Undo after SIGKILL: the journal agrees with notes and lists that a killed process was writing."""

import asyncio
import itertools
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from support.agent.undoable_robot import UndoableAgent, UndoableRobot
from support.waiting import wait_until

TESTS = Path(__file__).parents[2]


def write_forever(directory: Path) -> None:
    agent = UndoableAgent(directory, UndoableRobot())
    for number in itertools.count(1):
        asyncio.run(agent.call("write_note", name="diary", text=f"line {number}"))


def lines(path: Path) -> list[str]:
    return [line for line in path.read_text().splitlines() if line] if path.exists() else []


@pytest.mark.slow
@pytest.mark.parametrize("written", [1, 3, 6])
def test_undo_after_sigkill_takes_off_last_line_or_nothing(tmp_path: Path, written: int) -> None:
    note = tmp_path / "notes" / "diary.md"
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(TESTS), str(TESTS.parent)])}
    with subprocess.Popen([sys.executable, __file__, str(tmp_path)], env=environment) as process:
        wait_until(lambda: len(lines(note)) >= written, "the process to write", timeout=60.0)
        process.send_signal(signal.SIGKILL)
    left = lines(note)
    agent = UndoableAgent(tmp_path, UndoableRobot())
    asyncio.run(agent.undone())
    assert lines(note) in (left[:-1], left)  # all, if it was killed before the act that it had written to the journal
    asyncio.run(agent.undone())
    assert lines(note) in (left[:-2], left[:-1])
    assert left == [f"line {number}" for number in range(1, len(left) + 1)]


if __name__ == "__main__":
    write_forever(Path(sys.argv[1]))
