"""Memory, disk, priorities, the sandbox and the ports."""

from __future__ import annotations

import os
import resource
import shutil
import socket
from collections.abc import Iterator
from contextlib import suppress

import psutil

from reachy_agent_ros.cli.doctor.finding import Finding, bad, good, less
from reachy_agent_ros.core.errors import AgentError
from reachy_agent_ros.core.paths import runtime_directory, state_directory
from reachy_agent_ros.supervision.shared_memory import FOLDER, require_room

_GRAPH_MEMORY = 2.5e9
"""B that the graph takes, with room to work."""

_DISK = 2e9
"""B free, for recordings and databases."""

_BRIDGE_NICENESS = -10

_JOURNALS = ("-wal", "-shm")


def machine() -> Iterator[Finding]:
    """Whether the graph fits, and whether its motion may go first."""
    free = psutil.virtual_memory().available
    told = f"{free / 1e9:.1f} GB of memory are free; the graph takes about 2."
    if free < _GRAPH_MEMORY:
        yield less("Memory", told, "End other programs, or leave nodes out: reachy-agent up nodes:=...")
    else:
        yield good("Memory", told)
    yield _shared_memory()
    yield _priority()


def storage() -> Iterator[Finding]:
    """Whether what people give the robot can be kept, for its owner only."""
    for subject, folder_of in (("State", state_directory), ("Runtime", runtime_directory)):
        try:
            folder = folder_of()
            probe = folder / ".doctor"
            probe.write_bytes(b"")
            probe.unlink()
        except OSError as error:
            cure = "Give your user that folder, or name another in REACHY_AGENT_STATE or REACHY_AGENT_RUNTIME."
            yield bad(subject, f"Nothing can be written: {error}.", cure)
            continue
        if folder.stat().st_mode & 0o077:
            yield less(subject, f"Others can read {folder}.", f"chmod 700 {folder}")
        elif shutil.disk_usage(folder).free < _DISK:
            yield less(subject, f"The disk of {folder} is nearly full.", "Make room: demonstrations are the largest.")
        else:
            yield good(subject, f"{folder} can be written, by its owner only.")
    yield from _set_aside()


def sandbox() -> Iterator[Finding]:
    """Whether tools that the robot writes can be held in a box here."""
    from reachy_agent_ros.tool_generation.sandbox.opening import open_sandbox

    try:
        box = open_sandbox(spares=0)
    except AgentError as error:
        yield less("Sandbox", error.message.splitlines()[0], "docs/sandbox.md says how; until then such tools are off.")
        return
    tier = box.tier
    box.close()
    yield good("Sandbox", f"Proven by trying it: {tier}.")


def ports(port: int) -> Iterator[Finding]:
    """Whether the gateway can listen.

    Args:
        port: Of the gateway.
    """
    try:
        with socket.create_server(("127.0.0.1", port)):
            yield good("Gateway", f"Port {port} is free.")
    except OSError:
        yield less("Gateway", f"Port {port} is taken, perhaps by a graph that runs.", "reachy-agent up gateway_port:=0")


def _set_aside() -> Iterator[Finding]:
    """Files of the state that were damaged, so that a person is told once more."""
    with suppress(OSError):
        found = sorted(path.name for path in state_directory().glob("*.damaged*") if not path.name.endswith(_JOURNALS))
        if found:
            cure = "Restore a backup, or mend them: sqlite3 FILE .recover. Then delete them."
            yield less("Damage", f"Set aside because the disk had changed them: {', '.join(found)}.", cure)


def _shared_memory() -> Finding:
    try:
        require_room()
    except AgentError:
        cure = f"See what fills it with ls -lS {FOLDER}, and delete that."
        return bad("Shared memory", f"{FOLDER} is full: no node can start.", cure)
    return good("Shared memory", f"{FOLDER} has room.")


def _priority() -> Finding:
    limit = 20 - resource.getrlimit(resource.RLIMIT_NICE)[0]
    realtime = resource.getrlimit(resource.RLIMIT_RTPRIO)[0]
    if os.geteuid() == 0 or realtime > 0:
        return good("Priority", "The motion loop may go before all else.")
    if limit <= _BRIDGE_NICENESS:
        return good("Priority", f"The motion loop may have a niceness of {limit}.")
    cure = "In /etc/security/limits.conf: YOU - nice -10 and YOU - rtprio 50; then log in again."
    return less("Priority", "The motion loop may not go before others: on a busy machine it moves less evenly.", cure)
