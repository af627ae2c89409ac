"""Enclosures: how a box is closed on this host, what the kernel lets it take, and the command that starts it.

`Bubblewrap` makes the full box: new namespaces with an empty root. `Landlocked` makes the lesser one where namespaces
are not available: Landlock, both filters, resource limits and a user of its own. No file can be written in it at all.
Landlock bounds where a process writes, not how much, and its first versions do not know of truncation; so the filter
refuses every way to open a file but for reading.
"""

from __future__ import annotations

import json
import math
import shutil
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Protocol

import reachy_agent_ros
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.tool_generation.job import MEBIBYTE, Limits
from reachy_agent_ros.tool_generation.sandbox import landlock
from reachy_agent_ros.tool_generation.sandbox.rootfs import INSIDE, RootFs
from reachy_agent_ros.tool_generation.sandbox.seccomp import box_filter, machine, no_exec_filter

SCRATCH, SHARED_MEMORY = "/tmp", "/dev/shm"  # noqa: S108 - the box's own
"""Folders that whoever is in a box may write into."""

ENVIRONMENT = {
    "HOME": SCRATCH,
    "LANG": "C.UTF-8",
    **dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "OPENCV_FOR_THREADS_NUM"), "1"),
}
"""All variables that a box has. A pool of BLAS threads would be most of its address space."""

FILE_SIZE = 8 * MEBIBYTE
OPEN_FILES = 64
THREADS = 4096
"""Of its user in all, for so the kernel counts them: far above what a person's programs have, far below what it has."""

WARM_UP = 5
"""s of processor time that starting may take on top of the run."""

_SCRATCH_SIZE = 16 * MEBIBYTE
_SHARED_MEMORY_SIZE = MEBIBYTE

_NOBODY = "65534"
_IMPORT_PATH = "/packages"
_PYTHON = "/usr/bin/python3"
_LIBRARY = f"/usr/lib/python{sys.version_info.major}.{sys.version_info.minor}"

_DEVICES = (Path("/dev/null"), Path("/dev/zero"), Path("/dev/urandom"))


class SandboxTier(StrEnum):
    """From the strongest; what is weaker than these is no box."""

    NAMESPACES = "namespaces"
    """bubblewrap, system call filters and resource limits."""

    LANDLOCK = "landlock"
    """No namespaces: Landlock, system call filters, resource limits and a user of its own. People review each tool."""


@dataclass(frozen=True)
class Descriptors:
    """File descriptors that the starting process inherits.

    Attributes:
        read: The box reads its frames from it.
        write: The box writes its frames to it.
        status: Takes one line of JSON with the host's `child-pid`, whose death is the end of the box.
        filter: Holds the first system call filter.
    """

    read: int
    write: int
    status: int
    filter: int

    @property
    def all(self) -> tuple[int, ...]:
        """Each of them."""
        return (self.read, self.write, self.status, self.filter)


class SandboxBackend(Protocol):
    """A way to start a box."""

    @property
    def tier(self) -> SandboxTier:
        """Which kind of box."""

    @property
    def first_filter(self) -> bytes:
        """System call filter that is on from the first instruction."""

    def command(self, entry: str, limits: Limits, overhead: int, descriptors: Descriptors) -> list[str]:
        """Command line that starts a box.

        Args:
            entry: Name of a file of `tool_generation/guest/`.
            limits: What the run may use.
            overhead: bytes of address space that come on top of its memory.
            descriptors: What it inherits.
        """

    def close(self) -> None:
        """Removes what boxes needed on the host."""


def resource_limits(limits: Limits, overhead: int) -> Mapping[str, int]:
    """Hard limits by their name in lower case, as `prlimit` and `resource.RLIMIT_*` have it.

    Args:
        limits: Of the run. Its time is kept by the host's clock; here it bounds what a host that is gone leaves.
        overhead: bytes of address space that the interpreter and its libraries take.
    """
    return {
        "as": overhead + limits.memory,
        "cpu": math.ceil(limits.time) + WARM_UP,
        "nofile": OPEN_FILES,
        "fsize": FILE_SIZE,
        "core": 0,
        "stack": 8 * MEBIBYTE,
        "nproc": THREADS,
        "msgqueue": 0,
        "memlock": 0,
    }


class Bubblewrap:
    """Boxes of the tier `NAMESPACES`.

    Args:
        interior: What they see of the host.

    Raises:
        AgentError: `SANDBOX_UNAVAILABLE`: a program is missing, or this is another kind of machine.
    """

    tier = SandboxTier.NAMESPACES

    def __init__(self, interior: RootFs) -> None:
        self._programs = [_find("prlimit", "util-linux"), _find("bwrap", "bubblewrap")]
        self.first_filter = box_filter(machine(), scratch=True)
        self._second_filter = no_exec_filter(machine()).hex()
        self._root = [*_namespaces(), *_files(interior), *_devices()]

    @property
    def programs(self) -> list[Path]:
        """Of the host, that start a box."""
        return [Path(program) for program in self._programs]

    def command(self, entry: str, limits: Limits, overhead: int, descriptors: Descriptors) -> list[str]:
        """See `SandboxBackend`."""
        prlimit, bwrap = self._programs
        ceilings = [f"--{name}={value}" for name, value in resource_limits(limits, overhead).items()]
        status = ["--json-status-fd", str(descriptors.status), "--seccomp", str(descriptors.filter)]
        worker = [_PYTHON, "-I", "-S", "-B", f"{_IMPORT_PATH}/{INSIDE}/{entry}"]
        pipes = [str(descriptors.read), str(descriptors.write)]
        # Everything is in its place when the root becomes read-only.
        start = ["--remount-ro", "/", "--", *worker, *pipes, self._second_filter, _IMPORT_PATH]
        return [prlimit, *ceilings, "--", bwrap, *self._root, *status, *start]

    def close(self) -> None:
        """Nothing is left of a box."""


