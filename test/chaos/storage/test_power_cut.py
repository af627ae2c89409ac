"""A small share of what `scripts/chaos power_cuts` does, with a fixed seed."""

import shutil
from pathlib import Path

import pytest

from chaos.storage import power_cut
from chaos.storage.store_under_test import CARELESS, STORES
from chaos.storage.words import number_in, words_of
from support.cases import every_second_nightly

needs_strace = pytest.mark.skipif(shutil.which("strace") is None, reason="strace is not installed")

SAMPLE = ("memories", "approvals", "phrases", "tools")


@pytest.mark.slow
@needs_strace
@pytest.mark.parametrize("name", every_second_nightly(SAMPLE))
def test_a_power_cut_takes_nothing_that_was_acknowledged(name: str, tmp_path: Path) -> None:
    ledger = power_cut.power_cuts(name, 10, 1, tmp_path)
    assert ledger.acknowledged > 0
    assert (ledger.faults, ledger.lost, ledger.wrong, ledger.unusable) == (10, 0, 0, [])


@pytest.mark.slow
@needs_strace
def test_a_store_that_does_not_wait_for_the_disk_is_found_out(tmp_path: Path) -> None:
    assert power_cut.power_cuts(CARELESS, 20, 1, tmp_path).lost > 0


def test_every_text_tells_its_number_and_no_two_are_alike() -> None:
    texts = [words_of(number) for number in range(200)]
    assert [number_in(text) for text in texts] == list(range(200))
    assert len(set(texts)) == 200
    assert number_in("no number") == number_in("") == -1


@pytest.mark.slow
def test_every_store_serves_what_it_was_given(tmp_path: Path) -> None:
    for name, open_store in STORES.items():
        store = open_store(tmp_path / name)
        for number in (0, 2, 1):
            store.put(number)
        assert sorted(store.records()) == [(number, words_of(number)) for number in range(3)], name
        store.close()
