"""Canaries: decoys on this machine that detect attacks from a sandbox.

The decoys are files, servers, shared memory and a process.
"""

from __future__ import annotations

import hashlib
import os
import secrets
import shutil
import site
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path

import psutil

from corpus.canary_memory import SHARED, CanaryMemory
from corpus.canary_servers import CanaryServers

_PICTURE = bytes.fromhex(
    "89504e470d0a1a0a0000000d49484452000000010000000108000000003a7e9b550000000a49444154789c6360000000020001e221bc33"
    "0000000049454e44ae426082"
)
"""A PNG image of one pixel."""

_PLACES: tuple[str | Path, ...] = ("/tmp", "/var/tmp", "/run", SHARED, Path.home(), Path.cwd(), *site.getsitepackages())
"""Places where a persistent tool would leave a file."""


class Canaries:
    """Decoys that detect attacks. The caller must call `close` at the end.

    The decoys are files (one contains a secret), servers, shared memory and a process.

    Attributes:
        words: Placeholders in hostile sources, with the values of these canaries.
    """

    def __init__(self) -> None:
        name = f"canary{secrets.token_hex(6)}"
        self.secret = f"secret-{secrets.token_hex(16)}"
        self.fired = f"fired-{secrets.token_hex(16)}"
        self.folder = Path(tempfile.mkdtemp(prefix=f"{name}-"))
        self._mark = f"{name}-mark"
        self._files = {"secret.txt": self.secret.encode(), "target.txt": b"as it was", "picture.png": _PICTURE}
        self._files["storage.yaml"] = b"%YAML:1.0\n---\nx: 1\n"
        for file, content in self._files.items():
            (self.folder / file).write_bytes(content)
        self.servers = CanaryServers(self.folder, self.secret)
        self._memory = CanaryMemory(name, self.secret)
        program = f"import time; name = {self.secret!r}; time.sleep(3600)"
        self._process = subprocess.Popen([sys.executable, "-I", "-S", "-c", program], env={"NAME": self.secret})
        self._nice = os.getpriority(os.PRIO_PROCESS, self._process.pid)
        self._before = self._state()
        self.words: Mapping[str, object] = {
            "CANARY_SECRET": str(self.folder / "secret.txt"),
            "CANARY_TARGET": str(self.folder / "target.txt"),
            "CANARY_PICTURE": str(self.folder / "picture.png"),
            "CANARY_FOLDER": str(self.folder),
            "CANARY_TCP": self.servers.tcp,
            "CANARY_UDP": self.servers.udp,
            "CANARY_UNIX": self.servers.unix,
            "CANARY_ABSTRACT": self.servers.abstract,
            "CANARY_ALLOWED": self.servers.allowed,
            "CANARY_PID": self._process.pid,
            "CANARY_KEY": self._memory.key,
            "CANARY_SHM": name,
            "CANARY_MARK": self._mark,
            "CANARY_FIRED": self.fired,
        }

    def effects(self, told: str) -> list[str]:
        """Returns the effects of an attack on the canaries.

        Args:
            told: Output of the sandbox. It contains the secret if the attack read it, and another word if
                an attack that only its own process can notice reports success.
        """
        self.servers.settle()
        words = (("the secret", self.secret), ("success", self.fired))
        said = [f"{what} leaked" for what, word in words if word in told]
        return [*said, *self.servers.contacts, *self._memory.effects(), *self._changes()]

    def close(self) -> None:
        """Removes the canaries and all files that an attack created in their folder."""
        self._process.kill()
        self._process.wait()
        self._memory.close()
        self.servers.close()
        shutil.rmtree(self.folder, ignore_errors=True)
        for left in self._left():
            left.unlink(missing_ok=True)

    def _changes(self) -> Iterator[str]:
        now = self._state()
        yield from (f"{path} changed" for path in self._before.keys() | now if self._before.get(path) != now.get(path))
        yield from (f"{path} was left behind" for path in self._left())
        if self._process.poll() is not None:
            yield "the process was killed"
        elif psutil.Process(self._process.pid).status() in (psutil.STATUS_STOPPED, psutil.STATUS_TRACING_STOP):
            yield "the process was stopped"
        elif os.getpriority(os.PRIO_PROCESS, self._process.pid) != self._nice:
            yield "the process has another priority"

    def _left(self) -> list[Path]:
        names = ((place, name) for place in _PLACES for name in os.listdir(place))  # faster than a glob
        return [Path(place, name) for place, name in names if name.startswith(self._mark)]

    def _state(self) -> dict[str, tuple[int, int, str]]:
        if not self.folder.exists():
            return {}
        return {str(path): _facts(path) for path in self.folder.rglob("*")}


def _facts(path: Path) -> tuple[int, int, str]:
    state = path.lstat()
    content = path.read_bytes() if path.is_file() and not path.is_symlink() else b""
    return state.st_mode, state.st_mtime_ns, hashlib.sha256(content).hexdigest()
