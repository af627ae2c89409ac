"""A disk on which a bit flips."""

from __future__ import annotations

from pathlib import Path


def flip(path: Path, text: str, bit: int = 0) -> None:
    """Flips a bit of a text that a file holds.

    Args:
        path: The file, which nobody has open.
        text: Where it is for the first time.
        bit: Which of its bits.
    """
    content = bytearray(path.read_bytes())
    place = content.find(text.encode())
    assert place >= 0, f"{path} does not hold {text}"
    content[place + bit // 8 % len(text.encode())] ^= 1 << bit % 8
    path.write_bytes(content)
