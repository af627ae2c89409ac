"""What was learned, in a file that comes with the package."""

from __future__ import annotations

from dataclasses import dataclass, fields
from pathlib import Path
from typing import ClassVar, Self

import numpy as np


@dataclass(frozen=True)
class LearnedArrays:
    """Arrays by name, which are the fields of those who inherit from it.

    Attributes:
        IN_FULL: Names of those that are written as they are. The others, which are large, are written in half
            precision: what is learned of utterances is not as exact as that.
    """

    IN_FULL: ClassVar[frozenset[str]]

    @classmethod
    def load(cls, path: Path) -> Self:
        """Reads what `save` wrote.

        Raises:
            OSError: It cannot be read.
            ValueError: It is no such file.
            KeyError: A part is missing.
        """
        with np.load(path, allow_pickle=False) as file:
            return cls(**{field.name: file[field.name].astype(np.float32) for field in fields(cls)})

    def save(self, path: Path) -> None:
        """Writes it, the larger parts in half precision."""
        parts = {field.name: getattr(self, field.name) for field in fields(self)}
        np.savez(path, **{n: part if n in self.IN_FULL else part.astype(np.float16) for n, part in parts.items()})
