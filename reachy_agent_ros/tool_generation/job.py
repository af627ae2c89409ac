"""One run of a tool: the capabilities it needs, what it may use, what goes into the box, and how it ended."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from reachy_agent_ros.core.errors import AgentError

MEBIBYTE = 1 << 20

LONGEST_TIME = 300.0
"""s that a tool may ask for."""

LARGEST_MEMORY = 1024 * MEBIBYTE
"""bytes that a tool may ask for."""

Answer = Callable[[str, Mapping[str, Any]], Any]
"""Answers a verb with its arguments by a JSON value; raises `AgentError`, which the tool gets as an exception."""


class Need(StrEnum):
    """A capability: what a tool may reach outside of its sandbox.

    The validator derives the needs of a tool from its source, a person reviews them, and the broker ends a run that
    asks for anything else.
    """

    BODY = "body"
    """To move the robot, and to read its pose."""
    EYES = "eyes"
    """To take pictures, and to ask what they show."""
    VOICE = "voice"
    """To speak aloud."""
    WEB = "web"
    """To fetch pages from the hosts that a person allowed."""


@dataclass(frozen=True)
class Limits:
    """Limits of one run. A tool that needs more than these says so in its source, up to the caps.

    Attributes:
        time: s from the job's arrival in the box to its result, sleep included.
        memory: bytes, beyond what the interpreter and its libraries take.
    """

    time: float = 10.0
    memory: int = 512 * MEBIBYTE

    def __post_init__(self) -> None:
        """Refuses what no tool may have."""
        if not 0.0 < self.time <= LONGEST_TIME:
            raise ValueError(f"a time limit is above 0 and at most {LONGEST_TIME:g} s, not {self.time} s")
        if not 0 < self.memory <= LARGEST_MEMORY:
            largest = LARGEST_MEMORY // MEBIBYTE
            raise ValueError(f"a memory limit is above 0 and at most {largest} MiB, not {self.memory / MEBIBYTE:g} MiB")


class Clock(StrEnum):
    """Which time passes in the sandbox, where the tool cannot tell: it asks the verb `sleep` either way."""

    REAL = "real"
    VIRTUAL = "virtual"
    """Sleeping takes no time, and the time that answers take does not count against the limit."""


@dataclass(frozen=True)
class Job:
    """What a box is to run, once.

    Attributes:
        source: Python that defines the function.
        function: Its name.
        arguments: Keyword arguments, JSON values.
        limits: What the run may use.
        clock: Which time passes.
    """

    source: str
    function: str
    arguments: Mapping[str, Any] = field(default_factory=dict)
    limits: Limits = field(default_factory=Limits)
    clock: Clock = Clock.REAL


@dataclass(frozen=True)
class RunEnd:
    """How a run ended, by what the host saw.

    Attributes:
        result: JSON value that came out of the box; code in the box chose it, so it proves nothing.
        error: Why there is no result: `TOOL_FAILED` with the exception and its line, `TIMEOUT`, `CANCELED`,
            `SANDBOX_UNAVAILABLE`; None where there is one.
        raised: Type of the exception that ended the tool, such as `ValueError`; empty where none did.
        log: What the tool printed, cut to a few kB.
        elapsed: s of the host's clock from dispatch to the end.
    """

    result: Any = None
    error: AgentError | None = None
    raised: str = ""
    log: str = ""
    elapsed: float = 0.0
