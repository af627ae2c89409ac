"""A loader of files: it gives a value, or says with an `AgentError` what is wrong with the file."""

from __future__ import annotations

import random
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

Mutate = Callable[[bytes, random.Random], bytes]


class FileTarget:
    """Gives a loader files that are nearly right.

    Args:
        name: Of the file; loaders look at its ending.
        samples: Contents that are right.
        mutate: Makes something wrong with one.
        load: Loads a file, and does with it what is always done.
    """

    def __init__(self, name: str, samples: Sequence[bytes], mutate: Mutate, load: Callable[[Path], object]) -> None:
        self._name = name
        self._samples = samples
        self._mutate = mutate
        self._load = load

    def case(self, chance: random.Random) -> bytes:
        """A sample with something wrong."""
        return self._mutate(chance.choice(self._samples), chance)

    def take(self, data: bytes) -> None:
        """Loads a file with these bytes, alone in a folder."""
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, self._name)
            path.write_bytes(data)
            self._load(path)
