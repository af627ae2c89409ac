"""Selection of test parameters that run only in nightly tests."""

from collections.abc import Sequence

import pytest


def every_second_nightly(cases: Sequence[object]) -> list[object]:
    """Returns test parameters, of which the second, the fourth and so on are marked as nightly."""
    return [pytest.param(case, marks=pytest.mark.nightly) if number % 2 else case for number, case in enumerate(cases)]
