"""Words for spoken times, from the section `spoken` of `languages/CODE/times.yaml`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Literal

from pydantic import Field

from reachy_agent_ros.storage.strict_yaml import StrictForm

Unit = Literal["second", "minute", "hour", "day", "week", "month", "year"]
Weekday = Literal["MO", "TU", "WE", "TH", "FR", "SA", "SU"]


class SpokenTimes(StrictForm):
    """Words and format strings for spoken times.

    Attributes:
        units: Singular and plural of each unit.
        units_after: Forms of units that differ after a preposition, as in the German "in zwei Tagen".
        last_separator: Text before the last item of a list.
        after: Time from now, with `duration`.
        today: Today.
        tomorrow: Tomorrow.
        weekdays: Names of weekdays.
        months: Names of the months from January on.
        days: Days of the month that are not said as a number.
        date: Day with `day` and `month`.
        date_with_year: Day with `date` and `year`.
        on_weekday: One of the next days, with `weekday`.
        on_date: Another day, with `date`.
        full_hour: Time of day without minutes, with `hour` or `hour_12` and `half`.
        clock: Time of day, also with `minute`.
        halves: Names of the halves of the day; empty for a 24-hour clock.
        singular: Replacements for the beginning of a time of day for hours that need another form, such as "a las 1".
        at_night: Addition to hours from 1 to 4, which would otherwise be understood as afternoon hours.
        every_one: Recurrence in each unit.
        every_number: Recurrence with a number of units, `counted`.
        every_weekday: Recurrence on `weekdays`.
        every_working_day: Recurrence from Monday to Friday.
        every_nth: Recurrence on the `nth` `weekday` of the month.
        every_month_day: Recurrence on a `day` of the month.
        every_last_day: Recurrence on the last day of the month.
        every_year: Recurrence on a `date`.
        nth: Ordinal numbers of weekdays in a month; -1 is the last.
        nth_other: Same as `nth`, for weekdays of the `other_gender`.
        other_gender: Weekdays whose grammatical gender differs from that of most.
    """

    units: dict[Unit, Annotated[list[str], Field(min_length=2, max_length=2)]]
    units_after: dict[Unit, Annotated[list[str], Field(min_length=2, max_length=2)]] = Field(default_factory=dict)
    last_separator: str
    after: str
    today: str
    tomorrow: str
    weekdays: dict[Weekday, str]
    months: list[str] = Field(min_length=12, max_length=12)
    days: dict[int, str] = Field(default_factory=dict)
    date: str
    date_with_year: str
    on_weekday: str
    on_date: str
    full_hour: str
    clock: str
    halves: list[str] = Field(default_factory=list)
    singular: dict[str, str] = Field(default_factory=dict)
    at_night: str = ""
    every_one: dict[Unit, str]
    every_number: str
    every_weekday: str
    every_working_day: str
    every_nth: str
    every_month_day: str
    every_last_day: str
    every_year: str
    nth: dict[int, str]
    nth_other: dict[int, str] = Field(default_factory=dict)
    other_gender: list[Weekday] = Field(default_factory=list)

    def counted(self, number: int, unit: Unit, after_preposition: bool = False) -> str:
        """Formats a number with its unit in the singular or plural."""
        forms = self.units_after.get(unit, self.units[unit]) if after_preposition else self.units[unit]
        return f"{number} {forms[0 if number == 1 else 1]}"

    def listed(self, items: Sequence[str]) -> str:
        """Joins items to a list, such as "one, two and three"."""
        *first, last = items
        return f"{', '.join(first)}{self.last_separator}{last}" if first else last
