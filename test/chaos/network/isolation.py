"""Attempts to access a default graph from another machine, and as another user of this machine.

`scripts/chaos isolation` takes about two minutes and needs permission to create network namespaces.
"""

from __future__ import annotations

import argparse
import json
import os
import socket
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import psutil
from std_msgs.msg import String

from bench.report import Figure, print_report
from bench.running_graph import running_graph
from chaos.network.other_machine import NoOtherMachineError, OtherMachine
from chaos.network.remote_peer import RemotePeer, local_listener, local_speaker
from chaos.network.topic_peer import EVERY
from reachy_agent_ros.core import names
from reachy_agent_ros.core.paths import runtime_directory, state_directory
from reachy_agent_ros.ros.client.client import GraphClient

DOMAIN, OPENED = "94", "95"
"""ROS domains of the graph and of the program of the control experiment, which is open to the network."""

MESSAGES = 1000
TOPIC = f"{names.NAMESPACE}/isolation"
PATIENCE = 120.0  # s
_NOBODY = 65534
"""Id of the user `nobody`."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the option for the number of messages."""
    parser.add_argument("--messages", type=int, default=MESSAGES, help="of each sender (default: %(default)s)")


def main(as_json: bool, messages: int = MESSAGES) -> int:
    """Starts a graph and attacks it. Returns exit code 2 if no network namespace can be created, else 0."""
    try:
        with RemotePeer() as peer, running_graph("gateway_port:=0", domain=DOMAIN) as (client, _):
            figures = [
                *injection(client, peer, messages),
                *sockets(client),
                *gateway(client, peer.machine),
                *files(),
            ]
            figures.extend(opened(peer, messages))
    except NoOtherMachineError as error:
        print(f"Nothing was measured, because {error}.", file=sys.stderr)
        return 2
    print_report("isolation", figures, as_json)
    return 0


def injection(client: GraphClient, peer: RemotePeer, messages: int) -> Iterator[Figure]:
    """Yields how many messages of a local program and of a remote peer arrive, and what the remote peer discovers."""
    heard: Counter[str] = Counter()
    client.node.create_subscription(String, TOPIC, lambda message: heard.update([message.data]), EVERY)
    speakers = [
        local_speaker(TOPIC, "own", messages),
        peer.publish(TOPIC, "evil", messages),
        peer.publish(f"{names.NAMESPACE}/{names.FEEDBACK}", "evil", messages),
    ]
    own, evil, feedback = (json.loads(speaker.communicate(timeout=PATIENCE)[0]) for speaker in speakers)
    assert own["sent"] == evil["sent"] == messages
    yield Figure(f"of {messages} messages of a program here, delivered", heard["own"], "", messages, at_least=True)
    yield Figure(f"of {messages} messages of another machine, delivered", heard["evil"], "", 0.0)
    yield Figure("subscribers that another machine finds", evil["heard_by"] + feedback["heard_by"], "", 0.0)
    yield Figure("nodes of the graph that it finds", len(_ours(evil["nodes"], client)), "", 0.0)


def sockets(client: GraphClient) -> Iterator[Figure]:
    """Yields the number of the graph's unconnected sockets, and how many are not bound to the loopback device."""
    found = [entry for process in _processes(client) for entry in process.net_connections("inet")]
    waiting = [entry for entry in found if not entry.raddr]
    off = [entry for entry in waiting if not _is_loopback(entry.laddr.ip)]
    yield Figure("sockets of the graph that wait for anybody", len(waiting), "", 1.0, at_least=True)
    yield Figure("of them, bound off the loopback device", len(off), "", 0.0)
    shared = {region.path for one in _processes(client) for region in one.memory_maps()}
    yield Figure("shared memory of the middleware", sum(path.startswith("/dev/shm/fast") for path in shared), "", 0.0)


def gateway(client: GraphClient, machine: OtherMachine) -> Iterator[Figure]:
    """Yields the number of connections to the gateway that another machine can open."""
    heartbeat = client.watch(names.GATEWAY).last
    assert heartbeat is not None
    port = urlsplit(heartbeat.detail).port
    socket.create_connection(("127.0.0.1", port), 5.0).close()
    reached = 0
    for address in (machine.here, "127.0.0.1"):
        code = f"import socket; socket.create_connection(({address!r}, {port}), 5.0)"
        reached += subprocess.run(machine.command(sys.executable, "-c", code), capture_output=True).returncode == 0
    yield Figure("connections of another machine to the gateway", reached, "", 0.0)


def files() -> Iterator[Figure]:
    """Yields the number of the graph's files that another user can read. Does nothing without root privileges."""
    if os.geteuid() != 0:
        return
    for folder in (state_directory(), runtime_directory()):
        folder.parent.chmod(0o755)  # temporary folder of the test: its subfolders must deny access
        own, others = (_readable(folder, user) for user in (0, _NOBODY))
        yield Figure(f"files of the graph in its {folder.name} folder", own, "", 1.0, at_least=True)
        yield Figure("of them, read by another user", others, "", 0.0)


def opened(peer: RemotePeer, messages: int) -> Iterator[Figure]:
    """Yields the number of messages that reach a program with `transport:=network`, as a control experiment."""
    before = os.environ["ROS_DOMAIN_ID"]
    os.environ["ROS_DOMAIN_ID"] = OPENED
    try:
        listener = local_listener(TOPIC, "network")
        peer.publish(TOPIC, "evil", messages).communicate(timeout=PATIENCE)
        heard = json.loads(listener.communicate(timeout=PATIENCE)[0])["heard"].get("evil", 0)
    finally:
        os.environ["ROS_DOMAIN_ID"] = before
    yield Figure(f"of {messages}, delivered where a person opened the graph", heard, "", 1.0, at_least=True)


def _processes(client: GraphClient) -> Iterator[psutil.Process]:
    assert client.record is not None
    for one in (client.record.supervisor, *client.record.nodes.values()):
        process = psutil.Process(one.pid)
        yield from (process, *process.children(recursive=True))


def _ours(nodes: list[str], client: GraphClient) -> set[str]:
    assert client.record is not None
    return set(nodes) & {*client.record.nodes, client.node.get_name()}


def _is_loopback(address: str) -> bool:
    return address.removeprefix("::ffff:").startswith("127.") or address == "::1"


def _readable(folder: Path, user: int) -> int:
    words = ["find", str(folder), "-type", "f", "-readable"]
    found = subprocess.run(words, user=user, group=user, extra_groups=(), capture_output=True, text=True)
    return len(found.stdout.splitlines())
