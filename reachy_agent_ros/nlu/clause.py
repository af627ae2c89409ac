"""One clause of a sentence: what is left of it without courtesies, and how much, how long, how often."""

from __future__ import annotations

from dataclasses import dataclass

from reachy_agent_ros.nlu.amount import Size, angle_in, duration_in, size_in, times_in
from reachy_agent_ros.nlu.courtesy import strip_courtesies


@dataclass(frozen=True)
class Clause:
    """A clause taken apart.

    Attributes:
        text: The whole clause without courtesies.
        core: What is left of it without the modifiers below.
        degrees: Angle, if one is given.
        size: How much otherwise.
        duration: s, if given.
        times: How often, if given.
    """

    text: str
    core: str
    degrees: float | None = None
    size: Size = Size.NORMAL
    duration: float | None = None
    times: int | None = None

    @property
    def plain(self) -> bool:
        """Whether it has no modifier at all."""
        return self.core == self.text

    def allows(self, *, angle: bool = False, times: bool = False) -> bool:
        """Whether it has no modifiers but the named ones, and a duration only where there is an angle."""
        has_angle = self.degrees is not None or self.size is not Size.NORMAL or self.duration is not None
        return (angle or not has_angle) and (times or self.times is None)


def take_apart(text: str) -> Clause:
    """Reads a clause of plain words (see `text.words_of`)."""
    text = strip_courtesies(text)
    core, degrees = angle_in(text)
    core, duration = duration_in(core)
    core, size = size_in(core)
    core, times = times_in(core)
    return Clause(text, core, degrees, size, duration, times)
