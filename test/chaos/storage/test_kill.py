"""Short version of `scripts/chaos kills` with a fixed seed."""

from pathlib import Path

import pytest

from chaos.storage.kill import kill_writers
from chaos.storage.store_under_test import STORES
from support.cases import mostly_nightly


@pytest.mark.parametrize("name", mostly_nightly(list(STORES)))
def test_killed_writer_loses_no_acknowledged_record(name: str, tmp_path: Path) -> None:
    ledger = kill_writers(name, 3, 2, tmp_path)
    assert (ledger.faults, ledger.lost, ledger.wrong, ledger.unusable) == (3, 0, 0, [])
