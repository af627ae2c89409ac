"""Stand-ins for the modules `reachy_mini`, `requests` and others, which tools import by their usual names."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterable, Sequence
from importlib.machinery import ModuleSpec
from types import ModuleType

STAND_INS = ("reachy_agent", "reachy_mini", "reachy_mini.utils", "requests", "requests.exceptions")


class _StandIns:
    """Import hook that finds the stand-ins before other modules and loads them on import, because some need numpy.

    Does not inherit from `MetaPathFinder` and `Loader`: importing `importlib.abc` takes a quarter of the start-up time.
    """

    def find_spec(self, name: str, path: Sequence[str] | None, target: ModuleType | None = None) -> ModuleSpec | None:
        """Implements `MetaPathFinder.find_spec`."""
        return ModuleSpec(name, self) if name in STAND_INS else None  # type: ignore[arg-type] # see above

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        """Imports the stand-in, so that its real name and its usual name share one module."""
        return importlib.import_module(f"{__package__}.{spec.name}")

    def exec_module(self, module: ModuleType) -> None:
        """Does nothing, because `create_module` has already executed the module."""


def install() -> None:
    """Installs the stand-ins before all other modules."""
    sys.meta_path.insert(0, _StandIns())


def not_offered(owner: str, name: str, offered: Iterable[str]) -> AttributeError:
    """Returns the error for a name that the real library has but its stand-in lacks, with the available names."""
    return AttributeError(f"{owner}.{name} is not available in a tool; available: {', '.join(sorted(offered))}")


def public(owner: type) -> list[str]:
    """Returns the public names of a class."""
    return [name for name in dir(owner) if not name.startswith("_")]
