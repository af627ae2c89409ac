"""The tool server on a machine that has no kind of box."""

from __future__ import annotations

import sys

from denied_boxes import NO_LANDLOCK, NO_NAMESPACES

from reachy_agent_ros.nodes.tool_server import main

if __name__ == "__main__":
    exec(NO_NAMESPACES + NO_LANDLOCK)
    sys.exit(main())
