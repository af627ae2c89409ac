"""Worker process of the sandbox. It installs the second filter, imports libraries, runs one job and ends.

Started by path, without site-packages and the current folder: `worker.py READ_FD WRITE_FD SECOND_FILTER_HEX PACKAGES`.
"""

from __future__ import annotations

import importlib
import os
import sys
import types
from typing import Any

_NAME = "guest"
_LIBRARIES = (
    *("numpy", "cv2", "reachy_mini", "requests", "asyncio", "guest.clock"),
    *("datetime", "json", "random", "re", "statistics", "zoneinfo", "PIL.Image"),
)
"""Modules to import in advance. If a call is already waiting, they are not imported, because tools rarely need them."""


def main(read_fd: int, write_fd: int, second_filter: bytes, packages: str) -> None:
    """Runs the job that the host sends. This function does not return.

    Args:
        read_fd: Pipe from the host.
        write_fd: Pipe to the host.
        second_filter: Additional system call filter, as BPF.
        packages: Folder that contains numpy, OpenCV and Pillow.
    """
    sys.path.append(packages)  # not at the front, where OpenCV's loader would find itself if the folder is a link
    _become_package()
    host, wire, execution = _own("host"), _own("wire"), _own("execution")
    link = host.Link(os.fdopen(read_fd, "rb"), os.fdopen(write_fd, "wb"))
    host.connect(link)
    _own("stand_ins").install()
    _own("second_filter").stack(second_filter)
    for name in _LIBRARIES:
        if not link.awaited:
            importlib.import_module(name)
    link.greet()
    end = execution.execute(link.job(), link)
    try:
        link.finish(end)
    except wire.WireError as error:
        failed = {"type": "ValueError", "message": f"the result cannot be returned: {error}", "line": 0}
        link.finish({"failed": failed, "log": end["log"]})


def _become_package() -> None:
    """Makes the folder of this file importable as a package with a fixed name."""
    package = types.ModuleType(_NAME)
    package.__path__ = [os.path.dirname(os.path.abspath(__file__))]
    sys.modules[_NAME] = package


def _own(name: str) -> Any:
    return importlib.import_module(f"{_NAME}.{name}")


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]), bytes.fromhex(sys.argv[3]), sys.argv[4])
