"""Execution of one job in the sandbox process.

Runs the tool, and collects its JSON result or its error, and its output.
"""

from __future__ import annotations

import io
import math
import sys
from importlib import import_module
from types import CoroutineType
from typing import Any

from . import reachy_agent
from .host import Link

_SOURCE_NAME = "tool.py"
"""File name of the source in tracebacks, unique inside the sandbox."""

_LONGEST_MESSAGE = 1000
"""Maximum number of characters in an error message."""

_LARGEST_LOG = 4096
"""Maximum number of characters of kept output: enough to debug a tool, too few to flood a model or a disk."""

_CUT = "\n... (output truncated)"

_DEEPEST = 24
"""Maximum nesting depth of lists and dicts, a few levels below that of the wire format."""

_ADVICE = {
    "set": "make it a sorted list",
    "frozenset": "make it a sorted list",
    "bytes": "decode it, or return its length",
    "datetime": "call isoformat()",
    "date": "call isoformat()",
    "timedelta": "call total_seconds()",
    "Decimal": "call float() or str()",
    "Fraction": "call float() or str()",
    "coroutine": "await it",
}


def execute(job: dict[str, Any], link: Link) -> dict[str, Any]:
    """Runs a job to its end.

    Args:
        job: `source`, `function` and `arguments`.
        link: Connection to the host.

    Returns:
        Last frame of the run: `result` or `failed`, and the `log`.
    """
    log = _Log()
    sys.stdout = sys.stderr = log
    import_module(f"{__package__}.clock").install(link)
    try:
        end = {"result": _result(job)}
    except BaseException as error:  # noqa: BLE001 - every exception of the tool is reported, including SystemExit
        end = {"failed": _failure(error)}
    return {**end, "log": log.text}


def _result(job: dict[str, Any]) -> Any:
    names = {"__name__": "tool", **{name: getattr(reachy_agent, name) for name in reachy_agent.__all__}}
    exec(compile(job["source"], _SOURCE_NAME, "exec", dont_inherit=True), names)  # noqa: S102 - inside the sandbox
    result: Any = names[job["function"]](**job["arguments"])
    if isinstance(result, CoroutineType):
        result = import_module("asyncio").run(result)
    if not isinstance(result, dict):
        raise TypeError(f"{job['function']} returned a {type(result).__name__}; a tool must return a dict")
    return plain(result)


def plain(value: Any, where: str = "result", left: int = _DEEPEST) -> Any:
    """Converts a value to a JSON value, which consists of None, booleans, numbers, strings, lists and dicts.

    Numpy scalars and arrays become numbers and lists; tuples become lists.

    Args:
        value: Value to convert.
        where: Name of the value in error messages.
        left: Remaining levels of nesting.

    Raises:
        TypeError: The value is or contains an unsupported type.
        ValueError: A number is not finite, a text contains a lone surrogate, or the nesting is too deep.
    """
    numpy = sys.modules.get("numpy")  # without this import, no value can be from numpy
    if numpy is not None and isinstance(value, (numpy.generic, numpy.ndarray)):
        value = value.tolist()  # a scalar becomes a Python number
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, int):
        return int(value)
    if isinstance(value, float):
        return _finite(float(value), where)
    if isinstance(value, str):
        return _whole(str(value), where)
    if left == 0:
        raise ValueError(f"{where} is nested more than {_DEEPEST} levels deep")
    if isinstance(value, (list, tuple)):
        return [plain(part, f"{where}[{index}]", left - 1) for index, part in enumerate(value)]
    if isinstance(value, dict):
        return {_key(key, where): plain(part, f"{where}[{key!r:.40}]", left - 1) for key, part in value.items()}
    kind = type(value).__name__
    advice = _ADVICE.get(kind, "return numbers, strings, lists and dicts")
    raise TypeError(f"{where} is a {kind}, which is not a JSON value: {advice}")


def _key(key: Any, where: str) -> str:
    if not isinstance(key, str):
        raise TypeError(f"{where} has the key {key!r:.40}: keys must be strings; use str(...)")
    return _whole(str(key), f"a key of {where}")


def _finite(number: float, where: str) -> float:
    if not math.isfinite(number):
        raise ValueError(f"{where} is {number}: numbers must be finite; return None instead")
    return number


def _whole(text: str, where: str) -> str:
    try:
        text.encode()
    except UnicodeEncodeError:
        raise ValueError(f"{where} contains half a character (a lone surrogate)") from None
    return text


def _failure(error: BaseException) -> dict[str, Any]:
    """Returns the reason why a tool failed, so that a model or a person can repair it.

    Contains the exception's type, its message, and the last line of the tool in its traceback (0 for none).
    """
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]  # the message of a group only gives the number of exceptions
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
    """Replacement for standard output and standard error. It keeps only the beginning of a tool's output."""

    def __init__(self) -> None:
        self._parts: list[str] = []
        self._left = _LARGEST_LOG
        self._cut = False

    @property
    def text(self) -> str:
        """Output up to now. Lone surrogates are replaced, because the wire format does not support them."""
        whole = "".join(self._parts) + (_CUT if self._cut else "")
        return whole.encode(errors="replace").decode()

    def writable(self) -> bool:
        """Returns True, because the stream accepts output."""
        return True

    def write(self, text: str, /) -> int:
        """Adds a text to the log, unless the log has reached its maximum length."""
        kept = text[: self._left]
        self._cut = self._cut or len(kept) < len(text)
        self._left -= len(kept)
        if kept:
            self._parts.append(kept)
        return len(text)
