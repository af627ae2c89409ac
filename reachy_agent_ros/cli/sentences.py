"""The sentences that a person gives a command."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from reachy_agent_ros.core.errors import AgentError, ErrorCode

STANDARD_INPUT = Path("-")


def sentences(given: Sequence[str], file: Path | None) -> list[str]:
    """What is given, then every line of the file that is not empty.

    Args:
        given: On the command line.
        file: `STANDARD_INPUT` for that; None for no file.

    Raises:
        AgentError: `INVALID_ARGUMENTS`: the file cannot be read, or there is no sentence.
    """
    found = [*given, *(line.rstrip("\r") for line in _text(file).split("\n") if line.strip())]
    if not found:
        raise AgentError(ErrorCode.INVALID_ARGUMENTS, "Say a sentence, or name a file of them with --file.")
    return found


def _text(file: Path | None) -> str:
    if file is None:
        return ""
    try:
        return sys.stdin.read() if file == STANDARD_INPUT else file.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise AgentError(ErrorCode.INVALID_ARGUMENTS, f"{file} cannot be read: it is no UTF-8 text.") from None
    except OSError as error:
        raise AgentError(ErrorCode.INVALID_ARGUMENTS, f"{file} cannot be read: {error.strerror}.") from error
