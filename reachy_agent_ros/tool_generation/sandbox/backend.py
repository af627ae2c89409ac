"""Sandbox backends: isolation mechanism, resource limits and start command of a sandbox process.

`Bubblewrap` provides the full sandbox: new namespaces with an empty root. `Landlocked` is weaker, for hosts
without namespaces: Landlock, both filters, resource limits and, if the host runs as root, another user. It does not
permit writing any file: Landlock restricts where a process writes, not how much, and its first versions ignore
truncation. Therefore the filter rejects every way to open a file except for reading.
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
from reachy_agent_ros.tool_generation.sandbox.seccomp import machine, no_exec_filter, sandbox_filter

SCRATCH, SHARED_MEMORY = "/tmp", "/dev/shm"  # noqa: S108 - inside the sandbox
"""Folders to which a process may write in the tier `NAMESPACES`. In the tier `LANDLOCK`, it may write nowhere."""

ENVIRONMENT = {
    "HOME": SCRATCH,
    "LANG": "C.UTF-8",
    **dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "OPENCV_FOR_THREADS_NUM"), "1"),
}
"""Complete environment of a sandboxed process. A BLAS thread pool would use most of its address space."""

FILE_SIZE = 8 * MEBIBYTE
OPEN_FILES = 64
THREADS = 4096
"""Limit for all threads of the user, as counted by the kernel: far above normal use, far below the system limit."""

WARM_UP = 5
"""Processor time for the start, in addition to the run, s."""

_SCRATCH_SIZE = 16 * MEBIBYTE
_SHARED_MEMORY_SIZE = MEBIBYTE

_NOBODY = "65534"
_IMPORT_PATH = "/packages"
_PYTHON = "/usr/bin/python3"
_LIBRARY = f"/usr/lib/python{sys.version_info.major}.{sys.version_info.minor}"

_DEVICES = (Path("/dev/null"), Path("/dev/zero"), Path("/dev/urandom"))


class SandboxTier(StrEnum):
    """Isolation tiers of sandboxes. The strongest tier is first."""

    NAMESPACES = "namespaces"
    """bubblewrap, system call filters and resource limits."""

    LANDLOCK = "landlock"
    """Landlock, system call filters, resource limits and, if the host runs as root, another user. No namespaces.

    People review each tool.
    """


@dataclass(frozen=True)
class Descriptors:
    """File descriptors that the sandbox process inherits when it starts.

    Attributes:
        read: Descriptor from which the sandbox reads its frames.
        write: Descriptor to which the sandbox writes its frames.
        status: Descriptor for one line of JSON with the host's `child-pid`, whose death ends the sandbox.
        filter: Descriptor that contains the first system call filter.
    """

    read: int
    write: int
    status: int
    filter: int

    @property
    def all(self) -> tuple[int, ...]:
        """All inherited descriptors."""
        return (self.read, self.write, self.status, self.filter)


class SandboxBackend(Protocol):
    """Protocol of sandbox backends, which isolate and start sandbox processes."""

    @property
    def tier(self) -> SandboxTier:
        """Tier of the sandbox."""

    @property
    def first_filter(self) -> bytes:
        """System call filter that is active from the first instruction of the process."""

    def command(self, entry: str, limits: Limits, overhead: int, descriptors: Descriptors) -> list[str]:
        """Returns the command line that starts a sandbox process.

        Args:
            entry: Name of a file in `tool_generation/guest/`.
            limits: Limits of the run.
            overhead: Bytes of address space in addition to the memory limit.
            descriptors: Inherited file descriptors.
        """

    def close(self) -> None:
        """Deletes the files that the backend has created on the host."""


def processor_time(limits: Limits) -> int:
    """Returns the maximum processor time (s) of a run, to which all threads count, and the start of the process."""
    return math.ceil(limits.time) + WARM_UP


def resource_limits(limits: Limits, overhead: int) -> Mapping[str, tuple[int, int]]:
    """Returns soft and hard limits by their lower-case names, which `prlimit` and `resource.RLIMIT_*` also use.

    Args:
        limits: Limits of the run. The host's clock enforces the time limit. The limit of the processor time ends a run
            earlier if several threads compute at once, and ends the process if the host dies.
        overhead: Bytes of address space that the interpreter and its libraries take.
    """
    ceilings = {
        "as": overhead + limits.memory,
        "nofile": OPEN_FILES,
        "fsize": FILE_SIZE,
        "core": 0,
        "stack": 8 * MEBIBYTE,
        "nproc": THREADS,
        "msgqueue": 0,
        "memlock": 0,
    }
    # At the soft limit, the kernel sends SIGXCPU, which tells the host the reason. At the hard limit, it kills.
    seconds = processor_time(limits)
    return {"cpu": (seconds, seconds + 1), **{name: (value, value) for name, value in ceilings.items()}}


class Bubblewrap:
    """Sandbox backend of the tier `NAMESPACES`.

    Args:
        interior: Host files that are visible in the sandbox.

    Raises:
        AgentError: `SANDBOX_UNAVAILABLE`: a program is missing, or the machine type is not supported.
    """

    tier = SandboxTier.NAMESPACES

    def __init__(self, interior: RootFs) -> None:
        self._programs = [_find("prlimit", "util-linux"), _find("bwrap", "bubblewrap")]
        self.first_filter = sandbox_filter(machine(), scratch=True)
        self._second_filter = no_exec_filter(machine()).hex()
        self._root = [*_namespaces(), *_files(interior), *_devices()]

    @property
    def programs(self) -> list[Path]:
        """Programs of the host that start the sandbox."""
        return [Path(program) for program in self._programs]

    def command(self, entry: str, limits: Limits, overhead: int, descriptors: Descriptors) -> list[str]:
        """See `SandboxBackend`."""
        prlimit, bwrap = self._programs
        ceilings = [f"--{name}={soft}:{hard}" for name, (soft, hard) in resource_limits(limits, overhead).items()]
        status = ["--json-status-fd", str(descriptors.status), "--seccomp", str(descriptors.filter)]
        worker = [_PYTHON, "-I", "-S", "-B", f"{_IMPORT_PATH}/{INSIDE}/{entry}"]
        pipes = [str(descriptors.read), str(descriptors.write)]
        # Everything must be in place before the root becomes read-only.
        start = ["--remount-ro", "/", "--", *worker, *pipes, self._second_filter, _IMPORT_PATH]
        return [prlimit, *ceilings, "--", bwrap, *self._root, *status, *start]

    def close(self) -> None:
        """Does nothing, because this backend creates no files on the host."""


class Landlocked:
    """Sandbox backend of the tier `LANDLOCK`.

    Args:
        interior: Host files that are visible in the sandbox.

    Raises:
        AgentError: `SANDBOX_UNAVAILABLE`: the kernel has no Landlock, or the machine type is not supported.
    """

    tier = SandboxTier.LANDLOCK

    def __init__(self, interior: RootFs) -> None:
        if not landlock.version():
            raise AgentError(ErrorCode.SANDBOX_UNAVAILABLE, "the kernel has no Landlock, or it is disabled.")
        self.first_filter = sandbox_filter(machine(), scratch=False)
        self._second_filter = no_exec_filter(machine()).hex()
        self._interior = interior
        # Links, because site-packages must stay hidden, and Python finds nothing in a folder that it cannot list.
        self._folder = tempfile.TemporaryDirectory(prefix="reachy_agent_box_")
        self.import_path.chmod(0o755)
        for name, path in interior.packages:
            link = self.import_path / name
            link.parent.mkdir(parents=True, exist_ok=True)
            link.symlink_to(path)

    @property
    def import_path(self) -> Path:
        """Folder with links to the packages that a sandboxed process may import."""
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
        """Deletes the folder with the links."""
        self._folder.cleanup()


def _find(program: str, package: str) -> str:
    path = shutil.which(program)
    if path is None:
        raise AgentError(ErrorCode.SANDBOX_UNAVAILABLE, f"{program} is not installed. Run: apt install {package}.")
    return str(Path(path).resolve())


def _namespaces() -> list[str]:
    variables = [word for name, value in ENVIRONMENT.items() for word in ("--setenv", name, value)]
    identity = ["--uid", _NOBODY, "--gid", _NOBODY, "--hostname", "box", "--cap-drop", "ALL"]
    ties = ["--new-session", "--die-with-parent"]  # no access to the terminal; ends with its host
    return ["--unshare-all", "--unshare-user", "--disable-userns", *identity, *ties, "--clearenv", *variables]


def _files(interior: RootFs) -> list[str]:
    """Returns the options of bubblewrap that mount the visible files.

    They exclude /proc, /sys, shells and private files, which a sandbox of the user root could read.
    """
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
    """Returns the path of a library in the sandbox.

    A separate libpython is mounted in the folder where the loader looks by default.
    """
    return str(library) if library.is_dir() else f"/usr/lib/{library.name}"


def _devices() -> list[str]:
    """Returns the options of bubblewrap that mount devices and shared memory.

    A size limit and a read-only remount keep them from filling the host's memory.
    """
    shared = ["--size", str(_SHARED_MEMORY_SIZE), "--tmpfs", SHARED_MEMORY]
    return ["--dev", "/dev", *shared, "--remount-ro", "/dev"]
