"""A DDS participant that joins quickly, and whose joining holds nobody up.

Its id is one that no killed process has used, and it announces itself often. Fast DDS derives the names of a
participant's shared memory ports from its id and gives out the lowest id that is free. After SIGKILL that is the dead
node's, whose ports the other participants still have mapped; what they send to the new node gets lost there, and it
takes them seconds to notice.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from ament_index_python.packages import get_packages_with_prefixes

from reachy_agent_ros.core.paths import runtime_directory
from reachy_agent_ros.supervision.shared_memory import FOLDER

PROFILE = "FASTDDS_DEFAULT_PROFILES_FILE"

IDS = range(120)
"""Participant ids of a domain; the ports of later ones are the next domain's (RTPS 2.5, 9.6.2)."""

HEALTH_CHECK = 150
"""ms that a peer's listener has to show that it lives when its shared memory port is opened. It answers every third of
that, and until then the participant that opens the port neither sends nor receives anything: with the default of a
second, every node that joined silenced the others' heartbeats for up to 0.33 s (eProsima/Fast-DDS#6535)."""

ANNOUNCEMENTS = 50
"""Times a participant announces itself at once, every 0.1 s. When the default five are lost on a busy machine, the
next comes after three seconds."""


@contextmanager
def fresh_participant() -> Iterator[None]:
    """Gives the first participant of this process, made within the block, an id of its own.

    Only over shared memory alone, and where no profile says otherwise. One process at a time is in the block, so that
    no two choose the same id.
    """
    if os.environ.get("FASTDDS_BUILTIN_TRANSPORTS") != "SHM" or PROFILE in os.environ:
        yield
        return
    domain = int(os.environ.get("ROS_DOMAIN_ID", "0"))
    with (runtime_directory() / f"domain{domain}.participants.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        chosen = unused_id(domain)
        if chosen is None:  # a hundred were killed since the last sweep: a slow start is better than none
            yield
            return
        os.environ[PROFILE] = str(_write_profile(domain, chosen))
        try:
            yield
        finally:
            del os.environ[PROFILE]


def unused_id(domain: int, folder: Path = FOLDER) -> int | None:
    """The lowest id of which no participant, living or killed, has left a port's lock; None when all have."""
    return next((number for number in IDS if not any(lock.exists() for lock in _locks(domain, number, folder))), None)


def _locks(domain: int, number: int, folder: Path) -> list[Path]:
    """Lock files of a participant's two unicast ports; a clean end removes them."""
    port = 7400 + 250 * domain + 10 + 2 * number
    return [folder / f"fastdds_port{port}_el", folder / f"fastdds_port{port + 1}_el"]


def _repetition() -> str:
    """Period after which a reliable writer offers again what a reader did not confirm: 0.2 s instead of 3 s.

    A latched value that is sent a moment before its reader knows the writer would be missing for that long. Fast DDS 3
    renamed the element; a ROS 2 install that has the package `fastrtps` comes with version 2.
    """
    packages = get_packages_with_prefixes() if "AMENT_PREFIX_PATH" in os.environ else {}
    element = "heartbeatPeriod" if "fastrtps" in packages else "heartbeat_period"
    return f"<{element}><sec>0</sec><nanosec>200000000</nanosec></{element}>"


def _write_profile(domain: int, number: int) -> Path:
    path = runtime_directory() / f"domain{domain}.participant{number}.xml"
    path.write_text(
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        '<dds xmlns="http://www.eprosima.com"><profiles><transport_descriptors><transport_descriptor>'
        "<transport_id>shared_memory</transport_id><type>SHM</type>"
        f"<healthy_check_timeout_ms>{HEALTH_CHECK}</healthy_check_timeout_ms>"
        "</transport_descriptor></transport_descriptors>"
        '<participant profile_name="reachy_agent" is_default_profile="true">'
        "<rtps><userTransports><transport_id>shared_memory</transport_id></userTransports>"
        "<useBuiltinTransports>false</useBuiltinTransports>"
        f"<participantID>{number}</participantID><builtin><discovery_config><initialAnnouncements>"
        f"<count>{ANNOUNCEMENTS}</count><period><sec>0</sec><nanosec>100000000</nanosec></period>"
        "</initialAnnouncements></discovery_config></builtin></rtps></participant>"
        '<data_writer profile_name="reachy_agent" is_default_profile="true">'
        f"<times>{_repetition()}</times></data_writer></profiles></dds>\n"
    )
    return path
