"""Two folders that change places at once: whoever looks finds the one or the other, never neither."""

from __future__ import annotations

import ctypes
import os
from pathlib import Path

_HERE = -100
"""`AT_FDCWD`: paths are as everywhere else."""

_EXCHANGE = 2
"""`RENAME_EXCHANGE` of renameat2(2)."""


def exchange(one: Path, other: Path) -> None:
    """Gives each of two folders the other's name, on disk when it returns.

    Args:
        one: A folder.
        other: A folder of the same file system.

    Raises:
        OSError: The file system cannot do that, or one of them is missing; both are as they were.
    """
    library = ctypes.CDLL(None, use_errno=True)
    if library.renameat2(_HERE, os.fsencode(one), _HERE, os.fsencode(other), _EXCHANGE):
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code))
