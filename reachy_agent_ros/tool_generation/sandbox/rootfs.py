"""Files of the host that are visible in a sandbox.

They are an interpreter, its standard library, shared libraries, time zones, a few packages, and the worker.
"""

from __future__ import annotations

import compileall
import importlib.util
import os
import sys
import sysconfig
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from reachy_agent_ros.tool_generation import guest

PACKAGES = ("numpy", "cv2", "PIL")

INSIDE = "reachy_agent_ros/tool_generation/guest"
"""Path of the worker below the import path of the sandbox."""

_BUNDLED = {"numpy": "numpy.libs", "cv2": "opencv*.libs", "PIL": "pillow.libs"}
"""Folders of shared libraries that wheels install next to their package."""


@dataclass(frozen=True)
class RootFs:
    """Files of the host that are visible in a sandbox.

    Attributes:
        interpreter: Python interpreter of this process, with the link of the virtual environment resolved.
        standard_library: Folder of the standard library. It may contain `site-packages`, which must stay hidden.
        libraries: Folders and files of shared libraries, and the loader.
        packages: Packages by name below the import path of the sandbox.
        data: Data of the standard library: time zones.
    """

    interpreter: Path
    standard_library: Path
    libraries: tuple[Path, ...]
    packages: tuple[tuple[str, Path], ...]
    data: tuple[Path, ...]


@cache
def rootfs() -> RootFs:
    """Returns the files of this host that its sandboxes use."""
    return RootFs(
        interpreter=Path(sys.executable).resolve(),
        standard_library=Path(sysconfig.get_path("stdlib")).resolve(),
        libraries=tuple(_libraries()),
        packages=tuple(_packages()),
        data=tuple(path for path in (Path("/usr/share/zoneinfo"),) if path.is_dir()),
    )


def _libraries() -> list[Path]:
    folder = sysconfig.get_config_var("MULTIARCH") or ""
    candidates = [
        Path("/usr/lib", folder) if folder else None,
        Path("/usr/lib64"),
        Path("/lib64"),
        Path("/etc/alternatives"),
    ]
    if not os.path.islink("/lib"):
        candidates.append(Path("/lib", folder))
    if sysconfig.get_config_var("Py_ENABLE_SHARED"):
        candidates.append(Path(sysconfig.get_config_var("LIBDIR"), sysconfig.get_config_var("INSTSONAME")))
    return [path for path in candidates if path and path.exists()]


def _packages() -> list[tuple[str, Path]]:
    found = [(INSIDE, _compiled(Path(guest.__path__[0]).resolve()))]
    for name in PACKAGES:
        spec = importlib.util.find_spec(name)  # finds it without importing it
        if spec is None or spec.origin is None:
            continue
        folder = spec.submodule_search_locations
        path = Path(folder[0] if folder else spec.origin)
        found += [(item.name, item) for item in (path, *path.parent.glob(_BUNDLED[name]))]
    return found


def _compiled(folder: Path) -> Path:
    """Compiles a folder to bytecode if it is writable.

    Otherwise, each sandbox would compile the folder when it starts.
    """
    compileall.compile_dir(folder, quiet=2)
    return folder
