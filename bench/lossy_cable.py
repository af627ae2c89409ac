"""A cable to another machine that delays and loses what goes through it; two network namespaces stand for the machines.

The kernel's own queue for that, `tc netem`, is not in every kernel; a TUN device on either end is.
"""

from __future__ import annotations

import fcntl
import os
import select
import shutil
import struct
import subprocess
import threading
import time
import uuid
from collections import deque
from contextlib import suppress
from random import Random

_TUNSETIFF = 0x400454CA
_IFF_TUN, _IFF_NO_PI = 0x0001, 0x1000
_LARGEST = 65536  # B

HERE, THERE = "10.91.7.1", "10.91.7.2"
"""Addresses of this machine's end and of the other one's."""


class LossyCable:
    """Connects this machine's end with a namespace of its own, for a `with` block. Needs the rights to make both.

    Args:
        random: Decides what is lost.

    Attributes:
        delay: s in either direction.
        loss: Share of the packets that is lost, 0 to 1.
        machine: Name of the other machine's namespace, for `ip netns exec`.

    Raises:
        OSError: There are no such rights, or no TUN device.
        subprocess.CalledProcessError: Neither namespaces.
    """

    def __init__(self, random: Random) -> None:
        tag = uuid.uuid4().hex[:6]
        self.delay = self.loss = 0.0
        self.machine = f"lossy_{tag}"
        self._random = random
        self._names = (f"th{tag}", f"tt{tag}")
        self._closed = threading.Event()
        self._ends: list[int] = []
        self._threads: list[threading.Thread] = []

    def __enter__(self) -> LossyCable:
        """Plugs it in."""
        try:
            self._plug_in()
        except (OSError, subprocess.CalledProcessError):
            self._unplug()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        """Takes it away, and the other machine with it."""
        self._unplug()

    def _plug_in(self) -> None:
        self._ends = [_tun(name) for name in self._names]
        here, there = self._names
        _ip("netns", "add", self.machine)
        _ip("link", "set", there, "netns", self.machine)
        for namespace, device, address in (((), here, HERE), (("-n", self.machine), there, THERE)):
            _ip(*namespace, "address", "add", f"{address}/24", "dev", device)
            _ip(*namespace, "link", "set", device, "up")
        _ip("-n", self.machine, "link", "set", "lo", "up")
        for source, sink in (self._ends, self._ends[::-1]):
            thread = threading.Thread(target=self._carry, args=(source, sink), daemon=True)
            thread.start()
            self._threads.append(thread)

    def _unplug(self) -> None:
        self._closed.set()
        for thread in self._threads:
            thread.join()
        for end in self._ends:
            os.close(end)
        with suppress(OSError, subprocess.CalledProcessError):  # it was never made
            _ip("netns", "delete", self.machine)

    def _carry(self, source: int, sink: int) -> None:
        """Takes packets from one end to the other, each after the delay, in order."""
        waiting: deque[tuple[float, bytes]] = deque()
        while not self._closed.is_set():
            pause = max(0.0, waiting[0][0] - time.monotonic()) if waiting else 0.1
            if select.select([source], [], [], min(0.1, pause))[0]:
                packet = os.read(source, _LARGEST)
                if self._random.random() >= self.loss:
                    waiting.append((time.monotonic() + self.delay, packet))
            while waiting and waiting[0][0] <= time.monotonic():
                os.write(sink, waiting.popleft()[1])


def _tun(name: str) -> int:
    end = os.open("/dev/net/tun", os.O_RDWR)
    fcntl.ioctl(end, _TUNSETIFF, struct.pack("16sH", name.encode(), _IFF_TUN | _IFF_NO_PI))
    return end


def _ip(*arguments: str) -> None:
    program = shutil.which("ip")
    if program is None:
        raise FileNotFoundError("there is no `ip`")
    subprocess.run([program, *arguments], check=True, capture_output=True, text=True)
