"""What a rule asks of one argument."""

from __future__ import annotations

import math
from typing import Any

from pydantic import BaseModel, ConfigDict, model_validator


class Condition(BaseModel):
    """A range of numbers, or a list of values.

    Attributes:
        above: The argument is greater than this.
        at_least: The argument is this or greater.
        below: The argument is less than this.
        at_most: The argument is this or less.
        one_of: The argument is one of these.
    """

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True, allow_inf_nan=False)

    above: float | None = None
    at_least: float | None = None
    below: float | None = None
    at_most: float | None = None
    one_of: list[str | bool | float] | None = None

    @model_validator(mode="after")
    def _sensible(self) -> Condition:
        if self.one_of is not None and self.model_fields_set != {"one_of"}:
            raise ValueError("one_of stands alone")
        if self.one_of == [] or not self.model_fields_set or (self.one_of is None and self._empty()):
            raise ValueError("no value can fulfil this")
        return self

    def holds(self, value: Any) -> bool | None:
        """Whether a value fulfils it; None where a number is asked for and the value is none."""
        if self.one_of is not None:
            return any(_same(value, one) for one in self.one_of)
        if isinstance(value, bool) or not isinstance(value, int | float):
            return None
        (low, low_open), (high, high_open) = self._low(), self._high()
        return (low < value or (low == value and not low_open)) and (value < high or (value == high and not high_open))

    def covers(self, other: Condition) -> bool:
        """Whether every value that fulfils the other one fulfils this one too."""
        if other.one_of is not None:
            return all(self.holds(value) is True for value in other.one_of)
        return self.one_of is None and self._low() <= other._low() and other._high() <= self._high()

    def _low(self) -> tuple[float, int]:
        """The lower end; of two equal numbers, the open end is the greater."""
        return max(
            (-math.inf if self.at_least is None else self.at_least, 0),
            (-math.inf if self.above is None else self.above, 1),
        )

    def _high(self) -> tuple[float, int]:
        """The upper end; of two equal numbers, the open end is the lesser."""
        return min(
            (math.inf if self.at_most is None else self.at_most, 0),
            (math.inf if self.below is None else self.below, -1),
        )

    def _empty(self) -> bool:
        (low, low_open), (high, high_open) = self._low(), self._high()
        return low > high or (low == high and bool(low_open or high_open))


def _same(value: Any, one: str | bool | float) -> bool:
    """Equal, where true is not 1."""
    return isinstance(value, bool) == isinstance(one, bool) and value == one
