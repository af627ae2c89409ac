"""The gateway of a whole graph: how soon it answers, what a call costs, many clients that listen and some that do not.

Run with nothing else running: `reachy-agent bench gateway`, about five minutes.
"""

from __future__ import annotations

import json
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from urllib.parse import urlsplit

import psutil
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from bench.loop_jitter import WINDOW, LoopJitter
from bench.report import Figure, percentile, print_report
from bench.running_graph import running_graph
from reachy_agent_ros.core import names
from reachy_agent_ros.nodes.client import GraphClient

FOLDER = Path(__file__).parent
SETTLING = 5.0  # s of rest between start-up and the first measurement
IDLE = 20.0  # s
RATE, SECONDS = 100.0, 60.0
TOOL_CALL = '{"tool_name": "get_robot_state"}'
LISTENERS = 500
LITTLE = 4096  # B
STREAMS = ("pose", "health", "detections")


def main(as_json: bool) -> int:
    """Starts a graph of its own, measures it and takes it down. Returns 0 whatever the figures say."""
    with running_graph("gateway_port:=0") as (client, _):
        time.sleep(SETTLING)
        figures = list(measure(client))
    print_report("gateway", figures, as_json)
    return 0


def measure(client: GraphClient) -> Iterator[Figure]:
    """Every figure of a running graph."""
    gateway = client.watch(names.GATEWAY).last
    assert gateway is not None
    url = f"{gateway.detail}/api/v1"
    usage = Usage(client)
    yield from answers("GET state", Load(f"{url}/state"), usage)
    yield from answers("POST tools/execute get_robot_state", Load(f"{url}/tools/execute", TOOL_CALL), usage)
    yield from listeners(psutil.Process(gateway.pid), url)
    yield from slow_clients(client, url)


class Usage:
    """Processor time of the graph's nodes, beyond what they use while nobody asks for anything."""

    def __init__(self, client: GraphClient) -> None:
        assert client.record is not None
        self._nodes = {name: psutil.Process(process.pid) for name, process in client.record.nodes.items()}
        before = self._used()
        time.sleep(IDLE)
        self._idle = {name: (used - before[name]) / IDLE for name, used in self._used().items()}
        self.begin()

    def begin(self) -> None:
        """Counts from now on."""
        self._began, self._before = time.monotonic(), self._used()

    def calls(self, count: int) -> dict[str, float]:
        """What one of so many calls took of each node, ms."""
        spent = time.monotonic() - self._began
        more = {name: used - self._before[name] - spent * self._idle[name] for name, used in self._used().items()}
        return {name: 1e3 * seconds / count for name, seconds in more.items()}

    def _used(self) -> dict[str, float]:
        return {name: sum(process.cpu_times()[:2]) for name, process in self._nodes.items()}


class Load:
    """Requests from a process of its own."""

    def __init__(self, url: str, body: str = "", seconds: float = SECONDS) -> None:
        self._command = [sys.executable, str(FOLDER / "http_load.py"), url, str(RATE), str(seconds), body]

    def run(self) -> tuple[list[float], int]:
        """Returns the ms of each answer, and how many failed."""
        found = json.loads(subprocess.run(self._command, check=True, capture_output=True).stdout)
        return found["ms"], found["failed"]


def answers(name: str, load: Load, usage: Usage) -> Iterator[Figure]:
    """How soon one request is answered, asked for at a steady pace, and what it costs all nodes together."""
    usage.begin()
    times, failed = load.run()
    cost = usage.calls(len(times))
    yield Figure(f"{name}, {RATE:g} a second, median", percentile(times, 50), "ms")
    yield Figure(f"{name}, p95", percentile(times, 95), "ms", 20.0)
    yield Figure(f"{name}, p99", percentile(times, 99), "ms", 50.0)
    yield Figure(f"{name}, not answered with 200", failed, "", 0.0)
    yield Figure(f"{name}, CPU a call, all nodes", sum(cost.values()), "ms")
    for node, spent in sorted(cost.items(), key=lambda one: -one[1])[:4]:
        yield Figure(f"{name}, of that {node}", spent, "ms")


