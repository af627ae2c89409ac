from __future__ import annotations

import os
import signal

from mutation.forked import Outcome, run_forked


def test_forked_run_reports_outcome_without_changing_parent_process() -> None:
    changed: list[int] = []
    assert run_forked(lambda: not changed.append(1), 0.0) is Outcome.KILLED
    assert run_forked(lambda: bool(changed), 0.0) is Outcome.SURVIVED


def test_forked_run_reports_killed_process_as_timeout() -> None:
    assert run_forked(lambda: bool(os.kill(os.getpid(), signal.SIGKILL)), 0.0) is Outcome.TIMEOUT
    assert run_forked(lambda: bool(1 // 0), 0.0) is Outcome.TIMEOUT


def test_forked_run_ends_its_child_processes() -> None:
    reader, writer = os.pipe()

    def start() -> bool:
        if os.fork() == 0:
            signal.pause()
        return True

    assert run_forked(start, 0.0) is Outcome.KILLED
    os.close(writer)
    assert os.read(reader, 1) == b""  # end of file: no process has the write end open
    os.close(reader)
