"""Fault that fills the disk of an open store.

Usage: `full_disk.py STORE FOLDER`, with FOLDER on a small file system.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path

from chaos.storage.ledger import Ledger
from chaos.storage.store_under_test import ALL, StoreUnderTest
from chaos.storage.words import words_of
from reachy_agent_ros.core.errors import AgentError
from support import MODULE_PATH

SIZE = 4_000_000
"""Size of the disk, B."""

_FOLDER = "/mnt"
_FIRST, _MOST = 3, 100
_PATIENCE = 120.0


@dataclass(frozen=True)
class FullDisk:
    """Behavior of a store on a full disk.

    Attributes:
        refusal: Error for a record that did not fit on the disk.
        served: Whether the store still returned all acknowledged records.
        opened: `yes` if the store could be reopened on the full disk and returned all records, `not all`, or the error.
        lost: Number of acknowledged records that were missing after space was freed.
        usable: Whether the store accepted new records after space was freed.
    """

    refusal: str
    served: bool
    opened: str
    lost: int
    usable: bool


def full_disk(name: str) -> FullDisk:
    """Fills the disk of an open store, and then frees the space.

    Args:
        name: Name of a store in `ALL`.

    Raises:
        FileNotFoundError: `bwrap`, which creates the small disk, is not installed.
        subprocess.CalledProcessError: The disk could not be created, or the store failed.
    """
    box = ["bwrap", "--bind", "/", "/", "--dev-bind", "/dev", "/dev", "--size", str(SIZE), "--tmpfs", _FOLDER]
    command = [shutil.which("bwrap") or "bwrap", *box[1:], sys.executable, __file__, name, _FOLDER]
    environment = {"PYTHONPATH": MODULE_PATH, "PATH": "/usr/bin:/bin", "OPENBLAS_NUM_THREADS": "1"}
    done = subprocess.run(command, check=True, capture_output=True, timeout=_PATIENCE, env=environment)
    return FullDisk(**json.loads(done.stdout))


def fill(folder: Path) -> Path:
    """Fills a file system with one file. Returns the path of this file.

    Args:
        folder: Folder in the file system.
    """
    filler = folder / "filler"
    with suppress(OSError), filler.open("wb", buffering=0) as file:
        for block in (1_000_000, 4096, 1):
            with suppress(OSError):
                while file.write(bytes(block)) == block:
                    pass
    return filler


def _tried(name: str, folder: Path) -> FullDisk:
    state = folder / "state"
    store = ALL[name](state)
    acknowledged = list(range(_FIRST))
    for number in acknowledged:
        store.put(number)
    filler = fill(folder)
    refusal = _put_until_refused(store, acknowledged)
    served = _serves(store, acknowledged)
    store.close()
    opened = _opened(name, state, acknowledged)
    filler.unlink()
    ledger = Ledger()
    ledger.check(ALL[name], state, acknowledged)
    return FullDisk(refusal, served, opened, ledger.lost, not ledger.unusable)


def _put_until_refused(store: StoreUnderTest, acknowledged: list[int]) -> str:
    for number in range(_FIRST, _MOST):
        try:
            store.put(number)
        except AgentError as error:
            return error.message
        acknowledged.append(number)
    return ""


def _serves(store: StoreUnderTest, acknowledged: list[int]) -> bool:
    return {(number, words_of(number)) for number in acknowledged} <= set(store.records())


def _opened(name: str, state: Path, acknowledged: list[int]) -> str:
    try:
        store = ALL[name](state)
        try:
            return "yes" if _serves(store, acknowledged) else "not all"
        finally:
            store.close()
    except AgentError as error:
        return error.message


if __name__ == "__main__":
    print(json.dumps(asdict(_tried(sys.argv[1], Path(sys.argv[2])))))