def slow_clients(client: GraphClient, url: str) -> Iterator[Figure]:
    """What others and the robot notice of clients that read nothing, beside one that takes as much and reads it.

    The one makes the camera work in both cases.
    """
    loop = LoopJitter(client)
    with Reader(url) as reader:
        for name, deaf in (("1 client that reads", 0), ("with 5 deaf ones", 5)):
            with deaf_clients(url, deaf):
                yield from beside(name, loop, reader, Load(f"{url}/state", seconds=WINDOW))


def beside(name: str, loop: LoopJitter, reader: Reader, load: Load) -> Iterator[Figure]:
    """How punctual all are beside some clients."""
    found: list[tuple[list[float], int]] = []
    asking = threading.Thread(target=lambda: found.append(load.run()))
    reader.begin()
    asking.start()
    yield from loop.figures(name, 2.0)
    asking.join()
    yield Figure(f"GET state, {name}, p95", percentile(found[0][0], 95), "ms", 20.0)
    yield Figure(f"pose to who reads, {name}, p95", percentile(reader.late, 95), "ms")


class Reader:
    """A client of all events and of the camera that reads, for a `with` block.

    Attributes:
        late: ms from each measurement of the pose to its arrival.
    """

    def __init__(self, url: str) -> None:
        self._url = url
        self.late: list[float] = []

    def __enter__(self) -> Reader:
        self._events = connect(f"{self._url.replace('http', 'ws', 1)}/events", compression=None)
        self._events.send(json.dumps({"watch": STREAMS}))
        self._camera = _asked(self._url, "/vision/stream", "", 1 << 20)
        self._threads = [threading.Thread(target=read, daemon=True) for read in (self._read, self._look)]
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._events.close()
        self._camera.shutdown(socket.SHUT_RDWR)
        for thread in self._threads:
            thread.join()
        self._camera.close()

    def begin(self) -> None:
        """Forgets what it has measured."""
        self.late = []

    def _read(self) -> None:
        with suppress(ConnectionClosed):
            for text in self._events:
                event = json.loads(text)
                if event["kind"] == "pose":
                    self.late.append(1e3 * (time.time() - event["data"]["stamp"]))

    def _look(self) -> None:
        while self._camera.recv(1 << 16):
            pass


@contextmanager
def deaf_clients(url: str, count: int) -> Iterator[None]:
    """So many of all events, and so many of the camera, that read no more than the beginning of an answer."""
    wish = json.dumps({"watch": STREAMS}).encode()
    frame = bytes((0x81, 0x80 | len(wish), 0, 0, 0, 0)) + wish  # RFC 6455: text, masked with zeros
    upgrade = (
        "Upgrade: websocket\r\nConnection: Upgrade\r\n"
        "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n"
    )
    with ExitStack() as stack:
        for _ in range(count):
            stack.enter_context(_asked(url, "/events", upgrade, LITTLE)).sendall(frame)
            stack.enter_context(_asked(url, "/vision/stream", "", LITTLE))
        yield


def _asked(url: str, path: str, headers: str, room: int) -> socket.socket:
    """A request whose answer has begun, on a connection that holds so many B of it for who does not read."""
    address = urlsplit(url)
    line = socket.socket()
    line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, room)
    line.connect((address.hostname, address.port))
    line.sendall(f"GET {address.path}{path} HTTP/1.1\r\nHost: {address.netloc}\r\n{headers}\r\n".encode())
    status = line.recv(12)
    assert status in (b"HTTP/1.1 101", b"HTTP/1.1 200"), status
    return line


def listeners(gateway: psutil.Process, url: str) -> Iterator[Figure]:
    """Memory that clients take which only listen."""
    before = gateway.memory_info().rss
    events = f"{url.replace('http', 'ws', 1)}/events"
    command = [sys.executable, str(FOLDER / "idle_sockets.py"), events, str(LISTENERS)]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"open\n"
        time.sleep(SETTLING)
        more = gateway.memory_info().rss - before
        used = gateway.cpu_percent(SETTLING)
        process.kill()
    yield Figure(f"{LISTENERS} clients of events: resident memory more", more / 1e6, "MB", 300.0)
    yield Figure(f"{LISTENERS} clients of events: CPU of the gateway, of one core", used, "%")
