"""Selection of test parameters that run only in nightly tests."""

from collections.abc import Sequence

import pytest


def mostly_nightly(cases: Sequence[object], one_in: int = 2) -> list[object]:
    """Marks test parameters as nightly, except the first of every `one_in`."""
    return [pytest.param(case, marks=pytest.mark.nightly) if at % one_in else case for at, case in enumerate(cases)]
