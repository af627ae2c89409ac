"""What a tool prints."""

from __future__ import annotations

import io

LARGEST = 4096
"""Characters that are kept: enough to see what a tool did, too few to drown a model or a disk."""

_CUT = "\n... (more was printed than is kept)"


class Log(io.TextIOBase):
    """Takes the place of standard output and error; keeps the beginning."""

    def __init__(self) -> None:
        self._parts: list[str] = []
        self._left = LARGEST
        self._cut = False

    @property
    def text(self) -> str:
        """What was printed, half characters replaced, because the wire carries none."""
        whole = "".join(self._parts) + (_CUT if self._cut else "")
        return whole.encode(errors="replace").decode()

    def writable(self) -> bool:
        """It is."""
        return True

    def write(self, text: str, /) -> int:
        """Keeps as much as still fits."""
        kept = text[: self._left]
        self._cut = self._cut or len(kept) < len(text)
        self._left -= len(kept)
        if kept:
            self._parts.append(kept)
        return len(text)
