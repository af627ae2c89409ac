"""Simulation of bit flips on a disk."""

from __future__ import annotations

from pathlib import Path


def flip(path: Path, text: str, bit: int = 0) -> None:
    """Flips one bit of the first occurrence of a text in a file.

    Args:
        path: File that no process has open.
        text: Text that contains the bit.
        bit: Index of the bit from the start of the text.
    """
    content = bytearray(path.read_bytes())
    place = content.find(text.encode())
    assert place >= 0, f"{path} does not contain {text}"
    content[place + bit // 8 % len(text.encode())] ^= 1 << bit % 8
    path.write_bytes(content)
