"""Transports of a graph: environment variables and a DDS profile that determine which processes can join.

`ROS_AUTOMATIC_DISCOVERY_RANGE=LOCALHOST` is not a boundary: sockets listen on every device, and a peer that names this
machine can join. Therefore a transport restricts the sockets that are opened, and the range stays SYSTEM_DEFAULT where
LOCALHOST would add sockets.

The profile, which Fast DDS reads when a node is created, only uses UDP. Fast DDS also offers shared memory, but a
process that is killed while it writes into the queue of another one leaves that queue locked. The queue is then
replaced, its content is lost, and occasionally its owner never receives anything again. Fast DDS itself does not use
shared memory for discovery if it has another transport.
"""

from __future__ import annotations

import errno
import mmap
import os
import tempfile
from collections.abc import Mapping
from pathlib import Path

from ament_index_python.packages import get_packages_with_prefixes

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.core.paths import runtime_directory

LOOPBACK = "loopback"
"""Default transport, which keeps the graph on this machine."""

DISCOVERY_RANGES: Mapping[str, str] = {LOOPBACK: "SYSTEM_DEFAULT", "network": "SUBNET"}
"""Value of `ROS_AUTOMATIC_DISCOVERY_RANGE` by transport."""

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
"""Variables that a transport sets or unsets. The user's own values could open the graph to the network, or split it."""

BUFFERS = 2**20
"""Buffer size of a socket, bytes. A joining node receives hundreds of names at once, for which the default is too
small: lost data is only sent again after 1 s. Linux limits the size to `net.core.rmem_max`."""

LEASE, LIFE_SIGN = 10, 0.5
"""Liveliness lease and announcement period of a participant, s.

Other participants continue to send to a killed one until its lease expires, so the lease is shorter than the default of
20 s. If two participants were silent for longer than the lease, each should consider the other gone. If only one does,
because the other resumed late and received its announcement first, they may rediscover each other but never communicate
again (Fast DDS 3.2.3: one in thirty, of six nodes that were suspended for 5 s under a lease of 3 s). Therefore the
lease is longer than a busy machine delays a process."""

FORGOTTEN = LEASE - LIFE_SIGN
"""Time after which other participants may consider a suspended process gone, s."""

ANNOUNCEMENTS, ANNOUNCEMENT_PERIOD = 50, 0.1
"""Number and period (s) of a participant's initial announcements. If the default five are lost on a busy machine, the
next one follows only after `LIFE_SIGN`."""

REPETITION = 0.2
"""Heartbeat period of reliable writers, s; the default is 3. A latched value that is sent just before its reader has
discovered the writer would be missing for that long."""

ANSWER_BLOCKING = 0.001
"""Time that rmw_fastrtps waits for the discovery of the client when it sends a service response, s; the default is 0.1.
The wait blocks Python, and with it any event loop, so `LateAnswers` retries instead."""

TYPE_PROPAGATION = "disabled"
"""Exchange of type structures between participants, which ROS does not use.

By default, a participant that finds an endpoint of an unknown type requests the type, and considers the endpoint found
when the response arrives. This takes an eighth of the processor time of every command. If the other participant is
killed before it responds, no endpoint of that type is found any more. The thread that receives the responses shares its
lists with others without a lock, and occasionally crashes (Fast DDS 3.2.2: once while 839 processes joined a busy
graph).
"""

PARTICIPANTS = 32
"""Maximum number of participants that can be discovered on this machine: nodes, commands and other tools."""

SHARED_MEMORY = Path("/dev/shm")  # noqa: S108 - shared memory of the kernel, not a temporary directory


def transport_environment(transport: str) -> dict[str, str | None]:
    """Returns the environment variables for a transport. None means that the variable must be unset.

    Also writes the profile. It is specific to Fast DDS, so the variables select that middleware even if the ROS
    installation prefers another.
    """
    profile = str(_write_profile(loopback=transport == LOOPBACK))
    return {
        **dict.fromkeys(GOVERNED),
        profile_variable(): profile,
        "RMW_IMPLEMENTATION": "rmw_fastrtps_cpp",
        "ROS_AUTOMATIC_DISCOVERY_RANGE": DISCOVERY_RANGES[transport],
    }


def apply(settings: Mapping[str, str | None]) -> None:
    """Sets and unsets environment variables of this process. DDS reads them when the first node is created."""
    for name, value in settings.items():
        if value is None:
            os.environ.pop(name, None)
        else:
            os.environ[name] = value


