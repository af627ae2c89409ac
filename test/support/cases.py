"""Which of the cases of a parametrized test run every time, and which only at night."""

from collections.abc import Sequence

import pytest


def every_second_nightly(cases: Sequence[object]) -> list[object]:
    """Returns the cases as parameters of a test. The second, the fourth and so on are marked nightly."""
    return [pytest.param(case, marks=pytest.mark.nightly) if number % 2 else case for number, case in enumerate(cases)]
