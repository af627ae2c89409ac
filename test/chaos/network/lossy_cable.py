"""Network link to another machine, with packet delay and packet loss.

The link uses a TUN device at each end, because some kernels lack `tc netem`.
"""

from __future__ import annotations

import fcntl
import os
import select
import struct
import threading
import time
from collections import deque
from contextlib import ExitStack
from random import Random

from chaos.network.other_machine import NoOtherMachineError, OtherMachine

_TUNSETIFF = 0x400454CA
_IFF_TUN, _IFF_NO_PI = 0x0001, 0x1000
_LARGEST = 65536  # B


class LossyCable:
    """Network link to a simulated machine, as a context manager.

    Args:
        random: Decides which packets are lost.

    Attributes:
        delay: Delay in either direction, s.
        loss: Share of lost packets, 0 to 1.
        machine: The other machine.
    """

    def __init__(self, random: Random) -> None:
        self.delay = self.loss = 0.0
        self.machine = OtherMachine()
        self._random = random
        self._closed = threading.Event()
        self._taken_away = ExitStack()

    def __enter__(self) -> LossyCable:
        """Creates the machine and the link.

        Raises:
            NoOtherMachineError: This user may not create namespaces or TUN devices.
        """
        with ExitStack() as undone:
            undone.enter_context(self.machine)
            self._plug_in(undone)
            self._taken_away = undone.pop_all()
        return self

    def __exit__(self, *_: object) -> None:
        """Removes the link and the machine."""
        self._taken_away.close()

    def _plug_in(self, undone: ExitStack) -> None:
        ends = []
        for name in self.machine.devices:
            ends.append(_tun(name))
            undone.callback(os.close, ends[-1])
        self.machine.plug_in()
        for source, sink in (ends, ends[::-1]):
            thread = threading.Thread(target=self._carry, args=(source, sink), daemon=True)
            thread.start()
            undone.callback(thread.join)
        undone.callback(self._closed.set)

    def _carry(self, source: int, sink: int) -> None:
        """Forwards packets from one end of the link to the other, in the original order and after the delay."""
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
    try:
        end = os.open("/dev/net/tun", os.O_RDWR)
        fcntl.ioctl(end, _TUNSETIFF, struct.pack("16sH", name.encode(), _IFF_TUN | _IFF_NO_PI))
    except OSError as error:
        raise NoOtherMachineError(f"a TUN device cannot be created: {error.strerror}") from error
    return end
