"""Fault that sends SIGKILL at random moments to processes that write records to a store."""

from __future__ import annotations

import os
import random
import signal
import struct
import time
import traceback
from collections.abc import Callable
from itertools import count
from pathlib import Path

from chaos.storage.ledger import Ledger
from chaos.storage.store_under_test import STORES, StoreUnderTest

MOST_RECORDS = 8
"""Maximum number of acknowledgments to wait for before a kill."""

IN_ONE_LIFE = 12
"""Kills per folder, which is limited because all records of the folder are checked after each kill."""

LONGEST_WAIT = 0.03
"""Maximum time between the last acknowledgment and the kill, s."""

_MOST_OF_ONE = 10_000  # more records than one process can write
_NUMBER = struct.Struct("<Q")


def kill_writers(name: str, times: int, seed: int, scratch: Path) -> Ledger:
    """Kills writers of a store repeatedly.

    Checks the store after each kill, and keeps its data for the next writer.

    Args:
        name: Name of a store in `STORES`.
        times: Number of kills.
        seed: Seed of the random moments.
        scratch: Empty folder.
    """
    chance = random.Random(f"{seed} {name}")
    ledger = Ledger()
    for life in range(0, times, IN_ONE_LIFE):
        folder, acknowledged = scratch / f"life {life}", list[int]()
        for kill in range(life, min(life + IN_ONE_LIFE, times)):
            # About a quarter of the processes are killed while they open the store.
            records = chance.randint(-MOST_RECORDS // 4, MOST_RECORDS)
            first = kill * _MOST_OF_ONE  # never reuses a number of an unfinished record
            acknowledged += _killed(STORES[name], folder, first, records, chance.uniform(0.0, LONGEST_WAIT))
            ledger.check(STORES[name], folder, acknowledged)
    return ledger


def _killed(
    open_store: Callable[[Path], StoreUnderTest], folder: Path, first: int, records: int, wait: float
) -> list[int]:
    """Starts a writer and kills it. Returns the numbers of the records that the writer acknowledged.

    Args:
        open_store: Opens the store.
        folder: Folder of the store.
        first: Number of the first record.
        records: Acknowledgments to wait for.
        wait: s after the last acknowledgment, or after the start if `records` is 0.
    """
    reading, writing = os.pipe()
    process = os.fork()
    if not process:
        _write_for_ever(open_store, folder, first, writing)
    os.close(writing)
    with open(reading, "rb") as pipe:
        told = pipe.read(_NUMBER.size * max(0, records))
        time.sleep(wait)
        os.kill(process, signal.SIGKILL)
        told += pipe.read()
        os.waitpid(process, 0)
    return [number for (number,) in _NUMBER.iter_unpack(told)]


def _write_for_ever(open_store: Callable[[Path], StoreUnderTest], folder: Path, first: int, pipe: int) -> None:
    """Writes records until the process is killed. Runs in a forked process and never returns."""
    try:
        store = open_store(folder)
        for number in count(first):
            store.put(number)
            os.write(pipe, _NUMBER.pack(number))
    except BaseException:  # noqa: BLE001 - said, and noticed by the ledger
        traceback.print_exc()
    finally:
        os._exit(1)
