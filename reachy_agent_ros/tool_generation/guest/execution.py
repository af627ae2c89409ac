"""Runs one job in this process, which ends afterwards. Returns its result or error, and what it printed."""

from __future__ import annotations

import io
import sys
from importlib import import_module
from types import CoroutineType
from typing import Any

from . import reachy_agent
from .host import Link
from .plain import plain

_SOURCE_NAME = "tool.py"
"""What the tool's source is called in tracebacks; nothing else in the box is."""

_LONGEST_MESSAGE = 1000
"""Characters of a message."""

_LARGEST_LOG = 4096
"""Characters that are kept: enough to see what a tool did, too few to drown a model or a disk."""

_CUT = "\n... (more was printed than is kept)"


def execute(job: dict[str, Any], link: Link) -> dict[str, Any]:
    """Runs a job to its end.

    Args:
        job: `source`, `function` and `arguments`.
        link: To the host.

    Returns:
        The last frame: `result` or `failed`, and the `log`.
    """
    log = _Log()
    sys.stdout = sys.stderr = log
    import_module(f"{__package__}.clock").install(link)
    try:
        end = {"result": _result(job)}
    except BaseException as error:  # noqa: BLE001 - whatever it is, SystemExit too, it is the tool's and is told
        end = {"failed": _failure(error)}
    return {**end, "log": log.text}


def _result(job: dict[str, Any]) -> Any:
    names = {"__name__": "tool", **{name: getattr(reachy_agent, name) for name in reachy_agent.__all__}}
    exec(compile(job["source"], _SOURCE_NAME, "exec", dont_inherit=True), names)  # noqa: S102 - this is the box
    result: Any = names[job["function"]](**job["arguments"])
    if isinstance(result, CoroutineType):
        result = import_module("asyncio").run(result)
    if not isinstance(result, dict):
        raise TypeError(f"{job['function']} returned a {type(result).__name__}: a tool returns a dict")
    return plain(result)


def _failure(error: BaseException) -> dict[str, Any]:
    """Why a tool has no result, as one can repair it from.

    The exception's type, its message, and the last line of the tool that it came through; 0 for none.
    """
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]  # of tasks that failed together, one tells more than their number
    return {"type": type(error).__name__, "message": _message(error), "line": _line(error)}


def _message(error: BaseException) -> str:
    text = error.msg if isinstance(error, SyntaxError) else str(error)
    return text[:_LONGEST_MESSAGE].encode(errors="replace").decode()


def _line(error: BaseException) -> int:
    if isinstance(error, SyntaxError) and error.filename == _SOURCE_NAME:
        return error.lineno or 0
    line, step = 0, error.__traceback__
    while step is not None:
        if step.tb_frame.f_code.co_filename == _SOURCE_NAME:
            line = step.tb_lineno
        step = step.tb_next
    return line


class _Log(io.TextIOBase):
    """What a tool prints: takes the place of standard output and error, and keeps the beginning."""

    def __init__(self) -> None:
        self._parts: list[str] = []
        self._left = _LARGEST_LOG
        self._cut = False

    @property
    def text(self) -> str:
        """What was printed, half characters replaced, because the wire carries none."""
        whole = "".join(self._parts) + (_CUT if self._cut else "")
        return whole.encode(errors="replace").decode()

    def writable(self) -> bool:
        """It is."""
        return True

    def write(self, text: str, /) -> int:
        """Keeps as much as still fits."""
        kept = text[: self._left]
        self._cut = self._cut or len(kept) < len(text)
        self._left -= len(kept)
        if kept:
            self._parts.append(kept)
        return len(text)
