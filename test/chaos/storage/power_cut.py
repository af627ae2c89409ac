"""Simulated power failures.

System calls of a store are replayed up to a random moment, and random unsynced data is dropped.
"""

from __future__ import annotations

import random
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path, PurePosixPath

from chaos.storage.file_operation import Acknowledge, FileOperation
from chaos.storage.ledger import Ledger
from chaos.storage.simulated_disk import SimulatedDisk
from chaos.storage.store_under_test import ALL
from chaos.storage.strace_log import CALLS, StraceLog
from support import MODULE_PATH

RECORDS = 12
"""Number of records that a store writes while its system calls are recorded."""

_STATE = "state"
_LONGEST_STRING = 10_000_000
_PATIENCE = 300.0


def recorded(name: str, scratch: Path, count: int = RECORDS) -> list[FileOperation]:
    """Records the file operations of a store while it writes records.

    Args:
        name: Name of a store in `ALL`.
        scratch: Empty folder.
        count: Number of records.

    Raises:
        FileNotFoundError: `strace` is not installed.
        subprocess.CalledProcessError: The store failed.
    """
    root, log = scratch / "root", scratch / "strace.log"
    root.mkdir(parents=True)
    writer = Path(__file__).with_name("writer.py")
    options = ["-f", "--seccomp-bpf", "-qq", "-xx", "-s", str(_LONGEST_STRING), "-e", f"trace={','.join(CALLS)}"]
    command = ["strace", *options, "-o", str(log), sys.executable, str(writer), name, str(root / _STATE), str(count)]
    environment = {"PYTHONPATH": MODULE_PATH, "PATH": "/usr/bin:/bin", "OPENBLAS_NUM_THREADS": "1"}
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, timeout=_PATIENCE, env=environment)
    found = StraceLog(PurePosixPath(root))
    with log.open() as lines:
        found.read(lines)
    _require_all(found.operations, root, scratch / "again")
    return found.operations


def power_cuts(name: str, cuts: int, seed: int, scratch: Path) -> Ledger:
    """Simulates power failures of a store at random moments, and checks the store after each failure.

    Args:
        name: Name of a store in `ALL`.
        cuts: Number of power failures.
        seed: Seed of the moments and of the remaining data.
        scratch: Empty folder, which is not cleaned up.

    Raises:
        FileNotFoundError, subprocess.CalledProcessError: See `recorded`.
    """
    chance = random.Random(f"{seed} {name}")
    operations = recorded(name, scratch)
    moments = sorted(chance.choices(range(len(operations) + 1), k=cuts))
    disk, ledger, acknowledged = SimulatedDisk(PurePosixPath(scratch / "root")), Ledger(), list[int]()
    left = scratch / "left"
    for moment in range(len(operations) + 1):
        for _ in range(moments.count(moment)):
            disk.write_after_cut(left, chance)
            ledger.check(ALL[name], left / _STATE, acknowledged)
            shutil.rmtree(left)
        if moment < len(operations):
            disk.apply(operation := operations[moment])
            if isinstance(operation, Acknowledge):
                acknowledged.append(operation.number)
    return ledger


def _require_all(operations: Sequence[FileOperation], root: Path, again: Path) -> None:
    """Checks that the replay of all file operations produces the same files, so that no operation is missing."""
    disk = SimulatedDisk(PurePosixPath(root))
    for operation in operations:
        disk.apply(operation)
    disk.write_live(again)
    assert _files(again) == _files(root), "the log lacks file operations of the program"


def _files(folder: Path) -> dict[str, bytes]:
    found = {str(path.relative_to(folder)): path for path in folder.rglob("*") if path.is_file()}
    # SQLite maps this file into memory and recreates it after a crash.
    return {name: path.read_bytes() for name, path in found.items() if not name.endswith("-shm")}