class Landlocked:
    """Boxes of the tier `LANDLOCK`.

    Args:
        interior: What they see of the host.

    Raises:
        AgentError: `SANDBOX_UNAVAILABLE`: the kernel has no Landlock, or this is another kind of machine.
    """

    tier = SandboxTier.LANDLOCK

    def __init__(self, interior: RootFs) -> None:
        if not landlock.version():
            raise AgentError(ErrorCode.SANDBOX_UNAVAILABLE, "the kernel has no Landlock, or it is off.")
        self.first_filter = box_filter(machine(), scratch=False)
        self._second_filter = no_exec_filter(machine()).hex()
        self._interior = interior
        # The whole of site-packages is not to be listed, and Python finds nothing in a folder it cannot list.
        self._folder = tempfile.TemporaryDirectory(prefix="reachy_agent_box_")
        self.import_path.chmod(0o755)
        for name, path in interior.packages:
            link = self.import_path / name
            link.parent.mkdir(parents=True, exist_ok=True)
            link.symlink_to(path)

    @property
    def import_path(self) -> Path:
        """Folder of links to what a box may import."""
        return Path(self._folder.name)

    def command(self, entry: str, limits: Limits, overhead: int, descriptors: Descriptors) -> list[str]:
        """See `SandboxBackend`."""
        interior, place = self._interior, str(self.import_path)
        worker = [str(interior.interpreter), "-I", "-S", "-B", f"{place}/{INSIDE}/{entry}"]
        pipes = [str(descriptors.read), str(descriptors.write)]
        packages = [path.resolve() for _, path in interior.packages]
        plan = {
            "limits": dict(resource_limits(limits, overhead)),
            "status": descriptors.status,
            "filter": descriptors.filter,
            "readable": list(
                map(str, (self.import_path, interior.standard_library, *packages, *interior.data, *_DEVICES))
            ),
            "runnable": list(map(str, (interior.interpreter, *interior.libraries))),
            "command": [*worker, *pipes, self._second_filter, place],
            "environment": ENVIRONMENT,
        }
        root = Path(reachy_agent_ros.__path__[0]).parent
        start = f"import sys; sys.path.insert(0, {str(root)!r}); from {landlock.__name__} import main; main()"
        return [sys.executable, "-I", "-S", "-B", "-c", start, json.dumps(plan)]

    def close(self) -> None:
        """Removes the folder of links."""
        self._folder.cleanup()


def _find(program: str, package: str) -> str:
    path = shutil.which(program)
    if path is None:
        raise AgentError(ErrorCode.SANDBOX_UNAVAILABLE, f"{program} is not installed: apt install {package}.")
    return str(Path(path).resolve())


def _namespaces() -> list[str]:
    variables = [word for name, value in ENVIRONMENT.items() for word in ("--setenv", name, value)]
    identity = ["--uid", _NOBODY, "--gid", _NOBODY, "--hostname", "box", "--cap-drop", "ALL"]
    ties = ["--new-session", "--die-with-parent"]  # no terminal to type into, and no box without its host
    return ["--unshare-all", "--unshare-user", "--disable-userns", *identity, *ties, "--clearenv", *variables]


def _files(interior: RootFs) -> list[str]:
    """No /proc, no /sys, no shell, and nothing private: as root, the box may read what root may."""
    binds = [(str(path), _within(path)) for path in interior.libraries]
    binds += [(str(path), str(path)) for path in interior.data]
    binds += [(str(interior.interpreter), _PYTHON), (str(interior.standard_library), _LIBRARY)]
    binds += [(str(path), f"{_IMPORT_PATH}/{name}") for name, path in interior.packages]
    words = [word for source, place in binds for word in ("--ro-bind", source, place)]
    if Path("/lib").is_symlink():
        words += ["--symlink", "usr/lib", "/lib"]
    for folder in ("site-packages", "dist-packages"):
        if (interior.standard_library / folder).is_dir():
            words += ["--size", "4096", "--tmpfs", f"{_LIBRARY}/{folder}", "--remount-ro", f"{_LIBRARY}/{folder}"]
    return [*words, "--size", str(_SCRATCH_SIZE), "--tmpfs", SCRATCH, "--chdir", SCRATCH]


def _within(library: Path) -> str:
    """A libpython of its own is bound where the loader looks by itself."""
    return str(library) if library.is_dir() else f"/usr/lib/{library.name}"


def _devices() -> list[str]:
    """Without the size and the remount, both would take any amount of the host's memory."""
    shared = ["--size", str(_SHARED_MEMORY_SIZE), "--tmpfs", SHARED_MEMORY]
    return ["--dev", "/dev", *shared, "--remount-ro", "/dev"]
