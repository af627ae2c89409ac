"""Failure reports, which describe the objects under test when a test or a wait fails.

A failed wait states only which condition did not become true. The reason is in the object under test: the error of a
call, the state of a node, the last lines of a log. Such objects register here; `report` collects their descriptions.
"""

from __future__ import annotations

import itertools
import textwrap
import threading
import time
import weakref
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Protocol

import pytest

TITLE = "The objects under test say:"

_LINES = 40
"""Number of log lines to show."""

_CALLS = 10
"""Number of calls to show. Equal calls, as in a test that polls, count as one."""

_ANSWER = ("error_code", "error_msg", "success", "message")
"""Fields of a response that indicate errors."""


class Describable(Protocol):
    """Protocol of objects that can describe their state."""

    def describe(self) -> str:
        """Returns the state of the object for a failure report."""


class Call:
    """Recorded call to another node.

    Args:
        name: Name of the service or action.
        request: Request or goal.
    """

    def __init__(self, name: str, request: Any) -> None:
        self._called = f"{name} {textwrap.shorten(str(request), 200)}"
        self._began = time.monotonic()
        self.outcome = ""

    def answered(self, answer: Any) -> Any:
        """Records and returns a response.

        The response has the fields `error_code` and `error_msg`, or `success` and `message`.
        """
        said = {name: getattr(answer, name) for name in _ANSWER if hasattr(answer, name)}
        self.outcome = f"answered {said or ''}".strip()
        return answer

    def describe(self) -> str:
        """Returns the call with its outcome, or with the time since it began."""
        return f"{self._called}: {self.outcome or f'still executing after {time.monotonic() - self._began:.1f} s'}"


_numbers = itertools.count()
_objects: weakref.WeakValueDictionary[int, Describable] = weakref.WeakValueDictionary()
_lock = threading.Lock()
_last_words: list[str] = []
_executing: list[Call] = []
_ended: dict[str, int] = {}


def register(thing: Describable) -> None:
    """Adds an object to failure reports until `unregister` is called or nothing refers to the object any more."""
    _objects[next(_numbers)] = thing


def unregister(thing: Describable, error: BaseException | None = None) -> None:
    """Removes an object from failure reports.

    After an error, the current description of the object is kept until the next test.
    """
    if isinstance(error, Exception | pytest.fail.Exception) and TITLE not in str(error):
        _last_words.append(_said_by(thing))
    for number in [number for number, other in _objects.items() if other is thing]:
        del _objects[number]


@contextmanager
def observed(name: str, request: Any) -> Iterator[Call]:
    """Records the call that is made in a `with` block. The outcome is kept until the next test."""
    call = Call(name, request)
    _executing.append(call)
    try:
        yield call
    except Exception as error:
        call.outcome = f"raised {error!r}"
        raise
    finally:
        _executing.remove(call)
        note_end(call.describe())


def note_end(call: str) -> None:
    """Records the description of a completed call until the next test."""
    with _lock:
        _ended[call] = _ended.pop(call, 0) + 1  # moves the entry to the end
        if len(_ended) > _CALLS:
            del _ended[next(iter(_ended))]


def begin() -> None:
    """Clears the records of earlier tests."""
    _last_words.clear()
    _ended.clear()


def report() -> str:
    """Returns the descriptions of all registered objects and the last calls, or an empty text if there are none."""
    said = [*_last_words, *map(_said_by, list(_objects.values()))]
    said += [f"{call} ({count} times)" if count > 1 else call for call, count in list(_ended.items())]
    said += [call.describe() for call in list(_executing)]
    return "\n".join([TITLE, *(f"- {text.strip()}" for text in said)]) if said else ""


def last_lines(log: Path) -> str:
    """Returns the last lines of a log file, indented."""
    lines = log.read_text(errors="replace").splitlines()[-_LINES:] if log.exists() else []
    return f"Last lines of {log}:" + ("".join(f"\n    {line}" for line in lines) or " none")


def _said_by(thing: Describable) -> str:
    try:
        return thing.describe()
    except Exception as error:  # noqa: BLE001 - must not hide the failure that is being reported
        return f"{thing!r} cannot describe itself: {error!r}"
