"""Why a tool has no result, as one can repair it from."""

from __future__ import annotations

from typing import Any

SOURCE_NAME = "tool.py"
"""What the tool's source is called in tracebacks; nothing else in the box is."""

LONGEST = 1000
"""Characters of a message."""


def failure(error: BaseException) -> dict[str, Any]:
    """The exception's type, its message, and the last line of the tool that it came through; 0 for none."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]  # of tasks that failed together, one tells more than their number
    return {"type": type(error).__name__, "message": _message(error), "line": _line(error)}


def _message(error: BaseException) -> str:
    text = error.msg if isinstance(error, SyntaxError) else str(error)
    return text[:LONGEST].encode(errors="replace").decode()


def _line(error: BaseException) -> int:
    if isinstance(error, SyntaxError) and error.filename == SOURCE_NAME:
        return error.lineno or 0
    line, step = 0, error.__traceback__
    while step is not None:
        if step.tb_frame.f_code.co_filename == SOURCE_NAME:
            line = step.tb_lineno
        step = step.tb_next
    return line
