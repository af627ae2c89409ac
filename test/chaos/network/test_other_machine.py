"""Simulation of other machines in network namespaces."""

from __future__ import annotations

import os
import socket
import subprocess
import sys

import pytest

from chaos.network.other_machine import NoOtherMachineError, OtherMachine, ip
from chaos.network.remote_peer import RemotePeer
from support import MODULE_PATH
from support.waiting import wait_until

PLUGGED_IN = """
import time
from chaos.network.remote_peer import RemotePeer
with RemotePeer() as peer:
    print(peer.machine.devices[0], flush=True)
    time.sleep(3600)
"""
REACH = "import socket, sys; socket.create_connection((sys.argv[1], int(sys.argv[2])), 5.0)"


@pytest.fixture(autouse=True)
def _allowed() -> None:
    try:
        OtherMachine().__enter__().__exit__()
    except NoOtherMachineError as error:
        pytest.skip(str(error))


def test_network_namespace_is_removed_after_process_is_killed():
    words = [sys.executable, "-c", PLUGGED_IN]
    environment = {**os.environ, "PYTHONPATH": MODULE_PATH}
    with subprocess.Popen(words, env=environment, stdout=subprocess.PIPE, text=True) as process:
        try:
            device = process.stdout.readline().strip()
            assert device in ip("link")
        finally:
            process.kill()
    wait_until(lambda: device not in ip("link"), "the virtual cable to be removed")


def test_two_simulated_machines_can_connect_at_once():
    with RemotePeer() as first, RemotePeer() as second:
        for one in (first, second):
            with socket.create_server((one.machine.here, 0)) as server:
                port = str(server.getsockname()[1])
                words = one.machine.command(sys.executable, "-c", REACH, one.machine.here, port)
                subprocess.run(words, check=True)


def test_simulated_machine_has_separate_shared_memory(tmp_path):
    with OtherMachine() as machine:
        subprocess.run(machine.command("test", "-d", str(tmp_path)), check=True)
        seen = subprocess.run(machine.command("ls", "-A", "/dev/shm"), check=True, capture_output=True, text=True)
    assert seen.stdout == ""
