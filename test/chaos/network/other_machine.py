"""Simulated second machine: a network namespace that ends with this process.

It ends even if the process is killed.
"""

from __future__ import annotations

import secrets
import subprocess
import uuid

_HOLDER = "mount -t tmpfs none /dev/shm && ip link set lo up && echo made && exec cat"
"""Shell command that keeps the namespace alive until its standard input closes, at the latest when this process ends. A
named namespace would remain after a kill, and its link would receive the messages for the next machine."""


class NoOtherMachineError(Exception):
    """Error: a second machine cannot be simulated. The message states the reason."""


class OtherMachine:
    """Context manager for a simulated machine that shares no memory with this machine.

    Attributes:
        here: IP address of this machine on the link. The pair of addresses is random.
        there: IP address of the other machine on the link.
        devices: Names of the network devices of this and of the other machine.
    """

    def __init__(self) -> None:
        tag = uuid.uuid4().hex[:6]
        self.devices = (f"here_{tag}", f"there_{tag}")
        number = secrets.randbelow(2**14) * 4
        self.here, self.there = (f"10.77.{(number + end) // 256}.{(number + end) % 256}" for end in (1, 2))
        self._holder: subprocess.Popen[str] | None = None

    def __enter__(self) -> OtherMachine:
        """Creates the namespace.

        Raises:
            NoOtherMachineError: This user may not create namespaces, or `unshare` is not installed.
        """
        words = ["unshare", "--net", "--mount", "sh", "-c", _HOLDER]
        pipe = subprocess.PIPE
        try:
            holder = subprocess.Popen(words, stdin=pipe, stdout=pipe, stderr=pipe, text=True)
        except FileNotFoundError as error:
            raise NoOtherMachineError(f"{error.filename} is not installed") from error
        assert holder.stdout is not None
        if not holder.stdout.readline():
            raise NoOtherMachineError(f"a network namespace cannot be created: {holder.communicate()[1].strip()}")
        self._holder = holder
        return self

    def __exit__(self, *_: object) -> None:
        """Removes the namespace and its devices."""
        assert self._holder is not None
        self._holder.communicate()

    def command(self, *words: str) -> list[str]:
        """Returns the command line that runs a command on the other machine, in the current working directory."""
        assert self._holder is not None
        return ["nsenter", "--target", str(self._holder.pid), "--net", "--mount", "--wd", *words]

    def plug_in(self) -> None:
        """Connects both machines with the network devices `devices`, which must already exist on this machine.

        Raises:
            NoOtherMachineError: An `ip` command failed.
        """
        assert self._holder is not None
        here, there = self.devices
        ip("link", "set", there, "netns", str(self._holder.pid))
        for machine, device, address in ((None, here, self.here), (self, there, self.there)):
            ip("address", "add", f"{address}/30", "dev", device, on=machine)
            ip("link", "set", device, "up", on=machine)


def ip(*arguments: str, on: OtherMachine | None = None) -> str:
    """Runs the command `ip` on this machine or on a simulated machine. Returns the output.

    Raises:
        NoOtherMachineError: The command failed, or `ip` is not installed.
    """
    words = ["ip", *arguments]
    try:
        return subprocess.run(on.command(*words) if on else words, check=True, capture_output=True, text=True).stdout
    except FileNotFoundError as error:
        raise NoOtherMachineError(f"{error.filename} is not installed") from error
    except subprocess.CalledProcessError as error:
        raise NoOtherMachineError(f"{' '.join(words)}: {error.stderr.strip()}") from error
