"""What options and arguments take: numbers, times and sentences, with an error for anything else."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from reachy_agent_ros.core.deadline import duration
from reachy_agent_ros.core.errors import AgentError, ErrorCode

LARGEST_INTEGER = 2**31 - 1
"""That a message's field holds."""


def whole(low: int, high: int = LARGEST_INTEGER) -> Callable[[str], int]:
    """Reads whole numbers within bounds.

    Args:
        low: Least that is taken.
        high: Greatest that is taken.
    """

    def read(text: str) -> int:
        try:
            number = int(text)
        except ValueError:
            number = low - 1
        if not low <= number <= high:
            raise argparse.ArgumentTypeError(f"{text!r:.40} is no whole number {_bounds(low, high)}")
        return number

    return read


def decimal(low: float, high: float) -> Callable[[str], float]:
    """Reads numbers within bounds, both included; never NaN."""

    def read(text: str) -> float:
        try:
            number = float(text)
        except ValueError:
            number = float("nan")
        if not low <= number <= high:
            raise argparse.ArgumentTypeError(f"{text!r:.40} is no number from {low:g} to {high:g}")
        return number

    return read


def span(text: str) -> float:
    """Reads a time such as 90s, 10m, 2h or 7d, in s."""
    try:
        return duration(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def _bounds(low: int, high: int) -> str:
    return f"of at least {low}" if high == LARGEST_INTEGER else f"from {low} to {high}"


STANDARD_INPUT = Path("-")


def sentences(given: Sequence[str], file: Path | None) -> list[str]:
    """What is given, then every line of the file that is not empty.

    Args:
        given: On the command line.
        file: `STANDARD_INPUT` for that; None for no file.

    Raises:
        AgentError: `INVALID_ARGUMENTS`: the file cannot be read, or there is no sentence.
    """
    found = [*given, *(line.rstrip("\r") for line in _text_of(file).split("\n") if line.strip())]
    if not found:
        raise AgentError(ErrorCode.INVALID_ARGUMENTS, "Say a sentence, or name a file of them with --file.")
    return found


def _text_of(file: Path | None) -> str:
    if file is None:
        return ""
    try:
        return sys.stdin.read() if file == STANDARD_INPUT else file.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise AgentError(ErrorCode.INVALID_ARGUMENTS, f"{file} cannot be read: it is no UTF-8 text.") from None
    except OSError as error:
        raise AgentError(ErrorCode.INVALID_ARGUMENTS, f"{file} cannot be read: {error.strerror}.") from error
