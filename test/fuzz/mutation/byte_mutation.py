"""Mutation of byte strings."""

from __future__ import annotations

import random
import struct

_WHOLE = (0, 1, 0x7F, 0x80, 0xFF, 0x7FFF, 0x8000, 0xFFFF, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, 2**63 - 1, 2**64 - 1)
"""Integers at the boundaries of lengths, counts and signs."""

_FLOATS = (0.0, -0.0, 1e-320, 3e38, float("inf"), float("-inf"), float("nan"))

_MOST = 6
"""Maximum number of changes per input. With more, parsers reject the input at once."""


def mutated_bytes(data: bytes, chance: random.Random) -> bytes:
    """Returns a copy of the bytes with one to six random changes."""
    changed = bytearray(data)
    for _ in range(chance.randint(1, _MOST)):
        chance.choice(_CHANGES)(changed, chance)
    return bytes(changed)


def number(chance: random.Random) -> bytes:
    """Returns an encoded boundary value with a random width and byte order."""
    order = chance.choice("<>")
    if chance.random() < 0.3:
        return struct.pack(order + chance.choice("df"), chance.choice(_FLOATS))
    width = chance.choice("BHIQ")
    return struct.pack(order + width, chance.choice(_WHOLE) % 2 ** (8 * struct.calcsize(width)))


def _place(changed: bytearray, chance: random.Random) -> int:
    """Returns a random position. Many positions are near the beginning, because files have headers there."""
    size = len(changed) if chance.random() < 0.5 else min(len(changed), 256)
    return chance.randrange(size + 1)


def _flip(changed: bytearray, chance: random.Random) -> None:
    place = _place(changed, chance)
    if place < len(changed):
        changed[place] ^= 1 << chance.randrange(8)


def _overwrite(changed: bytearray, chance: random.Random) -> None:
    place, new = _place(changed, chance), number(chance)
    changed[place : place + len(new)] = new


def _insert(changed: bytearray, chance: random.Random) -> None:
    place = _place(changed, chance)
    changed[place:place] = chance.choice((number(chance), chance.randbytes(chance.randrange(1, 40)), bytes(64)))


def _delete(changed: bytearray, chance: random.Random) -> None:
    place = _place(changed, chance)
    del changed[place : place + chance.choice((1, 2, 4, 8, 100))]


def _repeat(changed: bytearray, chance: random.Random) -> None:
    start = _place(changed, chance)
    piece = changed[start : start + chance.choice((1, 4, 16, 300))]
    place = _place(changed, chance)
    changed[place:place] = piece * chance.choice((1, 2, 20))


def _exchange(changed: bytearray, chance: random.Random) -> None:
    length = chance.choice((1, 4, 16))
    first, second = _place(changed, chance), _place(changed, chance)
    one, other = changed[first : first + length], changed[second : second + length]
    if len(one) == len(other) == length:
        changed[first : first + length], changed[second : second + length] = other, one


def _cut(changed: bytearray, chance: random.Random) -> None:
    if chance.random() < 0.3:
        del changed[chance.randrange(len(changed) + 1) :]


_CHANGES = (_flip, _flip, _overwrite, _overwrite, _insert, _delete, _repeat, _exchange, _cut)
