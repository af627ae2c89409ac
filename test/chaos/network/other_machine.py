"""Another machine for this one to talk to: a network namespace, which is gone once this process is, however it ends."""

from __future__ import annotations

import secrets
import subprocess
import uuid

_HOLDER = "mount -t tmpfs none /dev/shm && ip link set lo up && echo made && exec cat"
"""Runs there until its input ends, which is when this process does. A namespace that has a name stays instead when
this process is killed; its cable takes the messages for the next one of that address then."""


class NoOtherMachineError(Exception):
    """None can be made here; the sentence says why."""


class OtherMachine:
    """Makes it for a `with` block. It shares no memory with this one.

    Attributes:
        here: Address of this machine's end of the cable between them.
        there: Of the other's. No two cables have the same.
        devices: Names for the network devices at this end and at the other.
    """

    def __init__(self) -> None:
        tag = uuid.uuid4().hex[:6]
        self.devices = (f"here_{tag}", f"there_{tag}")
        number = secrets.randbelow(2**14) * 4
        self.here, self.there = (f"10.77.{(number + end) // 256}.{(number + end) % 256}" for end in (1, 2))
        self._holder: subprocess.Popen[str] | None = None

    def __enter__(self) -> OtherMachine:
        """Makes it.

        Raises:
            NoOtherMachineError: There is no right to make namespaces, or no program that does.
        """
        words = ["unshare", "--net", "--mount", "sh", "-c", _HOLDER]
        pipe = subprocess.PIPE
        try:
            holder = subprocess.Popen(words, stdin=pipe, stdout=pipe, stderr=pipe, text=True)
        except FileNotFoundError as error:
            raise NoOtherMachineError(f"there is no {error.filename}") from error
        assert holder.stdout is not None
        if not holder.stdout.readline():
            raise NoOtherMachineError(f"no network namespace can be made: {holder.communicate()[1].strip()}")
        self._holder = holder
        return self

    def __exit__(self, *_: object) -> None:
        """Takes it away, and its devices with it."""
        assert self._holder is not None
        self._holder.communicate()

    def command(self, *words: str) -> list[str]:
        """Returns the command line that runs a command there, in the folder of this process."""
        assert self._holder is not None
        return ["nsenter", "--target", str(self._holder.pid), "--net", "--mount", "--wd", *words]

    def plug_in(self) -> None:
        """Connects both machines by the devices, which somebody made here.

        Raises:
            NoOtherMachineError: `ip` refused.
        """
        assert self._holder is not None
        here, there = self.devices
        ip("link", "set", there, "netns", str(self._holder.pid))
        for machine, device, address in ((None, here, self.here), (self, there, self.there)):
            ip("address", "add", f"{address}/30", "dev", device, on=machine)
            ip("link", "set", device, "up", on=machine)


def ip(*arguments: str, on: OtherMachine | None = None) -> str:
    """Returns the output of `ip` on this machine, or on the other.

    Raises:
        NoOtherMachineError: It refused, or there is no `ip`.
    """
    words = ["ip", *arguments]
    try:
        return subprocess.run(on.command(*words) if on else words, check=True, capture_output=True, text=True).stdout
    except FileNotFoundError as error:
        raise NoOtherMachineError(f"there is no {error.filename}") from error
    except subprocess.CalledProcessError as error:
        raise NoOtherMachineError(f"{' '.join(words)}: {error.stderr.strip()}") from error
