"""Nodes that are asked to end, or halted, while the whole graph works."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import psutil
import pytest

from reachy_agent_ros.bringup import node_names
from reachy_agent_ros.core import names
from support.nodes.started_graph import StartedGraph
from support.waiting import wait_until

pytestmark = pytest.mark.graph


@contextmanager
def load(graph: StartedGraph) -> Iterator[None]:
    """Both cores busy, pictures drawn all the time."""
    subscriber = (
        "from reachy_agent_ros.nodes.client import GraphClient; from reachy_agent_ros.core import names; import time\n"
        "from sensor_msgs.msg import CompressedImage; from reachy_agent_ros.nodes.qos import SENSOR\n"
        "with GraphClient('watcher', names.NAMESPACE) as client:\n"
        "    client.node.create_subscription(CompressedImage, names.IMAGE, lambda _: None, SENSOR)\n"
        "    print('watching', flush=True)\n"
        "    time.sleep(600)\n"
    )
    watcher = subprocess.Popen([sys.executable, "-c", subscriber], env=graph.environment, stdout=subprocess.PIPE)
    assert watcher.stdout is not None
    watcher.stdout.readline()
    spinners = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(2)]
    try:
        yield
    finally:
        for process in (watcher, *spinners):
            process.kill()
            process.communicate()


@pytest.mark.parametrize("number", [pytest.param(signal.SIGINT, marks=pytest.mark.nightly), signal.SIGTERM])
def test_nodes_that_are_asked_to_end_in_the_middle_of_work_end_with_code_0(graph, number):
    pids = {node["name"]: int(node["pid"]) for node in graph.status()["nodes"]}
    processes = [psutil.Process(pid) for pid in pids.values()]
    with load(graph):
        for process in processes:
            process.send_signal(number)
        _, running = psutil.wait_procs(processes, timeout=30.0)
        assert not running
    graph.wait_back(pids)
    ends = {node["name"]: node["last_end"] for node in graph.status()["nodes"]}
    assert ends == dict.fromkeys(node_names(), "ended with code 0")


def test_a_halted_node_is_shown_as_silent_until_it_is_heard_again(graph):
    pid = int(graph.node(names.CAMERA)["pid"])
    os.kill(pid, signal.SIGSTOP)
    try:
        wait_until(lambda: graph.node(names.CAMERA)["state"] == "silent", 30.0, "the camera to be missed")
    finally:
        os.kill(pid, signal.SIGCONT)
    wait_until(lambda: graph.node(names.CAMERA)["state"] == "ready", 30.0, "the camera to be heard again")
