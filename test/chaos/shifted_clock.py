"""Adjustable wall clock for selected processes. A test can set the clock while the processes run."""

from __future__ import annotations

import shutil
import struct
import subprocess
from collections.abc import Mapping
from pathlib import Path

SOURCE = Path(__file__).with_suffix(".c")


class ShiftedClock:
    """Adjustable wall clock, implemented as a preloaded library that the constructor compiles.

    Args:
        folder: Folder for the library and the file with the offset.

    Attributes:
        environment: Environment variables of the processes that use this clock; empty without a C compiler.
    """

    def __init__(self, folder: Path) -> None:
        self.environment: Mapping[str, str] = {}
        self._file, library = folder / "shift", folder / "shifted_clock.so"
        self._file.write_bytes(bytes(8))
        compiler = shutil.which("cc") or shutil.which("gcc")
        if compiler is not None:
            command = [compiler, "-shared", "-fPIC", "-O2", "-o", str(library), str(SOURCE), "-ldl"]
            subprocess.run(command, check=True)
            self.environment = {"LD_PRELOAD": str(library), "SHIFTED_CLOCK_FILE": str(self._file)}

    def shift(self, seconds: int) -> None:
        """Sets the offset of the clock from the true time, in seconds, for all processes that use the clock."""
        with self._file.open("r+b") as file:  # overwritten in place, because the processes map this file
            file.write(struct.pack("q", seconds))
