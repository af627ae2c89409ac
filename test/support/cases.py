"""Selection of test parameters and examples that run only in nightly tests."""

from collections.abc import Sequence

import pytest
from hypothesis import settings


def mostly_nightly(cases: Sequence[object], one_in: int = 2) -> list[object]:
    """Marks test parameters as nightly. Every `one_in`-th parameter, starting with the first, is not marked."""
    return [pytest.param(case, marks=pytest.mark.nightly) if at % one_in else case for at, case in enumerate(cases)]


def share_of_examples(share: float) -> int:
    """Returns a fraction of the usual number of Hypothesis examples, for a property that takes long to check."""
    return max(1, round(share * settings().max_examples))
