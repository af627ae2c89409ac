"""Mutation of JSON documents: changes of values, keys and depth. The syntax usually stays valid."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Iterator, MutableMapping, MutableSequence
from typing import Any

from fuzz.mutation.text_mutation import mutated_text

_VALUES: tuple[Any, ...] = (
    *(None, True, False, 0, -1, 1, 2**31, 2**63, -(2**64), 10**400, 0.5, -0.0, 1e308, float("nan"), float("inf"), ""),
    *("\0", "\ud800", "x" * 3_000, "NaN", "../..", "1", [], {}, [[]], [None] * 1_000, {"": {}}, {"a": [1, {"b": 2}]}),
)

_DEEP = 3_000
"""Nesting depth beyond the limit of Python's JSON parser, which is about a thousand."""

_FINITE = 1e300
"""Bound for integers to multiply, because larger ones cannot be converted to float."""

_MOST = 4
"""Maximum number of changes per document."""


def mutated_json(value: Any, chance: random.Random) -> bytes:
    """Returns a JSON document with one to four random changes.

    Args:
        value: Valid value, as returned by `json.loads`.
        chance: Source of the changes.
    """
    changed = [copy.deepcopy(value)]  # in a list, so that the root can be replaced, too
    for _ in range(chance.randint(1, _MOST)):
        _change(changed, chance)
    text = json.dumps(changed[0], ensure_ascii=chance.random() < 0.8)
    if chance.random() < 0.05:
        depth = chance.choice((100, 900, _DEEP))
        text = "[" * depth + text + "]" * depth
    return mutated_text(text, (), chance) if chance.random() < 0.2 else text.encode(errors="surrogatepass")


def _change(root: list[Any], chance: random.Random) -> None:
    container = chance.choice(list(_containers(root)))
    if isinstance(container, MutableMapping):
        _change_mapping(container, chance)
    elif container:
        _change_sequence(container, chance, whole=container is root)


def _change_mapping(mapping: MutableMapping[str, Any], chance: random.Random) -> None:
    key = chance.choice(list(mapping)) if mapping else ""
    kind = chance.randrange(4)
    if kind == 0 and key in mapping:
        del mapping[key]
    elif kind == 1:
        mapping[chance.choice(("", "\0", f"{key}_", key.upper(), "x" * 300))] = mapping.get(key)
    else:
        mapping[key] = _other(mapping.get(key), chance)


def _change_sequence(sequence: MutableSequence[Any], chance: random.Random, whole: bool) -> None:
    place = chance.randrange(len(sequence))
    kind = 3 if whole else chance.randrange(4)
    if kind == 0:
        del sequence[place]
    elif kind == 1:
        sequence.insert(place, copy.deepcopy(sequence[chance.randrange(len(sequence))]))
    elif kind == 2:
        sequence.append(chance.choice(_VALUES))
    else:
        sequence[place] = _other(sequence[place], chance)


def _other(value: Any, chance: random.Random) -> Any:
    """Returns a replacement for a JSON value.

    The replacement is a boundary value, a scaled number, a text, or a container with the value.
    """
    kind = chance.randrange(4)
    if kind == 0:
        return chance.choice(([value], {"value": value}, str(value)))
    if kind == 1 and isinstance(value, int | float) and abs(value) < _FINITE:
        return value * chance.choice((-1, 0, 2, 1e6, 1e-300))
    return copy.deepcopy(chance.choice(_VALUES))


def _containers(value: Any) -> Iterator[Any]:
    if isinstance(value, dict | list):
        yield value
        for part in value.values() if isinstance(value, dict) else value:
            yield from _containers(part)
