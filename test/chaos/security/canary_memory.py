"""Memory that processes of this machine share, in the three ways that Linux has, with a secret in it."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from pathlib import Path

SHARED = Path("/dev/shm")

_CREATE = 0o1000
_REMOVE = 0
_SIZE = 4096


class CanaryMemory:
    """A System V segment, a POSIX segment, and one that is called as Fast DDS calls those that ROS speaks through.

    Args:
        name: Of the latter two, unique on this machine.
        secret: What they hold.

    Attributes:
        key: Of the System V segment.
    """

    def __init__(self, name: str, secret: str) -> None:
        self.key = int.from_bytes(name.encode()[-3:], "big") | 0x40000000
        self._secret = secret.encode()
        self._files = [SHARED / name, SHARED / f"fastdds_{name}"]
        self._libc = ctypes.CDLL(None, use_errno=True)
        self._libc.shmat.restype = ctypes.c_void_p
        self._segment = self._libc.shmget(self.key, _SIZE, _CREATE | 0o600)
        self._place = self._libc.shmat(self._segment, None, 0)
        if self._segment < 0 or self._place in (None, ctypes.c_void_p(-1).value):
            raise OSError(ctypes.get_errno(), "no System V shared memory here")
        ctypes.memmove(self._place, self._secret, len(self._secret))
        for file in self._files:
            file.write_bytes(self._secret)

    def effects(self) -> Iterator[str]:
        """What is no longer as it was."""
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
        """Frees them."""
        self._libc.shmdt(ctypes.c_void_p(self._place))
        self._libc.shmctl(self._segment, _REMOVE, None)
        for file in self._files:
            file.unlink(missing_ok=True)
