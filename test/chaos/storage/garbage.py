"""Garbage in a file of a store: whether it is noticed, and how long a backup takes to be put in its place."""

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
"""B."""

_RECORDS = 40


@dataclass(frozen=True)
class Garbled:
    """Result of the fault.

    Attributes:
        wrong: Records that were returned with changed content.
        restored_in: s that it took to restore the backup.
        lost: Records of the backup that were gone afterwards.
        usable: Whether the store then still worked.
    """

    wrong: int
    restored_in: float
    lost: int
    usable: bool


def garble(path: Path, random: Random) -> None:
    """Writes garbage over one page of a file, but not over its first one, without which the file is not a database.

    Args:
        path: The file; one of one page gets its garbage there.
        random: Decides where, and what.
    """
    pages = path.stat().st_size // PAGE
    with path.open("r+b") as file:
        file.seek(PAGE * random.randrange(min(1, pages - 1) if pages else 0, max(1, pages)))
        file.write(random.randbytes(PAGE))


def garbled_and_restored(name: str, scratch: Path, random: Random) -> Garbled:
    """Backs a store up, garbles its largest file, has it read, and restores the backup.

    Args:
        name: One of `ALL`.
        scratch: A folder without anything.
        random: Decides what is garbled.
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
    """A store may well refuse to open, or set the file aside; it may not serve garbage."""
    with suppress(AgentError):
        store = ALL[name](state)
        try:
            return sum(words != words_of(number) for number, words in store.records())
        finally:
            store.close()
    return 0
