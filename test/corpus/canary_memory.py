"""Three forms of shared memory on this machine, which contain a secret."""

from __future__ import annotations

import ctypes
import errno
import os
import secrets
from collections.abc import Iterator
from pathlib import Path

SHARED = Path("/dev/shm")

_CREATE = 0o1000
_ONLY_NEW = 0o2000
_REMOVE = 0
_SIZE = 4096


class CanaryMemory:
    """Shared memory segments: System V, POSIX, and POSIX with a name such as Fast DDS (ROS transport) uses.

    Args:
        name: Name of the latter two, unique on this machine.
        secret: Their content.

    Attributes:
        key: Key of the System V segment, unique on this machine.

    Raises:
        OSError: The machine has no System V shared memory.
    """

    def __init__(self, name: str, secret: str) -> None:
        self._secret = secret.encode()
        self._files = [SHARED / name, SHARED / f"fastdds_{name}"]
        self._libc = ctypes.CDLL(None, use_errno=True)
        self._libc.shmat.restype = ctypes.c_void_p
        self.key, self._segment = self._new_segment()
        self._place = self._libc.shmat(self._segment, None, 0)
        if self._place in (None, ctypes.c_void_p(-1).value):
            raise _unavailable()
        ctypes.memmove(self._place, self._secret, len(self._secret))
        for file in self._files:
            file.write_bytes(self._secret)

    def effects(self) -> Iterator[str]:
        """Yields a description of each change to the memory segments."""
        if ctypes.string_at(self._place, len(self._secret)) != self._secret:
            yield "System V shared memory was written"
        if self._libc.shmget(self.key, 0, 0) != self._segment:
            yield "System V shared memory was removed"
        for file in self._files:
            if not file.exists():
                yield f"{file} was removed"
            elif file.read_bytes() != self._secret:
                yield f"{file} was written"

    def close(self) -> None:
        """Removes the memory segments."""
        self._libc.shmdt(ctypes.c_void_p(self._place))
        self._libc.shmctl(self._segment, _REMOVE, None)
        for file in self._files:
            file.unlink(missing_ok=True)

    def _new_segment(self) -> tuple[int, int]:
        """Creates a segment, and returns its key and its id.

        If a key is in use, its segment belongs to other canaries or to a killed test run.
        """
        while True:
            key = 1 + secrets.randbelow((1 << 31) - 1)
            segment = self._libc.shmget(key, _SIZE, _CREATE | _ONLY_NEW | 0o600)
            if segment >= 0:
                return key, segment
            if ctypes.get_errno() != errno.EEXIST:
                raise _unavailable()


def _unavailable() -> OSError:
    number = ctypes.get_errno()
    return OSError(number, f"System V shared memory is not available: {os.strerror(number)}")
