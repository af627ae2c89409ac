"""The lesser box, where namespaces are not to be had: Landlock, both filters, resource limits, a user of its own.

No file can be written in it at all. Landlock bounds where a process writes, not how much, and its first versions do
not know of truncation; so the filter refuses every way to open a file but for reading.
"""

from __future__ import annotations

import json
import sys
import tempfile
from pathlib import Path

import reachy_agent_ros
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.tool_generation.job import Limits
from reachy_agent_ros.tool_generation.sandbox import landlock
from reachy_agent_ros.tool_generation.sandbox.enclosure import ENVIRONMENT, Descriptors, Tier, resource_limits
from reachy_agent_ros.tool_generation.sandbox.interior import INSIDE, Interior
from reachy_agent_ros.tool_generation.sandbox.seccomp import box_filter, machine, no_exec_filter

_LAUNCHER = "reachy_agent_ros.tool_generation.sandbox.launcher"
_DEVICES = (Path("/dev/null"), Path("/dev/zero"), Path("/dev/urandom"))


class Landlocked:
    """Boxes of the tier `LANDLOCK`.

    Args:
        interior: What they see of the host.

    Raises:
        AgentError: `SANDBOX_UNAVAILABLE`: the kernel has no Landlock, or this is another kind of machine.
    """

    tier = Tier.LANDLOCK

    def __init__(self, interior: Interior) -> None:
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
        """See `Enclosure`."""
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
        start = f"import sys; sys.path.insert(0, {str(root)!r}); from {_LAUNCHER} import main; main()"
        return [sys.executable, "-I", "-S", "-B", "-c", start, json.dumps(plan)]

    def close(self) -> None:
        """Removes the folder of links."""
        self._folder.cleanup()
