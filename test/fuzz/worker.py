"""Worker process that fuzzes a target. After a crash, a new process continues with the next case."""

from __future__ import annotations

import os
import random
import resource
import tempfile
import traceback
from collections.abc import Callable
from multiprocessing.connection import Connection
from pathlib import Path

from fuzz.target import Target
from reachy_agent_ros.core.errors import AgentError

BEGUN, TAKEN, REFUSED, WRONG = "begun", "taken", "refused", "wrong"
"""Kinds of messages of a worker."""

Message = tuple[str, int, str, bytes]
"""Message of a worker: kind, number of the case, and for a failure the reason and the input."""

INPUT = "input"
"""File in the scratch folder with the input of the running case, in case the process crashes."""


def case_of(target: Target, seed: int, number: int) -> bytes:
    """Returns the input of a case."""
    return target.case(random.Random(f"{seed}/{number}"))


def attack(connection: Connection, make: Callable[[], Target], seed: int, first: int, last: int, scratch: str) -> None:
    """Runs the cases from `first` to `last` - 1 on a target, and reports each result.

    Args:
        connection: Connection to the watching process.
        make: Creates the target.
        seed: Seed of the cases.
        first: Number of the first case.
        last: Number after the last one.
        scratch: Folder for files, which the watching process deletes.
    """
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    tempfile.tempdir = scratch
    _be_silent()
    target = make()
    for number in range(first, last):
        data = case_of(target, seed, number)
        Path(scratch, INPUT).write_bytes(data)
        connection.send((BEGUN, number, "", b""))
        connection.send(_taken(target, data, number))


def _taken(target: Target, data: bytes, number: int) -> Message:
    try:
        target.take(data)
    except AgentError:
        return REFUSED, number, "", b""
    except Exception as error:  # noqa: BLE001 - every other error is what is looked for
        return WRONG, number, described(error), data
    return TAKEN, number, "", b""


def described(error: Exception) -> str:
    """Describes an error and its origin in one line."""
    where = traceback.extract_tb(error.__traceback__)[-1]
    return f"{type(error).__name__}: {str(error)[:300]!r} at {where.filename}:{where.lineno}"


def _be_silent() -> None:
    """Redirects the output of this process to /dev/null, because native libraries print errors."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for output in (1, 2):
        os.dup2(nowhere, output)
