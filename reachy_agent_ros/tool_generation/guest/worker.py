"""The process in a box: warms up, closes the door behind it, runs one job and ends.

Started by path, without site-packages and the current folder: `worker.py READ_FD WRITE_FD SECOND_FILTER_HEX PACKAGES`.
"""

from __future__ import annotations

import importlib
import os
import sys
import types
from typing import Any

_NAME = "box"
_LIBRARIES = (
    *("numpy", "cv2", "reachy_mini", "requests", "asyncio", "box.clock"),
    *("datetime", "json", "random", "re", "statistics", "zoneinfo", "PIL.Image"),
)
"""What is read only while nobody waits: a box that is needed at once leaves it to the tool, which rarely needs any."""


def main(read_fd: int, write_fd: int, second_filter: bytes, packages: str) -> None:
    """Runs the job that comes from the host; does not return.

    Args:
        read_fd: Pipe from the host.
        write_fd: Pipe to the host.
        second_filter: What is forbidden from here on, as BPF.
        packages: Folder in which numpy and OpenCV are.
    """
    sys.path.append(packages)  # at the front, the loader of OpenCV finds itself again where the folder is a link
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
    """Makes this file's folder a package, wherever it lies and whatever else lies there."""
    package = types.ModuleType(_NAME)
    package.__path__ = [os.path.dirname(os.path.abspath(__file__))]
    sys.modules[_NAME] = package


def _own(name: str) -> Any:
    return importlib.import_module(f"{_NAME}.{name}")


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]), bytes.fromhex(sys.argv[3]), sys.argv[4])
