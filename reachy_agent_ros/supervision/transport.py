"""Which processes may join the graph: the environment that each transport gives to a node.

`ROS_AUTOMATIC_DISCOVERY_RANGE=LOCALHOST` is no boundary: sockets listen on every device, and a peer that names this
machine gets in. So the transports here decide by the sockets they open, and the range stays SYSTEM_DEFAULT where
LOCALHOST would add sockets to them.
"""

from __future__ import annotations

import os
from collections.abc import Mapping

from reachy_agent_ros.supervision.dds_profile import profile_variable, write_profile

LOOPBACK = "loopback"
"""The transport of a graph that was not opened."""

DISCOVERY_RANGES: Mapping[str, str] = {LOOPBACK: "SYSTEM_DEFAULT", "network": "SUBNET"}
"""By transport."""

GOVERNED = (
    "FASTDDS_BUILTIN_TRANSPORTS",
    "FASTDDS_DEFAULT_PROFILES_FILE",
    "FASTRTPS_DEFAULT_PROFILES_FILE",
    "RMW_IMPLEMENTATION",
    "ROS_AUTOMATIC_DISCOVERY_RANGE",
    "ROS_DISCOVERY_SERVER",
    "ROS_LOCALHOST_ONLY",
    "ROS_STATIC_PEERS",
)
"""Variables that a transport decides; whatever else the user had set in them could open the graph, or split it."""


def transport_environment(transport: str) -> dict[str, str | None]:
    """The governed variables' values under a transport; None means that the variable must not be set.

    The profile, which is written anew, is Fast DDS's, so its middleware is asked for even where the ROS installation
    prefers another.
    """
    profile = str(write_profile(loopback=transport == LOOPBACK))
    return {
        **dict.fromkeys(GOVERNED),
        profile_variable(): profile,
        "RMW_IMPLEMENTATION": "rmw_fastrtps_cpp",
        "ROS_AUTOMATIC_DISCOVERY_RANGE": DISCOVERY_RANGES[transport],
    }


def apply(settings: Mapping[str, str | None]) -> None:
    """Sets and unsets variables of this process; DDS reads them when the first node is made."""
    for name, value in settings.items():
        if value is None:
            os.environ.pop(name, None)
        else:
            os.environ[name] = value
