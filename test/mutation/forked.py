"""A question that is answered in a process of its own, which may change, leak or break whatever it likes."""

from __future__ import annotations

import os
import resource
import select
import signal
from collections.abc import Callable
from contextlib import suppress
from enum import StrEnum

LEAST_TIME = 90.0
"""s that every question may take; the machine may be busy with something else."""

LEAST_CPU_TIME = 20
"""s of a processor that every question may take: what runs in circles needs them."""


class Answer(StrEnum):
    """What came of it."""

    YES = "yes"
    NO = "no"
    NONE = "none"
    """The process took too long, or died."""


def ask(question: Callable[[], bool], usual: float) -> Answer:
    """Forks this process and asks there. Its output is lost, and what it started ends with it.

    Args:
        question: What to do.
        usual: s that it takes where nothing is wrong; four times as much may be taken.
    """
    process = os.fork()
    if process == 0:
        _answer(question, LEAST_CPU_TIME + int(4.0 * usual))
    descriptor = os.pidfd_open(process)
    try:
        in_time, _, _ = select.select([descriptor], [], [], LEAST_TIME + 4.0 * usual)
    finally:
        os.close(descriptor)
        with suppress(ProcessLookupError):
            os.killpg(process, signal.SIGKILL)
        _, status = os.waitpid(process, 0)
    if not in_time or not os.WIFEXITED(status) or os.WEXITSTATUS(status) > 1:
        return Answer.NONE
    return Answer.YES if os.WEXITSTATUS(status) == 1 else Answer.NO


def _answer(question: Callable[[], bool], cpu_time: int) -> None:
    """Never returns: what the forking process would do at its end is not for the forked one to do."""
    status = 2
    try:
        os.setpgid(0, 0)
        resource.setrlimit(resource.RLIMIT_CPU, (cpu_time, cpu_time))
        nowhere = os.open(os.devnull, os.O_RDWR)
        for descriptor in range(3):
            os.dup2(nowhere, descriptor)
        status = int(question())
    finally:
        os._exit(status)
