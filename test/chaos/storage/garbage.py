"""Fault that overwrites a page of a store with random bytes, and then restores a backup."""

from __future__ import annotations

import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from random import Random

from chaos.storage.ledger import Ledger
from chaos.storage.store_under_test import ALL
from chaos.storage.words import words_of
from reachy_agent_ros.core.errors import AgentError
from reachy_agent_ros.storage.backup.state_backup import back_up, restore

PAGE = 4096
"""Size of a page, B."""

_RECORDS = 40


@dataclass(frozen=True)
class Garbled:
    """Result of overwriting a page of a store.

    Attributes:
        wrong: Number of records that the damaged store returned with changed content.
        restored_in: Time to restore the backup, s.
        lost: Number of records of the backup that were missing after the restore.
        usable: Whether the store worked after the restore.
    """

    wrong: int
    restored_in: float
    lost: int
    usable: bool


def garble(path: Path, random: Random) -> None:
    """Overwrites one page of a file with random bytes. The first page, with the database header, stays intact.

    Args:
        path: The file. If it has only one page, this page is overwritten.
        random: Source of the position and the bytes.
    """
    pages = path.stat().st_size // PAGE
    with path.open("r+b") as file:
        file.seek(PAGE * random.randrange(min(1, pages - 1) if pages else 0, max(1, pages)))
        file.write(random.randbytes(PAGE))


def garbled_and_restored(name: str, scratch: Path, random: Random) -> Garbled:
    """Backs up a store, damages its largest file, reads the damaged store, and restores the backup.

    Args:
        name: Name of a store in `ALL`.
        scratch: Empty folder.
        random: Source of the position and the bytes of the damage.
    """
    state, archive = scratch / "state", scratch / "backup"
    numbers = _filled(name, state)
    back_up(state, archive)
    garble(max((file for file in state.rglob("*") if file.is_file()), key=lambda file: file.stat().st_size), random)
    wrong = _served_wrong(name, state)
    began = time.monotonic()
    restore(archive, state)
    elapsed, ledger = time.monotonic() - began, Ledger()
    ledger.check(ALL[name], state, numbers)
    return Garbled(wrong, elapsed, ledger.lost, not ledger.unusable)


def _filled(name: str, state: Path) -> list[int]:
    store = ALL[name](state)
    for number in range(_RECORDS):
        store.put(number)
    store.close()
    return list(range(_RECORDS))


def _served_wrong(name: str, state: Path) -> int:
    """Returns the number of records with wrong content.

    The store may raise an error or set the damaged file aside.
    """
    with suppress(AgentError):
        store = ALL[name](state)
        try:
            return sum(words != words_of(number) for number, words in store.records())
        finally:
            store.close()
    return 0
