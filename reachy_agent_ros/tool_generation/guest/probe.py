"""Probe of the sandbox. It runs instead of a tool and attempts everything that a sandbox must prevent."""

from __future__ import annotations

import sys

sys.path.append(sys.argv[4])

import ctypes
import os
import socket
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from reachy_agent_ros.tool_generation.guest import second_filter
from reachy_agent_ros.tool_generation.guest.wire import LARGEST_FROM_HOST, LARGEST_FROM_SANDBOX, read_frame, write_frame

_CLONE_NEWUSER = 0x10000000
_CLONE_NEWNS = 0x20000


def main() -> None:
    """Reports the attempts that succeeded, then runs in an endless loop until the host ends the process."""
    host = os.fdopen(int(sys.argv[1]), "rb")
    answers = os.fdopen(int(sys.argv[2]), "wb")
    second_filter.stack(bytes.fromhex(sys.argv[3]))
    write_frame(answers, {"ready": True}, LARGEST_FROM_SANDBOX)
    task = read_frame(host, LARGEST_FROM_HOST)
    if task is None:
        return
    report = {
        name: [what for what, attempt in attempts.items() if _succeeds(attempt)]
        for name, attempts in _attempts(task).items()
    }
    write_frame(answers, report, LARGEST_FROM_SANDBOX)
    while True:
        pass


def _succeeds(attempt: Callable[[], Any]) -> bool:
    try:
        attempt()
    except (OSError, MemoryError):
        return False
    return True


def _attempts(task: dict[str, Any]) -> dict[str, dict[str, Callable[[], Any]]]:
    return {
        "file": {f"read {path}": partial(_read, Path(path)) for path in task["secrets"]},
        "write": {f"write {path}": partial(Path(path).write_bytes, b"x") for path in task["places"]},
        "network": {
            "internet socket": lambda: socket.socket(socket.AF_INET),
            "netlink socket": lambda: socket.socket(socket.AF_NETLINK, socket.SOCK_RAW),
            "local socket": lambda: socket.socket(socket.AF_UNIX),
            "datagram pair": lambda: socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM),
        },
        "process": {"fork": _fork, "vfork": lambda: os.posix_spawn(sys.executable, [sys.executable, "-V"], {})},
        "signal": {
            "signal to the first process": lambda: os.kill(1, 0),
            "signal to the parent": lambda: os.kill(os.getppid(), 0),
            "signal to the host": lambda: os.kill(task["host"], 0),
        },
        "namespace": {
            "user namespace": lambda: _call("unshare", _CLONE_NEWUSER),
            "mount namespace": lambda: _call("unshare", _CLONE_NEWNS),
        },
        "program": {"program": lambda: os.execv(sys.executable, [sys.executable, "-V"])},  # noqa: S606 - must fail
        "memory": {"memory": lambda: bytearray(task["memory"])},
        "shared memory": {"more than its own": lambda: _fill(Path(task["shared_file"]), task["shared_memory"])},
    }


def _read(path: Path) -> None:
    with path.open("rb") as file:
        file.read(1)


def _fork() -> None:
    if os.fork() == 0:
        os._exit(0)


def _call(function: str, *arguments: int) -> None:
    if getattr(ctypes.CDLL(None, use_errno=True), function)(*arguments):
        raise OSError(ctypes.get_errno(), function)


def _fill(path: Path, size: int) -> None:
    with path.open("wb", buffering=0) as file:
        while file.tell() < size:
            file.write(bytes(1 << 16))


main()
