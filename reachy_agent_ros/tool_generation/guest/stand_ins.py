"""Stand-ins for the modules `reachy_mini`, `requests` and others. Tools import them by their usual names."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterable, Sequence
from importlib.machinery import ModuleSpec
from types import ModuleType

STAND_INS = ("reachy_agent", "reachy_mini", "reachy_mini.utils", "requests", "requests.exceptions")


class _StandIns:
    """Import hook that provides the stand-ins. It has priority over other modules.

    Stand-ins are loaded when a tool imports them, because some of them need numpy.

    Does not inherit from `MetaPathFinder` and `Loader`: importing `importlib.abc` takes a quarter of the start-up time.
    """

    def find_spec(self, name: str, path: Sequence[str] | None, target: ModuleType | None = None) -> ModuleSpec | None:
        """Implements `MetaPathFinder.find_spec`."""
        return ModuleSpec(name, self) if name in STAND_INS else None  # type: ignore[arg-type] # see above

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        """Imports the stand-in as one module that has both its real name and its usual name."""
        return importlib.import_module(f"{__package__}.{spec.name}")

    def exec_module(self, module: ModuleType) -> None:
        """Does nothing, because `create_module` has already executed the module."""


def install() -> None:
    """Installs the import hook of the stand-ins in front of all other import hooks."""
    sys.meta_path.insert(0, _StandIns())


def not_offered(owner: str, name: str, offered: Iterable[str]) -> AttributeError:
    """Returns the error for a name that the stand-in does not have, such as another name of the real library.

    The message lists the available names.
    """
    return AttributeError(f"{owner}.{name} is not available in a tool; available: {', '.join(sorted(offered))}")


def public(owner: type) -> list[str]:
    """Returns the public names of a class."""
    return [name for name in dir(owner) if not name.startswith("_")]
