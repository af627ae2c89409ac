"""Which processes may join the graph: the environment that each transport gives to a node.

`ROS_AUTOMATIC_DISCOVERY_RANGE=LOCALHOST` is no boundary: sockets listen on every device, and a peer that names this
machine gets in. So the transports here decide by the sockets they open, and the range stays SYSTEM_DEFAULT where
LOCALHOST would bring UDP back.
"""

from __future__ import annotations

import os
from collections.abc import Mapping

from reachy_agent_ros.core.configuration import configuration_file

TRANSPORTS: Mapping[str, Mapping[str, str]] = {
    "shm": {"FASTDDS_BUILTIN_TRANSPORTS": "SHM", "ROS_AUTOMATIC_DISCOVERY_RANGE": "SYSTEM_DEFAULT"},
    "loopback": {"ROS_AUTOMATIC_DISCOVERY_RANGE": "SYSTEM_DEFAULT"},
    "network": {"ROS_AUTOMATIC_DISCOVERY_RANGE": "SUBNET"},
}

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

    The profiles are Fast DDS's, so its middleware is asked for even where the ROS installation prefers another.
    """
    settings: dict[str, str | None] = {**dict.fromkeys(GOVERNED), **TRANSPORTS[transport]}
    settings["RMW_IMPLEMENTATION"] = "rmw_fastrtps_cpp"
    if transport == "loopback":
        settings["FASTDDS_DEFAULT_PROFILES_FILE"] = str(configuration_file("loopback.xml"))
    return settings


def apply(settings: Mapping[str, str | None]) -> None:
    """Sets and unsets variables of this process; DDS reads them when the first node is made."""
    for name, value in settings.items():
        if value is None:
            os.environ.pop(name, None)
        else:
            os.environ[name] = value
