"""The full box: new namespaces with an empty root, made by bubblewrap."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.tool_generation.job import MEBIBYTE, Limits
from reachy_agent_ros.tool_generation.sandbox.enclosure import (
    ENVIRONMENT,
    SCRATCH,
    SHARED_MEMORY,
    Descriptors,
    Tier,
    resource_limits,
)
from reachy_agent_ros.tool_generation.sandbox.interior import INSIDE, Interior
from reachy_agent_ros.tool_generation.sandbox.seccomp import box_filter, machine, no_exec_filter

SCRATCH_SIZE = 16 * MEBIBYTE
SHARED_MEMORY_SIZE = MEBIBYTE

_NOBODY = "65534"
_IMPORT_PATH = "/packages"
_PYTHON = "/usr/bin/python3"
_LIBRARY = f"/usr/lib/python{sys.version_info.major}.{sys.version_info.minor}"


class Bubblewrap:
    """Boxes of the tier `NAMESPACES`.

    Args:
        interior: What they see of the host.

    Raises:
        AgentError: `SANDBOX_UNAVAILABLE`: a program is missing, or this is another kind of machine.
    """

    tier = Tier.NAMESPACES

    def __init__(self, interior: Interior) -> None:
        self._programs = [_find("prlimit", "util-linux"), _find("bwrap", "bubblewrap")]
        self.first_filter = box_filter(machine(), scratch=True)
        self._second_filter = no_exec_filter(machine()).hex()
        self._root = [*_namespaces(), *_files(interior), *_devices()]

    @property
    def programs(self) -> list[Path]:
        """Of the host, that start a box."""
        return [Path(program) for program in self._programs]

    def command(self, entry: str, limits: Limits, overhead: int, descriptors: Descriptors) -> list[str]:
        """See `Enclosure`."""
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


def _files(interior: Interior) -> list[str]:
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
    return [*words, "--size", str(SCRATCH_SIZE), "--tmpfs", SCRATCH, "--chdir", SCRATCH]


def _within(library: Path) -> str:
    """A libpython of its own is bound where the loader looks by itself."""
    return str(library) if library.is_dir() else f"/usr/lib/{library.name}"


def _devices() -> list[str]:
    """Without the size and the remount, both would take any amount of the host's memory."""
    shared = ["--size", str(SHARED_MEMORY_SIZE), "--tmpfs", SHARED_MEMORY]
    return ["--dev", "/dev", *shared, "--remount-ro", "/dev"]
