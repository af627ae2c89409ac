"""A small share of what `scripts/chaos kills` does, with a fixed seed."""

from pathlib import Path

import pytest

from chaos.storage.kill import kill_writers
from chaos.storage.store_under_test import STORES
from support.cases import every_second_nightly


@pytest.mark.parametrize("name", every_second_nightly(list(STORES)))
def test_a_kill_takes_nothing_that_was_acknowledged(name: str, tmp_path: Path) -> None:
    ledger = kill_writers(name, 3, 2, tmp_path)
    assert (ledger.faults, ledger.lost, ledger.wrong, ledger.unusable) == (3, 0, 0, [])
