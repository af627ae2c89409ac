"""Arrays of numbers in one file, as `numpy.savez` writes them."""

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
"""What NumPy and zip raise for a file whose bytes were changed, besides `ValueError`."""


def read_arrays(content: bytes) -> dict[str, NDArray[Any]]:
    """The arrays of a file, by name. Nothing in it can run.

    Args:
        content: Of the file.

    Raises:
        ValueError: It is no such file, it is damaged, or it holds something else than numbers.
    """
    try:
        with np.load(io.BytesIO(content), allow_pickle=False) as stored:
            return {name: stored[name] for name in stored.files}
    except _DAMAGE as error:
        raise ValueError(f"it holds no arrays: {error!s:.200}") from error
