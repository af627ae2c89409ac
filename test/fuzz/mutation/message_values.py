"""Random ROS messages of any type, with boundary values and invalid content."""

from __future__ import annotations

import random
import re
from importlib import import_module
from typing import Any

from fuzz.mutation.text_mutation import EDGES

BAD_TEXT = "\x01\x02\x03\x04"
"""Placeholder for invalid UTF-8, which Python cannot put into a message; see `with_bad_text`."""

LONGEST_TEXT = 1_000_000
LONGEST_SEQUENCE = 100_000

_FLOATS = (0.0, -0.0, 1e-320, 0.5, -1.0, 1e6, 1e308, -1e308, float("nan"), float("inf"), float("-inf"))
_FLOAT32 = 3e38
_WORDS = ("move_head", "look_at", "default", "reachy", "joy", "simple_nod", "{}", '{"yaw_deg": 20}', "[1, 2]", "stop")
_ARRAY = re.compile(r"(?P<kind>.+)\[(?P<length>\d+)\]")
_SEQUENCE = re.compile(r"sequence<(?P<kind>[^,]+)(?:, (?P<most>\d+))?>")
_INTEGER = re.compile(r"(?P<sign>u?)int(?P<bits>\d+)")

_RARELY = 0.01
"""Share of texts and sequences with maximum length."""


def filled(kind: type, chance: random.Random) -> Any:
    """Returns a random message of a type. About half of its fields keep their default values."""
    message = kind()
    for name, field in message.get_fields_and_field_types().items():
        if chance.random() < 0.5:
            present = getattr(message, name)
            # The goal in a SendGoal request has a type that cannot be imported by name.
            within = hasattr(present, "get_fields_and_field_types")
            setattr(message, name, filled(type(present), chance) if within else _value(field, chance))
    return message


def with_bad_text(serialized: bytes) -> bytes:
    """Replaces `BAD_TEXT` in a serialized message with invalid UTF-8."""
    return serialized.replace(BAD_TEXT.encode(), b"\xff\xfe\xc3\x28")


def _value(field: str, chance: random.Random) -> Any:
    if array := _ARRAY.fullmatch(field):
        return [_value(array["kind"], chance) for _ in range(int(array["length"]))]
    if sequence := _SEQUENCE.fullmatch(field):
        return _sequence(sequence["kind"], int(sequence["most"] or LONGEST_SEQUENCE), chance)
    if integer := _INTEGER.fullmatch(field):
        return _integer(int(integer["bits"]), bool(integer["sign"]), chance)
    if field == "boolean":
        return chance.random() < 0.5
    if field in ("float", "double"):
        value = chance.choice(_FLOATS)
        return value if field == "double" or not abs(value) > _FLOAT32 or abs(value) == float("inf") else _FLOAT32
    if field.startswith(("string", "wstring")):
        return _text(chance)
    if field == "octet":
        return bytes([chance.randrange(256)])
    package, _, name = field.rpartition("/")
    return filled(getattr(import_module(f"{package.removesuffix('/msg')}.msg"), name), chance)


def _sequence(kind: str, most: int, chance: random.Random) -> list[Any]:
    length = min(most, chance.choice((0, 1, 2, 9)))
    if chance.random() < _RARELY:  # repeats one value, because only the length matters
        return [_value(kind, chance)] * (most if "/" not in kind else min(most, 1_000))
    return [_value(kind, chance) for _ in range(length)]


def _integer(bits: int, unsigned: bool, chance: random.Random) -> int:
    low, high = (0, 2**bits - 1) if unsigned else (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1)
    return chance.choice((low, high, 0, 1, low + 1, high - 1, chance.randint(low, high)))


def _text(chance: random.Random) -> str:
    if chance.random() < _RARELY:
        return chance.choice("ax") * LONGEST_TEXT
    text = chance.choice((*EDGES, *_WORDS, *_WORDS, BAD_TEXT))
    return text.replace("\0", "")  # strings in ROS end at a null character