def profile_variable() -> str:
    """Returns the name of the environment variable that contains the path of the profile."""
    return "FASTRTPS_DEFAULT_PROFILES_FILE" if _is_version_2() else "FASTDDS_DEFAULT_PROFILES_FILE"


def require_shared_memory() -> None:
    """Checks that a page of shared memory is available, because nodes cannot start without it.

    The tracing library of ROS (LTTng-UST) maps a page when rclpy is imported. If none is available, SIGBUS ends the
    process without an explanation.

    Raises:
        AgentError: `STORAGE_FAILED`: shared memory is full.
    """
    if not SHARED_MEMORY.is_dir():
        return
    try:
        with tempfile.TemporaryFile(dir=SHARED_MEMORY) as file:
            os.posix_fallocate(file.fileno(), 0, mmap.PAGESIZE)
    except OSError as error:
        if error.errno not in (errno.ENOSPC, errno.EDQUOT):
            raise
        raise AgentError(
            ErrorCode.STORAGE_FAILED,
            f"{SHARED_MEMORY} is full, but every node needs a page of it to start. "
            f"List its files with ls -lS {SHARED_MEMORY}, and delete those that are not needed.",
        ) from error


def _write_profile(loopback: bool) -> Path:
    """Writes the profile to the runtime directory.

    Args:
        loopback: Whether to use only the loopback device. Discovery then uses unicast to 127.0.0.1: by default Fast DDS
            would also listen to a multicast group, and Linux delivers the group's datagrams from every device on which
            any process has joined it.
    """
    path = runtime_directory() / ("loopback.xml" if loopback else "network.xml")
    fresh = path.with_suffix(f".{os.getpid()}")
    fresh.write_text(_profile(loopback))
    fresh.replace(path)  # atomic: another process may be reading the file
    return path


def _profile(loopback: bool) -> str:
    here = "<locator><udpv4><address>127.0.0.1</address></udpv4></locator>"
    device = "<interfaceWhiteList><address>127.0.0.1</address></interfaceWhiteList>" if loopback else ""
    unicast = (
        f"<metatrafficUnicastLocatorList>{here}</metatrafficUnicastLocatorList>"
        f"<initialPeersList>{here}</initialPeersList>"
    )
    period = "heartbeatPeriod" if _is_version_2() else "heartbeat_period"
    return f"""<?xml version="1.0" encoding="UTF-8"?>
<dds xmlns="http://www.eprosima.com">
  <profiles>
    <transport_descriptors>
      <transport_descriptor>
        <transport_id>udp</transport_id>
        <type>UDPv4</type>
        <sendBufferSize>{BUFFERS}</sendBufferSize>
        <receiveBufferSize>{BUFFERS}</receiveBufferSize>
        <maxInitialPeersRange>{PARTICIPANTS}</maxInitialPeersRange>
        {device}
      </transport_descriptor>
    </transport_descriptors>
    <participant profile_name="reachy_agent" is_default_profile="true">
      <rtps>
        <userTransports><transport_id>udp</transport_id></userTransports>
        <useBuiltinTransports>false</useBuiltinTransports>
        <builtin>
          <discovery_config>
            <initialAnnouncements>
              <count>{ANNOUNCEMENTS}</count>
              <period>{_duration(ANNOUNCEMENT_PERIOD)}</period>
            </initialAnnouncements>
            <leaseDuration>{_duration(LEASE)}</leaseDuration>
            <leaseAnnouncement>{_duration(LIFE_SIGN)}</leaseAnnouncement>
          </discovery_config>
          {unicast if loopback else ""}
        </builtin>
        <propertiesPolicy>
          <properties>
            <property><name>fastdds.type_propagation</name><value>{TYPE_PROPAGATION}</value></property>
          </properties>
        </propertiesPolicy>
      </rtps>
    </participant>
    <data_writer profile_name="reachy_agent" is_default_profile="true">
      <qos><reliability><max_blocking_time>{_duration(ANSWER_BLOCKING)}</max_blocking_time></reliability></qos>
      <times><{period}>{_duration(REPETITION)}</{period}></times>
    </data_writer>
  </profiles>
</dds>
"""


def _duration(seconds: float) -> str:
    whole = int(seconds)
    return f"<sec>{whole}</sec><nanosec>{round((seconds - whole) * 1e9)}</nanosec>"


def _is_version_2() -> bool:
    """Returns whether the installed version of Fast DDS is 2, as in the ROS 2 package `fastrtps`."""
    return "AMENT_PREFIX_PATH" in os.environ and "fastrtps" in get_packages_with_prefixes()
