"""Which processes may join the graph, and how they talk: the environment and the DDS profile of each transport.

`ROS_AUTOMATIC_DISCOVERY_RANGE=LOCALHOST` is no boundary: sockets listen on every device, and a peer that names this
machine gets in. So the transports here decide by the sockets they open, and the range stays SYSTEM_DEFAULT where
LOCALHOST would add sockets to them.

The profile, which Fast DDS reads when a node is made, has UDP alone. Fast DDS offers shared memory too, but a process
that is killed while it writes into the queue of another one leaves that queue locked; the queue is thrown away and made
anew, what was in it is lost, and now and then its owner stays deaf for good. Fast DDS itself keeps discovery out of
shared memory where it has another transport.
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
"""The default transport, which keeps the graph on this machine."""

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
"""Variables that a transport sets or unsets; what the user had set in them could open the graph, or split it."""

BUFFERS = 2**20
"""Buffer size of a socket, bytes. A node that joins receives hundreds of names at once, for which the default is too
small: what is lost is sent again after a second. Linux grants no more than `net.core.rmem_max`."""

LEASE, LIFE_SIGN = 10, 0.5
"""Seconds of silence after which a participant counts as gone, and between two signs of life.

Others go on sending to a killed one for so long, which is why it is not the default of 20. Of two that were silent for
longer, each should count the other as gone. Where only one does, because the other woke late and heard of it first,
they may find each other again and yet never hear each other (Fast DDS 3.2.3: of six nodes that were halted for five
seconds under a lease of three, one in thirty). So it is longer than a busy machine keeps a process waiting."""

FORGOTTEN = LEASE - LIFE_SIGN
"""Seconds after which others may count a process that was halted as gone."""

ANNOUNCEMENTS, ANNOUNCEMENT_PERIOD = 50, 0.1
"""Number of times that a participant announces itself at its start, and seconds between them. If the default five are
lost on a busy machine, the next comes with the first sign of life."""

REPETITION = 0.2
"""Seconds after which a reliable writer offers again what a reader did not confirm, instead of 3: a latched value that
is sent a moment before its reader knows the writer would be missing for that long."""

ANSWER_BLOCKING = 0.001
"""Seconds for which rmw_fastrtps, sending a service's answer, waits until the client is found. This blocks Python, and
with it any loop, so `LateAnswers` tries again instead. The default is 0.1."""

TYPE_PROPAGATION = "disabled"
"""Whether participants tell each other the structure of their types, for which ROS has no use.

By default, a participant that finds an endpoint of an unknown type asks for the type, and counts the endpoint as found
once it is answered. That takes an eighth of the processor time of every command; if the participant that was asked is
killed first, no endpoint of that type is found any more. The thread that takes the answers shares its lists with others
without a lock, and crashes now and then (Fast DDS 3.2.2: seen once while 839 processes joined a busy graph).
"""

PARTICIPANTS = 32
"""Number of participants that can be found on this machine: the nodes, the commands, and other tools."""

SHARED_MEMORY = Path("/dev/shm")  # noqa: S108 - the kernel's, which every process shares


def transport_environment(transport: str) -> dict[str, str | None]:
    """Values of the governed variables under a transport; None means that the variable must not be set.

    The profile, which this writes, is one of Fast DDS, so the variables ask for that middleware even if the ROS
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
    """Sets and unsets variables of this process. DDS reads them when the first node is made."""
    for name, value in settings.items():
        if value is None:
            os.environ.pop(name, None)
        else:
            os.environ[name] = value


def profile_variable() -> str:
    """Name of the environment variable for the path of the profile."""
    return "FASTRTPS_DEFAULT_PROFILES_FILE" if _is_version_2() else "FASTDDS_DEFAULT_PROFILES_FILE"


def require_shared_memory() -> None:
    """Checks that a node could start at all: that a page of shared memory can be had.

    The tracing library of ROS (LTTng-UST) maps one as soon as rclpy is imported, and a process that touches a page that
    cannot be had is ended by SIGBUS, which does not say why.

    Raises:
        AgentError: `STORAGE_FAILED`, with what to do.
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
            f"{SHARED_MEMORY} is full, and a node that starts needs a page of it. "
            f"See what fills it with ls -lS {SHARED_MEMORY}, and delete that.",
        ) from error


def _write_profile(loopback: bool) -> Path:
    """Writes the profile to the runtime directory.

    Args:
        loopback: Whether it keeps to the loopback device. Discovery goes to 127.0.0.1 by unicast then: by default Fast
            DDS would also listen to a multicast group, and Linux hands a socket the group's datagrams from every device
            on which any process has joined it.
    """
    path = runtime_directory() / ("loopback.xml" if loopback else "network.xml")
    fresh = path.with_suffix(f".{os.getpid()}")
    fresh.write_text(_profile(loopback))
    fresh.replace(path)  # in one step: another process may be reading it
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
    """Whether Fast DDS is older than the wheels': a ROS 2 install with the package `fastrtps` comes with version 2."""
    return "AMENT_PREFIX_PATH" in os.environ and "fastrtps" in get_packages_with_prefixes()
