"""Runs tests in a forked process, which a mutant may change, leak or break as it likes."""

from __future__ import annotations

import os
import resource
import select
import signal
from collections.abc import Callable
from contextlib import suppress
from enum import StrEnum

LEAST_TIME = 90.0
"""s of wall time that every run may take, because the machine may be busy with something else."""

LEAST_CPU_TIME = 20
"""s of processor time that every run may take; an endless loop uses it up."""


class Outcome(StrEnum):
    """Verdict of the tests on a mutant."""

    KILLED = "killed"
    """A test failed."""
    SURVIVED = "survived"
    """Every test passed."""
    TIMEOUT = "timeout"
    """The process took too long, or died."""


def run_forked(a_test_fails: Callable[[], bool], usual: float) -> Outcome:
    """Forks this process and runs tests there. Their output is lost, and every process that they start ends with them.

    Args:
        a_test_fails: Runs the tests.
        usual: Time in s that they take on the original source; they may take four times as long.
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
    """Never returns: the exit handlers belong to the parent process."""
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
