"""The whole graph on this machine: start-up, memory, idle CPU, loop jitter, tool calls, sentence to motion.

Run with nothing else running: `reachy-agent bench graph`, about four minutes.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress

import psutil
from reachy_agent_msgs.action import Converse, ExecuteTool

from bench.first_motion import FirstMotion
from bench.loop_jitter import LoopJitter, take_away_realtime
from bench.report import Figure, percentile, print_report
from bench.running_graph import running_graph
from reachy_agent_ros.core import names
from reachy_agent_ros.nodes.calls import ActionCaller
from reachy_agent_ros.nodes.client import GraphClient
from reachy_agent_ros.supervision.record import GraphRecord

SETTLING = 5.0  # s of rest between start-up and the idle measurements
IDLE = 30.0  # s
TOOL_CALLS = 300
TOOL_PAUSE = 0.1  # s between two calls: more often than any agent asks
SENTENCES = ("look left", "look straight ahead", "look right", "look straight ahead") * 5


def main(as_json: bool) -> int:
    """Starts a graph of its own, measures it and takes it down. Returns 0 whatever the figures say."""
    with running_graph() as (client, ready):
        time.sleep(SETTLING)
        figures = [Figure("start-up: command to every node ready", ready, "s", 15.0), *measure(client)]
    print_report("graph", figures, as_json)
    return 0


def measure(client: GraphClient) -> Iterator[Figure]:
    """Every figure of a running graph, the ones that want quiet first."""
    assert client.record is not None
    processes = graph_processes(client.record)
    yield from footprint(processes)
    yield from jitter(client)
    yield from tool_calls(client)
    yield from sentence_to_motion(client)


def graph_processes(record: GraphRecord) -> list[psutil.Process]:
    """The supervisor and every node."""
    return [psutil.Process(process.pid) for process in (record.supervisor, *record.nodes.values())]


def footprint(processes: list[psutil.Process]) -> Iterator[Figure]:
    """Memory and processor time of the graph while nobody asks it for anything."""
    before = sum(sum(process.cpu_times()[:2]) for process in processes)
    time.sleep(IDLE)
    used = sum(sum(process.cpu_times()[:2]) for process in processes) - before
    resident = sum(process.memory_info().rss for process in processes)
    yield Figure("memory: resident, all processes added up", resident / 1e9, "GB", 2.0)
    yield Figure("idle CPU: all processes, of one core", 100.0 * used / IDLE, "%", 60.0)


def jitter(client: GraphClient) -> Iterator[Figure]:
    """Lateness of the 100 Hz loop, with the other core busy or not, with and without real-time priority."""
    loop = LoopJitter(client)
    yield from loop.figures("idle", 2.0)
    realtime = loop.realtime
    with busy_processes(4):
        if realtime:
            yield from loop.figures("4 busy, SCHED_FIFO", 2.0)
            take_away_realtime(loop.pid)
        yield from loop.figures("4 busy, raised niceness", 8.0)


def tool_calls(client: GraphClient) -> Iterator[Figure]:
    """Round trip of the tool that does nothing but answer, at a pace that nothing has to queue at."""
    caller = ActionCaller(client.node, ExecuteTool, names.EXECUTE_TOOL, client.watch(names.TOOL_SERVER))
    goal = ExecuteTool.Goal(name="get_robot_state", arguments_json="{}", caller="bench")
    times = []
    for _ in range(TOOL_CALLS):
        started = time.perf_counter()
        result = caller.call(goal, timeout=5.0)
        times.append(1e3 * (time.perf_counter() - started))
        assert result.error_code == 0, result.error_msg
        time.sleep(TOOL_PAUSE)
    yield Figure("execute_tool get_robot_state, median", statistics.median(times), "ms", 10.0)
    yield Figure("execute_tool get_robot_state, p99", percentile(times, 99), "ms", 40.0)


def sentence_to_motion(client: GraphClient) -> Iterator[Figure]:
    """From sending a typed sentence to the first measured motion of the head."""
    caller = ActionCaller(client.node, Converse, names.CONVERSE, client.watch(names.AGENT))
    moved = FirstMotion(client)

    def say(sentence: str) -> None:
        result = caller.call(Converse.Goal(text=sentence, session_id="bench"), timeout=20.0)
        assert result.error_code == 0, result.error_msg

    say("look straight ahead")  # a robot that was idle breathes, and is never at rest
    times = []
    for sentence in SENTENCES:
        moved.await_rest()
        started = time.time()
        say(sentence)
        times.append(1e3 * (moved.stamp() - started))
    yield Figure("typed sentence to first measured motion, median", statistics.median(times), "ms", 150.0)
    yield Figure("typed sentence to first measured motion, p95", percentile(times, 95), "ms")


@contextmanager
def busy_processes(count: int) -> Iterator[None]:
    """Processes of normal priority that never sleep."""
    processes = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(count)]
    try:
        yield
    finally:
        for process in processes:
            process.kill()
        with suppress(subprocess.TimeoutExpired):
            for process in processes:
                process.wait(5.0)
