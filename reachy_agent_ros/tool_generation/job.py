"""Job: one run of a tool, with the required capabilities, the limits, and the outcome."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from reachy_agent_ros.core.errors import AgentError

MEBIBYTE = 1 << 20

LONGEST_TIME = 300.0
"""Maximum time limit of a tool, s."""

LARGEST_MEMORY = 1024 * MEBIBYTE
"""Maximum memory limit of a tool, bytes."""

Answer = Callable[[str, Mapping[str, Any]], Any]
"""Handler that responds to a verb and its arguments with a JSON value. May raise `AgentError`."""


class Need(StrEnum):
    """Capability of a tool: a resource outside the sandbox that the tool may use.

    The validator derives the needs of a tool from its source, a person reviews them, and the broker ends a run that
    requests any other capability.
    """

    BODY = "body"
    """Move the robot and read its pose."""
    EYES = "eyes"
    """Take pictures and ask what they show."""
    VOICE = "voice"
    """Speak."""
    WEB = "web"
    """Fetch pages from allowed hosts."""


@dataclass(frozen=True)
class Limits:
    """Limits of one run. A tool can set other limits in its source, up to a maximum.

    Attributes:
        time: Time from the arrival of the job to its result, including sleep, s. All threads together get as much
            processor time, and a few seconds for the start of the process.
        memory: Memory in addition to the interpreter and its libraries, bytes.
    """

    time: float = 10.0
    memory: int = 512 * MEBIBYTE

    def __post_init__(self) -> None:
        """Raises `ValueError` if a limit is not above 0, or too high."""
        if not 0.0 < self.time <= LONGEST_TIME:
            raise ValueError(f"a time limit must be above 0 and at most {LONGEST_TIME:g} s, not {self.time} s")
        if not 0 < self.memory <= LARGEST_MEMORY:
            largest = LARGEST_MEMORY // MEBIBYTE
            raise ValueError(
                f"a memory limit must be above 0 and at most {largest} MiB, not {self.memory / MEBIBYTE:g} MiB"
            )


class Clock(StrEnum):
    """Kind of time in a run. The source of a tool is the same for both kinds, which use the verb `sleep`."""

    REAL = "real"
    VIRTUAL = "virtual"
    """Sleeping takes no real time, and waiting for responses does not count against the limit, up to `LONGEST_TIME`."""


@dataclass(frozen=True)
class Job:
    """Specification of a single run of a tool.

    Attributes:
        source: Python source that defines the function.
        function: Name of the function.
        arguments: Keyword arguments, JSON values.
        limits: Limits of the run.
        clock: Kind of time in the run.
    """

    source: str
    function: str
    arguments: Mapping[str, Any] = field(default_factory=dict)
    limits: Limits = field(default_factory=Limits)
    clock: Clock = Clock.REAL


@dataclass(frozen=True)
class RunEnd:
    """Outcome of a run from the point of view of the host.

    Attributes:
        result: JSON value from the sandbox. Code in the sandbox chose the value, so it proves nothing.
        error: Reason why there is no result: `TOOL_FAILED` with the exception and its line, `TIMEOUT`, `CANCELED`,
            `INVALID_ARGUMENTS`, `SANDBOX_UNAVAILABLE`, `SHUTTING_DOWN`; None if there is a result.
        raised: Type of the exception that ended the tool, such as `ValueError`; empty without an exception.
        log: Output of the tool, cut to a few kB.
        elapsed: Duration from dispatch to the end on the host's clock, s.
    """

    result: Any = None
    error: AgentError | None = None
    raised: str = ""
    log: str = ""
    elapsed: float = 0.0
