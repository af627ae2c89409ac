"""Folder for inputs that have caused failures."""

from __future__ import annotations

from pathlib import Path

from fuzz.outcome import Failure

KEPT = 50
"""Maximum number of stored inputs per surface, so that a frequent fault does not fill the disk."""


class FailureFolder:
    """Stores each failing input as `SURFACE/SEED-NUMBER`, and the reason of the failure in a second file.

    Args:
        folder: Path of the folder, which is created with the first input.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def keep(self, surface: str, seed: int, case: int, data: bytes, reason: str) -> Failure:
        """Stores an input. Overwrites an input with the same surface, seed and number."""
        place = self._folder / surface
        place.mkdir(parents=True, exist_ok=True)
        path = place / f"{seed}-{case}"
        if len(list(place.iterdir())) < 2 * KEPT:
            path.write_bytes(data)
            path.with_name(f"{path.name}.reason.txt").write_text(f"{reason}\n", encoding="utf-8")
        return Failure(case, reason, path)
