"""What is known of one version of a policy but for its weights."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class PolicyRecord:
    """One version, as it is stored.

    Attributes:
        skill: What it is a policy of.
        version: Counts up from 1; never given twice for one skill.
        algorithm: What made it, as in "coach" or "ppo".
        created: When, s since the epoch.
        parent: Version it was made from, 0 where it was made from nothing.
        because: Why it was made, in one sentence.
        seed: Of the chance in it, None where there was none.
        figures: What was measured of it, by name.
        digest: SHA-256 of the file of its weights, hexadecimal.
    """

    skill: str
    version: int
    algorithm: str
    created: float
    parent: int = 0
    because: str = ""
    seed: int | None = None
    figures: Mapping[str, float] = field(default_factory=dict)
    digest: str = ""


@dataclass(frozen=True)
class Standing:
    """Which versions of a skill there are, and which one acts.

    Attributes:
        last: Newest number that was ever given, 0 before the first.
        active: The one that acts, 0 where none does.
        pinned: Whether it goes on to act whatever is learnt.
    """

    last: int = 0
    active: int = 0
    pinned: bool = False


@dataclass(frozen=True)
class Comparison:
    """Two versions side by side.

    Attributes:
        figures: What was measured of each, None where it was not.
        weights: Greatest absolute difference of each array that both have in the same shape.
    """

    figures: Mapping[str, tuple[float | None, float | None]]
    weights: Mapping[str, float]
