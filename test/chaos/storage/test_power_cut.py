"""Short version of `scripts/chaos power_cuts` with a fixed seed."""

import shutil
from pathlib import Path

import pytest

from chaos.storage import power_cut
from chaos.storage.store_under_test import CARELESS, STORES
from chaos.storage.words import number_in, words_of
from support.cases import mostly_nightly

needs_strace = pytest.mark.skipif(shutil.which("strace") is None, reason="strace is not installed")

SAMPLE = ("memories", "approvals", "phrases", "tools")


@pytest.mark.slow
@needs_strace
@pytest.mark.parametrize("name", mostly_nightly(SAMPLE))
def test_power_failure_loses_no_acknowledged_record(name: str, tmp_path: Path) -> None:
    ledger = power_cut.power_cuts(name, 10, 1, tmp_path)
    assert ledger.acknowledged > 0
    assert (ledger.faults, ledger.lost, ledger.wrong, ledger.unusable) == (10, 0, 0, [])


@pytest.mark.slow
@needs_strace
def test_fault_injection_detects_store_that_acknowledges_unsynced_records(tmp_path: Path) -> None:
    assert power_cut.power_cuts(CARELESS, 20, 1, tmp_path).lost > 0


def test_text_of_each_record_is_unique_and_contains_its_number() -> None:
    texts = [words_of(number) for number in range(200)]
    assert [number_in(text) for text in texts] == list(range(200))
    assert len(set(texts)) == 200
    assert number_in("no number") == number_in("") == -1


@pytest.mark.slow
def test_every_store_returns_its_stored_records(tmp_path: Path) -> None:
    for name, open_store in STORES.items():
        store = open_store(tmp_path / name)
        for number in (0, 2, 1):
            store.put(number)
        assert sorted(store.records()) == [(number, words_of(number)) for number in range(3)], name
        store.close()
