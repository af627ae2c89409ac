"""Arrays in a single file, in the format of `numpy.savez`."""

from __future__ import annotations

import io
import struct
import zipfile
import zlib
from typing import Any

import numpy as np
from numpy.typing import NDArray

_DAMAGE = (
    *(zipfile.BadZipFile, zlib.error, struct.error, OSError, EOFError, LookupError, TypeError, AttributeError),
    *(SyntaxError, ArithmeticError, MemoryError, RuntimeError),
)
"""Exceptions other than `ValueError` that NumPy and zipfile raise for a file with changed bytes."""


def read_arrays(content: bytes) -> dict[str, NDArray[Any]]:
    """Reads the arrays of a file into a dictionary by name. Never runs code from the file.

    Args:
        content: Bytes of the file.

    Raises:
        ValueError: The file is damaged, has another format, or holds Python objects.
    """
    try:
        with np.load(io.BytesIO(content), allow_pickle=False) as stored:
            return {name: stored[name] for name in stored.files}
    except _DAMAGE as error:
        raise ValueError(f"it does not hold arrays: {error!s:.200}") from error
