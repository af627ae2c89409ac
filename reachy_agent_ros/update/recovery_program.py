"""Recovery program: a copy of this package in one file, which needs neither the checkout nor its environment.

A killed `git` leaves files from two versions, and a killed `pip` leaves half an environment. Neither can run
`reachy-agent`.
"""

from __future__ import annotations

import shlex
import sys
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from reachy_agent_ros.update.checkout import Checkout

_NAME = "update.pyz"
_MAIN = "from reachy_agent_ros.update.recovery import main\nmain()\n"
_PACKAGES = ("core", "update")


def write_recovery_program(folder: Path) -> None:
    """Writes the recovery program, which runs with any Python from version 3.11 on.

    Args:
        folder: Folder of the update.
    """
    package = Path(__file__).parents[1]
    draft = folder / f".{_NAME}.draft"
    with zipfile.ZipFile(draft, "w") as program:
        program.writestr("__main__.py", _MAIN)
        files = [package / "__init__.py", *(file for name in _PACKAGES for file in (package / name).glob("*.py"))]
        for file in files:
            program.write(file, Path(package.name) / file.relative_to(package))
    draft.replace(folder / _NAME)


def recovery_command(checkout: Checkout) -> str:
    """Returns the command line that undoes an update. The command does not use the checkout's environment."""
    python = Path(sys.executable).resolve()  # the system's, not the link in the environment
    return f"{shlex.quote(str(python))} {shlex.quote(str(checkout.folder / _NAME))} --rollback"
