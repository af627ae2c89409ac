"""Choice of dances: by the closest name, or at random if no dance is named."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from difflib import SequenceMatcher

_GENERIC = frozenset(
    ("dance", "dances", "dancing", "move", "moves", "the", "a", "an", "your", "some", "of", "to", "and")
)
"""Words that do not distinguish dances."""

_LEAST_ALIKE = 0.8
"""Minimum similarity in spelling for two words or names to count as the same, 0..1."""

_SHORTEST_STEM = 4
"""Minimum length of a word that may stand for a longer one, characters: "peck" for "pecking"."""

MOST_OPTIONS = 3
"""Maximum number of dances that a question offers."""


class RandomDance:
    """Random choice of a dance. It remains the same until it is used, because partial transcripts are repeated.

    Args:
        choose: Chooses one of several dances.
    """

    def __init__(self, choose: Callable[[Sequence[str]], str] = random.choice) -> None:
        self._choose = choose
        self._current: str | None = None
        self._used: str | None = None

    def __call__(self, dances: Sequence[str]) -> str | None:
        """Returns the current choice, or None if the robot has no dances."""
        if self._current not in dances:
            others = [dance for dance in dances if dance != self._used] or dances
            self._current = self._choose(others) if others else None
        return self._current

    def use(self) -> None:
        """Marks the current choice as used. If there is more than one dance, the next choice is a different one."""
        self._used, self._current = self._current, None


def first_dance(dances: Sequence[str]) -> str | None:
    """Returns the first dance, as a deterministic choice. Returns None if the robot has no dances."""
    return dances[0] if dances else None


def closest_dances(words: str, dances: Sequence[str], least: float = 0.5) -> list[str]:
    """Returns the dances whose names are closest to the given words. More than one dance may be equally close.

    Args:
        words: Name in plain words, possibly incomplete or misheard.
        dances: Names of the dances.
        least: Minimum share of the spoken words that a name must contain, 0..1.
    """
    said = [word for word in words.split() if word not in _GENERIC]
    if not said:
        return []
    whole = [dance for dance in dances if _likeness("".join(said), dance.replace("_", "")) >= _LEAST_ALIKE]
    if whole:
        return sorted(whole, key=lambda dance: -_likeness("".join(said), dance.replace("_", "")))[:1]
    phrase = " ".join(words.split()).removesuffix(" dance")
    holding = [dance for dance in dances if f" {phrase} " in f" {dance.replace('_', ' ')} "]
    if len(holding) == 1:
        return holding
    shares = {dance: sum(_is_in(word, dance.split("_")) for word in said) / len(said) for dance in dances}
    best = max(shares.values(), default=0.0)
    return [dance for dance in dances if shares[dance] == best] if best >= least else []


def is_within_name(words: Sequence[str], index: int, names: Sequence[str]) -> bool:
    """Returns whether the word at `index` is part of a dance name, such as "and" in "groovy sway and roll".

    Args:
        words: Words of a sentence.
        index: Index of the word.
        names: Names of the dances in spoken form.
    """
    return any(
        list(words[index - place : index - place + len(parts)]) == parts
        for parts in map(str.split, names)
        for place, part in enumerate(parts)
        if part == words[index] and place <= index
    )


def _is_in(word: str, name: Sequence[str]) -> bool:
    return any(
        (min(len(word), len(part)) >= _SHORTEST_STEM and (word.startswith(part) or part.startswith(word)))
        or word == part
        or _likeness(word, part) >= _LEAST_ALIKE
        for part in name
    )


def _likeness(one: str, other: str) -> float:
    return SequenceMatcher(None, one, other, autojunk=False).ratio()
