"""Runs tests in a forked process, so that a mutant cannot affect the parent process."""

from __future__ import annotations

import os
import resource
import select
import signal
from collections.abc import Callable
from contextlib import suppress
from enum import StrEnum

LEAST_TIME = 90.0
"""Minimum time limit of a run, s of wall time. It is generous because the machine may be busy."""

LEAST_CPU_TIME = 20
"""Minimum CPU time limit of a run, s, which ends endless loops."""


class Outcome(StrEnum):
    """Result of running the tests on a mutant."""

    KILLED = "killed"
    """A test failed."""
    SURVIVED = "survived"
    """Every test passed."""
    TIMEOUT = "timeout"
    """The process exceeded a time limit or died."""


def run_forked(a_test_fails: Callable[[], bool], usual: float) -> Outcome:
    """Runs tests in a fork of this process.

    Discards the output of the tests, and kills the processes that they have started.

    Args:
        a_test_fails: Runs the tests and returns whether one fails.
        usual: Duration of the tests on the original source, s. Four times this duration is added to the minimum limits.
    """
    process = os.fork()
    if process == 0:
        _run_and_exit(a_test_fails, LEAST_CPU_TIME + int(4.0 * usual))
    descriptor = os.pidfd_open(process)
    try:
        in_time, _, _ = select.select([descriptor], [], [], LEAST_TIME + 4.0 * usual)
    finally:
        os.close(descriptor)
        with suppress(ProcessLookupError):
            os.killpg(process, signal.SIGKILL)
        _, status = os.waitpid(process, 0)
    if not in_time or not os.WIFEXITED(status) or os.WEXITSTATUS(status) > 1:
        return Outcome.TIMEOUT
    return Outcome.KILLED if os.WEXITSTATUS(status) == 1 else Outcome.SURVIVED


def _run_and_exit(a_test_fails: Callable[[], bool], cpu_time: int) -> None:
    """Runs the tests and ends this process. Skips the exit handlers, which belong to the parent process."""
    status = 2
    try:
        os.setpgid(0, 0)
        resource.setrlimit(resource.RLIMIT_CPU, (cpu_time, cpu_time))
        nowhere = os.open(os.devnull, os.O_RDWR)
        for descriptor in range(3):
            os.dup2(nowhere, descriptor)
        status = int(a_test_fails())
    finally:
        os._exit(status)
