"""Values that may be awaited or not: a tool's author rarely knows which functions of a robot are coroutines."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any, TypeVar

ValueT = TypeVar("ValueT")


class AwaitableText(str):
    """Text; `await` gives the same.

    Attributes:
        detected: Kinds of thing that were seen meanwhile, where it tells of a picture.
    """

    detected: list[str]

    def __await__(self) -> Generator[Any, None, AwaitableText]:
        """It is there already."""
        return _at_once(self)


class AwaitableDict(dict[str, Any]):
    """A dict; `await` gives the same."""

    def __await__(self) -> Generator[Any, None, AwaitableDict]:
        """It is there already."""
        return _at_once(self)


class AwaitableList(list[Any]):
    """A list; `await` gives the same."""

    def __await__(self) -> Generator[Any, None, AwaitableList]:
        """It is there already."""
        return _at_once(self)


def _at_once(value: ValueT) -> Generator[Any, None, ValueT]:
    yield from ()
    return value
