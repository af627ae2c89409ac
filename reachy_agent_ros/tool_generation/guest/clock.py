"""Clock of a run, which the host controls. Therefore, the same code works in dry runs and live runs.

In a live run, time passes on its own. In a dry run, it advances only while the host works: a virtual minute
takes a moment and is reproducible. The process learns which kind of run it is when the tool first asks for the time.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any

from .host import Link

PATIENCE = 100
"""Number of consecutive clock readings after which a tool counts as busy-waiting, and virtual time advances."""

STEP = 0.01
"""Step by which virtual time then advances, s."""

_steady, _wall, _sleep = time.monotonic, time.time, time.sleep


class HostClock:
    """Gives code in the sandbox access to the clock of the host.

    Args:
        link: Connection to the host.
    """

    def __init__(self, link: Link) -> None:
        self._link = link
        self._asked = -1
        self._now = 0.0
        self._passes = False
        self._read = 0.0
        self._readings = 0
        self._epoch = 0.0

    def now(self) -> float:
        """Returns the time (s) since the start of the run."""
        self._require_reading()
        if self._passes:
            return self._now + _steady() - self._read
        self._readings += 1
        if self._readings > PATIENCE:
            self._ask(STEP)
        return self._now

    def wall(self) -> float:
        """Returns the time (s) since the epoch."""
        now = self.now()
        return self._epoch + now

    def passes(self) -> bool:
        """Returns whether time passes on its own, which is the case in a live run."""
        self._require_reading()
        return self._passes

    def sleep(self, seconds: float) -> None:
        """Sleeps for a time (s) on the clock of the host."""
        if seconds < 0.0:
            raise ValueError("sleep length must be non-negative")
        if self.passes():
            _sleep(seconds)
        else:
            self._ask(float(seconds))

    def _require_reading(self) -> None:
        """Requests the time from the host if it may have changed since the last response."""
        if self._asked < 0 or (self._link.calls != self._asked and not self._passes):
            self._ask(0.0)

    def _ask(self, seconds: float) -> None:
        self._now, self._passes = self._link.ask("sleep", seconds=seconds)
        if self._asked < 0:
            self._epoch = _wall() - self._now
        self._read = _steady()
        self._asked = self._link.calls
        self._readings = 0


def install(link: Link) -> None:
    """Makes all code in this process use the clock of the host instead of the clock of the machine."""
    clock = HostClock(link)
    for name, function in _time_functions(clock).items():
        setattr(time, name, function)
    changes: dict[str, Callable[[Any], None]] = {
        "datetime": lambda module: setattr(module, "datetime", _datetime(module, clock)),
        # Every event loop waits for its timers in a selector.
        "selectors": lambda module: setattr(module, "DefaultSelector", _selector(module, clock)),
    }
    later = {name: change for name, change in changes.items() if name not in sys.modules}
    for name in changes.keys() - later.keys():
        changes[name](sys.modules[name])
    sys.meta_path.insert(0, _Changes(later))


class _Changes:
    """Import hook that patches modules when a tool imports them.

    Loading these modules takes 4 ms, and most tools do not need them.

    Implements `MetaPathFinder` and `Loader` without inheriting from them, as in `stand_ins`.
    """

    def __init__(self, changes: Mapping[str, Callable[[Any], None]]) -> None:
        self._changes = dict(changes)

    def find_spec(self, name: str, path: Sequence[str] | None, target: ModuleType | None = None) -> ModuleSpec | None:
        """Implements `MetaPathFinder.find_spec`."""
        return ModuleSpec(name, self) if name in self._changes else None  # type: ignore[arg-type] # see above

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        """Imports the module in the usual way, and patches it."""
        change = self._changes.pop(spec.name)
        module = import_module(spec.name)
        change(module)
        return module

    def exec_module(self, module: ModuleType) -> None:
        """Does nothing, because `create_module` has already executed the module."""


def _time_functions(clock: HostClock) -> dict[str, Callable[..., Any]]:
    localtime, gmtime, ctime, asctime, strftime = time.localtime, time.gmtime, time.ctime, time.asctime, time.strftime
    return {
        "time": clock.wall,
        "time_ns": lambda: int(clock.wall() * 1e9),
        **dict.fromkeys(("monotonic", "perf_counter"), clock.now),
        **dict.fromkeys(("monotonic_ns", "perf_counter_ns"), lambda: int(clock.now() * 1e9)),
        "sleep": clock.sleep,
        "localtime": lambda moment=None: localtime(clock.wall() if moment is None else moment),
        "gmtime": lambda moment=None: gmtime(clock.wall() if moment is None else moment),
        "ctime": lambda moment=None: ctime(clock.wall() if moment is None else moment),
        "asctime": lambda parts=None: asctime(localtime(clock.wall()) if parts is None else parts),
        "strftime": lambda form, parts=None: strftime(form, localtime(clock.wall()) if parts is None else parts),
    }


def _datetime(module: Any, clock: HostClock) -> type[Any]:
    class HostDatetime(module.datetime):  # type: ignore[misc] # known only once it is imported
        """`datetime` class that uses the clock of the host."""

        @classmethod
        def now(cls, tz: Any = None) -> Any:
            return cls.fromtimestamp(clock.wall(), tz)

        @classmethod
        def today(cls) -> Any:
            return cls.now()

        @classmethod
        def utcnow(cls) -> Any:
            return cls.now(module.UTC).replace(tzinfo=None)

    HostDatetime.__name__ = HostDatetime.__qualname__ = "datetime"  # for error messages and representations
    HostDatetime.__module__ = "datetime"
    return HostDatetime


def _selector(module: Any, clock: HostClock) -> type[Any]:
    class HostSelector(module.DefaultSelector):  # type: ignore[misc] # known only once it is imported
        """Selector that measures its timeout with the clock of the host."""

        def select(self, timeout: float | None = None) -> Any:
            if timeout is None or timeout <= 0.0 or clock.passes():
                return super().select(timeout)
            ready = super().select(0.0)
            if not ready:
                clock.sleep(timeout)
            return ready

    return HostSelector
