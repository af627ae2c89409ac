"""Simulated camera: frame rate, latency and CPU time per frame.

Also measures the jitter of the motion loop while the camera renders.

Run `reachy-agent bench camera` with nothing else running. It takes 90 s; `--full` changes nothing. It measures a second
camera node in addition to that of the graph.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

import psutil
from sensor_msgs.msg import CompressedImage

from bench.loop_jitter import LoopJitter
from bench.report import Figure, percentile, print_report
from bench.running_graph import running_graph
from reachy_agent_ros.core import names
from reachy_agent_ros.ros.client.client import GraphClient
from reachy_agent_ros.ros.rclpy_ext.convert import seconds_of
from reachy_agent_ros.ros.rclpy_ext.heartbeat import HeartbeatMonitor
from reachy_agent_ros.ros.rclpy_ext.qos import SENSOR

MODES = ((320, 240, 20.0), (640, 480, 10.0))
"""Width and height, pixels, and requested frame rate, Hz."""

NODE = "bench_camera"
WARM_UP = 3.0  # s

ENOUGH = 0.95
"""Minimum fraction of the requested frame rate: the periods of timer and motion loop are not aligned."""

MOST_LATE = 3.0
"""Upper limit of the 99th percentile of the lateness of the motion loop, ms."""


def main(as_json: bool, full: bool = False) -> int:
    """Measures every mode in one graph. Always returns exit code 0."""
    del full  # there is no long form
    with running_graph() as (client, _ready):
        figures = [figure for mode in MODES for figure in measure(client, *mode)]
    print_report("camera", figures, as_json)
    return 0


def measure(client: GraphClient, width: int, height: int, rate: float) -> Iterator[Figure]:
    """Measures one camera mode with one subscriber, over one window of the motion loop's statistics."""
    words = f"{width}x{height} at {rate:g} Hz"
    loop = LoopJitter(client)
    with camera(client, width, height, rate) as process, watched(client) as ages:
        time.sleep(WARM_UP)
        ages.clear()
        began, before = time.monotonic(), sum(process.cpu_times()[:2])
        lateness = list(loop.figures(f"eye at {words}", MOST_LATE))
        seconds, used = time.monotonic() - began, sum(process.cpu_times()[:2]) - before
        count = len(ages)
        yield Figure(f"{words}: pictures a second", count / seconds, "Hz", ENOUGH * rate, at_least=True)
        yield Figure(f"{words}: CPU of the node, of one core", 100.0 * used / seconds, "%")
        yield Figure(f"{words}: age on arrival, median", 1e3 * statistics.median(ages), "ms")
        yield Figure(f"{words}: age on arrival, p95", 1e3 * percentile(ages, 95), "ms")
        yield from lateness


@contextmanager
def camera(client: GraphClient, width: int, height: int, rate: float) -> Iterator[psutil.Process]:
    """Starts a camera node in the given mode for a `with` block. Yields the process when the node is ready."""
    parameters = {"scene": "minimal", "width": width, "height": height, "rate": rate}
    remapped = {"__node": NODE, **{name: f"bench/{name}" for name in (names.IMAGE, names.CAMERA_INFO)}}
    command = [sys.executable, "-m", "reachy_agent_ros.ros.camera.camera", "--ros-args"]
    for name, value in parameters.items():
        command += ["-p", f"{name}:={value}"]
    for old, new in {**remapped, names.CAPTURE_IMAGE: "bench/capture_image"}.items():
        command += ["-r", f"{old}:={new}"]
    process = subprocess.Popen(command)
    try:
        watch = HeartbeatMonitor(client.node, NODE)
        while not watch.ready:
            client.pause()
        yield psutil.Process(process.pid)
    finally:
        process.terminate()
        process.wait(10.0)


@contextmanager
def watched(client: GraphClient) -> Iterator[list[float]]:
    """Records the age (s) of each image on its arrival during a `with` block."""
    ages: list[float] = []

    def note(message: CompressedImage) -> None:
        ages.append(time.time() - seconds_of(message.header.stamp))

    subscription = client.node.create_subscription(CompressedImage, f"bench/{names.IMAGE}", note, SENSOR)
    try:
        yield ages
    finally:
        client.node.destroy_subscription(subscription)
