"""A cable to another machine that delays and loses what goes through it.

The kernel's own queue for that, `tc netem`, is not in every kernel; a TUN device on either end is.
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
    """Plugs it in for a `with` block.

    Args:
        random: Decides what is lost.

    Attributes:
        delay: s in either direction.
        loss: Share of the packets that is lost, 0 to 1.
        machine: The other machine.
    """

    def __init__(self, random: Random) -> None:
        self.delay = self.loss = 0.0
        self.machine = OtherMachine()
        self._random = random
        self._closed = threading.Event()
        self._taken_away = ExitStack()

    def __enter__(self) -> LossyCable:
        """Makes both.

        Raises:
            NoOtherMachineError: There is no right to make namespaces, or TUN devices.
        """
        with ExitStack() as undone:
            undone.enter_context(self.machine)
            self._plug_in(undone)
            self._taken_away = undone.pop_all()
        return self

    def __exit__(self, *_: object) -> None:
        """Takes it away, and the other machine with it."""
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
    try:
        end = os.open("/dev/net/tun", os.O_RDWR)
        fcntl.ioctl(end, _TUNSETIFF, struct.pack("16sH", name.encode(), _IFF_TUN | _IFF_NO_PI))
    except OSError as error:
        raise NoOtherMachineError(f"no TUN device can be made: {error.strerror}") from error
    return end
