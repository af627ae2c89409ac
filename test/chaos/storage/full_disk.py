"""A disk that gets full under a store: `full_disk.py STORE FOLDER`, in a file system of its own that is small."""

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
"""B of the disk."""

_FOLDER = "/mnt"
_FIRST, _MOST = 3, 100
_PATIENCE = 120.0


@dataclass(frozen=True)
class FullDisk:
    """Behavior of a store.

    Attributes:
        refusal: Error for a record for which there was no space.
        served: Whether it still returned all acknowledged records.
        opened: Whether it also did so when it was reopened on the full disk; otherwise its error.
        lost: Acknowledged records that were missing once there was space.
        usable: Whether it then stored records again.
    """

    refusal: str
    served: bool
    opened: str
    lost: int
    usable: bool


def full_disk(name: str) -> FullDisk:
    """Fills the disk of a store that has it open.

    Args:
        name: One of `ALL`.

    Raises:
        FileNotFoundError: There is no `bwrap` to make a small disk with.
        subprocess.CalledProcessError: It may not make one here, or the store failed.
    """
    box = ["bwrap", "--bind", "/", "/", "--dev-bind", "/dev", "/dev", "--size", str(SIZE), "--tmpfs", _FOLDER]
    command = [shutil.which("bwrap") or "bwrap", *box[1:], sys.executable, __file__, name, _FOLDER]
    environment = {"PYTHONPATH": MODULE_PATH, "PATH": "/usr/bin:/bin", "OPENBLAS_NUM_THREADS": "1"}
    done = subprocess.run(command, check=True, capture_output=True, timeout=_PATIENCE, env=environment)
    return FullDisk(**json.loads(done.stdout))


def fill(folder: Path) -> Path:
    """Takes all room of a file system; returns the file that has it.

    Args:
        folder: In that file system.
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
