"""Reads sources of strangers: a million-deep expression kills a process that is there for it, and not this one."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Collection
from pathlib import Path
from typing import Any, BinaryIO, cast

import reachy_agent_ros
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.toolsmith.inside.wire import (
    LARGEST_FROM_BOX,
    LARGEST_FROM_HOST,
    WireError,
    read_frame,
    write_frame,
)
from reachy_agent_ros.toolsmith.program import Program
from reachy_agent_ros.toolsmith.validation.examination import too_complex
from reachy_agent_ros.toolsmith.validation.rejection import Complaint, Rejection
from reachy_agent_ros.toolsmith.validation.text_gate import read_text
from reachy_agent_ros.toolsmith.validation.validator import program_of
from reachy_agent_ros.toolsmith.verdict import Stage

TIMEOUT = 10.0
"""s for a source; it takes a twentieth of a second where the machine is not busy."""

_PROGRAM = """
import sys
sys.path.append(sys.argv[1])
from reachy_agent_ros.toolsmith.validation.reading_process import main
main()
"""


def read_program(data: bytes, taken: Collection[str] = ()) -> Program:
    """Checks a source, text gate and validator, and gives the program that it is.

    Every call starts a process: kept ones would save little and could be poisoned by what they read.

    Args:
        data: The source, as it came.
        taken: Names that the tool may not have, nor imitate.

    Raises:
        Rejection: With every complaint there is, or that the source is too complex.
        AgentError: `SANDBOX_UNAVAILABLE`: no process can be started.
    """
    text = read_text(data)
    answer = _ask({"source": text, "taken": sorted(taken)})
    if answer is None:
        raise too_complex()
    try:
        return _understood(text, answer)
    except (KeyError, TypeError, ValueError):
        raise too_complex() from None  # the process was taken over by what it read, and says nonsense


def _understood(text: str, answer: dict[str, Any]) -> Program:
    if "complaints" in answer:
        complaints = [Complaint(int(line), str(message)) for line, message in answer["complaints"]]
        raise Rejection(Stage.SYNTAX, complaints)
    return program_of(text, answer["outline"])


def _ask(request: dict[str, Any]) -> dict[str, Any] | None:
    """The answer of a new reading process; None where it died or took too long."""
    process = _start()
    timer = threading.Timer(TIMEOUT, process.kill)
    timer.start()
    try:
        with process:
            write_frame(cast(BinaryIO, process.stdin), request, LARGEST_FROM_HOST)
            return read_frame(cast(BinaryIO, process.stdout), LARGEST_FROM_BOX)
    except (OSError, WireError):
        return None
    finally:
        timer.cancel()


def _start() -> subprocess.Popen[bytes]:
    """Isolated and without site packages, which take most of the time that Python needs to start."""
    root = str(Path(reachy_agent_ros.__file__).parents[1])
    command = [sys.executable, "-I", "-S", "-c", _PROGRAM, root]
    environment = {name: value for name, value in os.environ.items() if name == "LD_LIBRARY_PATH"}  # and no secrets
    try:
        return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment)
    except OSError as error:
        message = f"The process that reads sources cannot be started: {error.strerror}."
        raise AgentError(ErrorCode.SANDBOX_UNAVAILABLE, message) from None
