"""Stand-ins for the modules of the robot and the web that a tool imports by their usual names."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterable, Sequence
from importlib.machinery import ModuleSpec
from types import ModuleType

STAND_INS = ("reachy_agent", "reachy_mini", "reachy_mini.utils", "requests", "requests.exceptions")


class _StandIns:
    """Finds the stand-ins before all other modules, and loads them on import, because some need numpy.

    It does not inherit from `MetaPathFinder` and `Loader`: importing `importlib.abc` takes a quarter of a box's start.
    """

    def find_spec(self, name: str, path: Sequence[str] | None, target: ModuleType | None = None) -> ModuleSpec | None:
        """See `MetaPathFinder`."""
        return ModuleSpec(name, self) if name in STAND_INS else None  # type: ignore[arg-type] # see above

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        """The module itself, so that it exists once, under both names."""
        return importlib.import_module(f"{__package__}.{spec.name}")

    def exec_module(self, module: ModuleType) -> None:
        """Does nothing, because the module has been executed."""


def install() -> None:
    """Puts the stand-ins before all other modules."""
    sys.meta_path.insert(0, _StandIns())


def not_offered(owner: str, name: str, offered: Iterable[str]) -> AttributeError:
    """The error for a name that a library has and its stand-in has not; it says which names there are."""
    return AttributeError(f"{owner}.{name} is not offered in a tool; offered are: {', '.join(sorted(offered))}")


def public(owner: type) -> list[str]:
    """The public names of a class."""
    return [name for name in dir(owner) if not name.startswith("_")]
