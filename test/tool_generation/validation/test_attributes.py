"""Allowed attributes, which must not give a tool access to a module, frame, code object, traceback or file."""

from __future__ import annotations

import asyncio
import builtins
import contextlib
import csv
import dataclasses
import decimal
import enum
import functools
import hashlib
import inspect
import io
import re
import types
from collections import deque
from collections.abc import AsyncIterator, Callable, Iterator
from importlib import import_module
from typing import Any, NamedTuple, TypedDict

import cv2
import numpy as np
import pytest
from PIL import Image, ImageDraw, ImageFont

from reachy_agent_ros.tool_generation.validation.attributes import is_hazard
from reachy_agent_ros.tool_generation.validation.imports import MODULES, ROBOT, is_module
from reachy_agent_ros.tool_generation.validation.names import BUILTINS

WAYS_OUT = (types.ModuleType, types.FrameType, types.CodeType, types.TracebackType, io.IOBase)
IN_MEMORY = (io.BytesIO, io.StringIO)
DEPTH = 3
ARGUMENTS: tuple[tuple[Any, ...], ...] = ((), (1,), ("a",), (b"a",), ([1, 2, 3],), ("a", "b"), (1, 2), (1, 2, 3))
"""Constructor arguments for an instance of each class."""

UNCALLED = frozenset(
    ("close", "fit", "help", "input", "read", "recv", "run_forever", "sendto", "shutdown_default_executor", "stop")
)
"""Methods that the search must not call, because they would block or end the process."""


def _raised(action: Callable[[], object]) -> BaseException:
    with pytest.raises(Exception) as caught:  # noqa: PT011 - any exception is a starting point of the search
        action()
    return caught.value


def _roots() -> Iterator[tuple[str, Any]]:
    """Yields every object that a tool can name, an instance of each class, and objects that a tool can create."""
    for module in MODULES.keys() - ROBOT.keys():
        for name in MODULES[module]:
            if not is_module(f"{module}.{name}"):
                yield from _with_instance(f"{module}.{name}", getattr(import_module(module), name))
    for name in BUILTINS:
        yield from _with_instance(name, getattr(builtins, name))
    yield "AttributeError of a module", _raised(lambda: cv2.no_such_name)
    yield "ImportError", _raised(lambda: import_module("no_such_module"))
    yield "UnicodeDecodeError", _raised(lambda: b"\xff".decode())
    yield "cv2.error", _raised(lambda: cv2.resize(None, (0, 0)))
    yield "array", np.zeros((2, 2))
    yield "random generator", np.random.default_rng()
    yield "function", _own_function
    yield "generator", (number for number in (1, 2))
    yield "partial", functools.partial(_own_function)
    yield "cached function", functools.lru_cache(_own_function)
    yield "match", re.match("a", "a")
    yield "csv reader", csv.reader(["a"])
    yield "csv writer", csv.writer(io.StringIO())
    yield "hash", hashlib.sha256()
    yield "decimal context", decimal.getcontext()
    yield from _pictures()
    yield from _classes()


def _with_instance(path: str, value: Any) -> Iterator[tuple[str, Any]]:
    yield path, value
    if isinstance(value, type):
        for arguments in ARGUMENTS:
            with contextlib.suppress(
                Exception
            ):  # the constructor may need other arguments, and may raise any exception
                instance = value(*arguments)
                yield f"{path}{arguments}", instance
                return


@dataclasses.dataclass
class _Own:
    """Example of a class that a tool may define."""

    number: int = 1
    numbers: list[int] = dataclasses.field(default_factory=list)

    @property
    def twice(self) -> int:
        return 2 * self.number


class _Color(enum.Enum):
    RED = "red"


class _Point(NamedTuple):
    x: int = 0


class _Record(TypedDict):
    x: int


@contextlib.contextmanager
def _own_context() -> Iterator[int]:
    yield 1


def _classes() -> Iterator[tuple[str, Any]]:
    """Yields classes that a tool can define, their instances, and library objects that describe the classes."""
    for made in (_Own, _Color, _Point, _Record):
        yield made.__name__, made
    yield "dataclass instance", _Own()
    yield "dataclass field", dataclasses.field(default=1)
    yield "frozen dataclass", _raised(lambda: setattr(dataclasses.dataclass(frozen=True)(_Other)(), "x", 1))
    yield "dataclass as dictionary", dataclasses.asdict(_Own())
    yield "copy of dataclass", dataclasses.replace(_Own(), number=2)
    yield "property", _Own.twice
    yield "method", _Own().twice
    yield "member", _Color.RED
    yield "no member", _raised(lambda: _Color("blue"))
    yield "named tuple", _Point()
    yield "context manager", _own_context()
    yield "class method", classmethod(_own_function)
    yield "static method", staticmethod(_own_function)


class _Other:
    x: int = 0


def _own_function() -> None:
    """Example of a function that a tool may define."""


def _pictures() -> Iterator[tuple[str, Any]]:
    picture, file = Image.new("RGB", (4, 4)), io.BytesIO()
    picture.save(file, "PNG")
    yield "picture", picture
    yield "picture of a file", Image.open(file)
    yield "drawing", ImageDraw.Draw(picture)
    yield "font", ImageFont.load_default()


async def _asynchronous() -> list[tuple[str, Any]]:
    async def numbers() -> AsyncIterator[int]:
        yield 1

    loop = asyncio.get_running_loop()
    task = asyncio.current_task()
    gathered = asyncio.gather(asyncio.sleep(0.0))
    await gathered
    return [("loop", loop), ("task", task), ("future", gathered), ("asynchronous generator", numbers())]


def _neighbors(path: str, value: Any, depth: int) -> Iterator[tuple[str, Any]]:
    """Yields the values of the allowed attributes of an object, and the results of its methods.

    Only methods that can be called without arguments are called.
    """
    for name in dir(value):
        if is_hazard(name):
            continue
        try:
            neighbor = getattr(value, name)
        except Exception as error:  # noqa: BLE001 - the exception is a starting point of the search, too
            yield f"{path}.{name} raised", error
            continue
        yield f"{path}.{name}", neighbor
        if depth == 0 and _is_callable_method(value, name, neighbor):
            try:
                result = neighbor()
            except (Exception, asyncio.CancelledError) as error:  # noqa: BLE001
                yield f"{path}.{name}() raised", error
                continue
            if inspect.iscoroutine(result):
                result.close()
            yield f"{path}.{name}()", result


def _is_callable_method(value: Any, name: str, neighbor: Any) -> bool:
    """Returns whether a method is safe to call without arguments. Empty OpenCV objects would end the process."""
    of_opencv = type(value).__module__.startswith("cv2")
    return callable(neighbor) and not isinstance(neighbor, type) and name not in UNCALLED and not of_opencv


def _ways_out(roots: list[tuple[str, Any]]) -> list[str]:
    seen: dict[int, Any] = {}
    found = []
    queue = deque((path, value, 0) for path, value in roots)
    while queue:
        path, value, depth = queue.popleft()
        if id(value) in seen:
            continue
        seen[id(value)] = value
        if isinstance(value, WAYS_OUT) and not isinstance(value, IN_MEMORY):
            found.append(path)
        elif depth < DEPTH:
            queue.extend((name, one, depth + 1) for name, one in _neighbors(path, value, depth))
    assert len(seen) > 5000
    return found


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_no_allowed_attribute_gives_access_outside_sandbox() -> None:
    roots = list(_roots())
    loop = asyncio.new_event_loop()
    roots += loop.run_until_complete(_asynchronous())
    try:
        assert _ways_out(roots) == []
    finally:
        loop.close()
