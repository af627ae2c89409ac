"""Folder for inputs that caused failures."""

from __future__ import annotations

from pathlib import Path

from fuzz.outcome import Failure

KEPT = 50
"""Inputs of one surface: a fault that every second case finds would fill the disk."""


class FailureFolder:
    """Keeps each input as a file, `SURFACE/SEED-NUMBER`, beside what happened.

    Args:
        folder: Made when there is something to keep.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def keep(self, surface: str, seed: int, case: int, data: bytes, reason: str) -> Failure:
        """Keeps one; of the same surface and number the last counts."""
        place = self._folder / surface
        place.mkdir(parents=True, exist_ok=True)
        path = place / f"{seed}-{case}"
        if len(list(place.iterdir())) < 2 * KEPT:
            path.write_bytes(data)
            path.with_name(f"{path.name}.reason.txt").write_text(f"{reason}\n", encoding="utf-8")
        return Failure(case, reason, path)
