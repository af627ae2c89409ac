"""Fuzz target for functions that load files. They must return a value or raise an `AgentError`."""

from __future__ import annotations

import random
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

Mutate = Callable[[bytes, random.Random], bytes]


class FileTarget:
    """Fuzz target that passes mutated files to a function that loads files.

    Args:
        name: Name of the file, whose extension the loader may check.
        samples: Valid contents.
        mutate: Returns a mutated copy of a sample.
        load: Loads a file and uses the result as the product does.
    """

    def __init__(self, name: str, samples: Sequence[bytes], mutate: Mutate, load: Callable[[Path], object]) -> None:
        self._name = name
        self._samples = samples
        self._mutate = mutate
        self._load = load

    def case(self, chance: random.Random) -> bytes:
        """Returns a mutated copy of a random sample."""
        return self._mutate(chance.choice(self._samples), chance)

    def take(self, data: bytes) -> None:
        """Writes the bytes to a file in an empty folder, and loads the file."""
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, self._name)
            path.write_bytes(data)
            self._load(path)
