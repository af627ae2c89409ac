from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chaos.ledger import Kind, Ledger, missing

ENTRIES = st.sets(st.tuples(st.sampled_from(Kind), st.text(max_size=5)))


@pytest.mark.slow
@given(ENTRIES, ENTRIES)
def test_ledger_reports_acknowledged_records_that_are_not_stored(
    acknowledged: set[tuple[Kind, str]], there: set[tuple[Kind, str]]
) -> None:
    ledger = Ledger()
    for kind, key in acknowledged:
        ledger.acknowledge(kind, key)
    kept = {kind: frozenset(key for other, key in there if other is kind) for kind in Kind}
    assert missing(ledger.entries(), kept) == sorted(f"{kind}: {key}" for kind, key in acknowledged - there)
