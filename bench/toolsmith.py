"""Tool generation: time of a sandboxed run and of checking a generated tool, and resources that runs leave behind.

Run `reachy-agent bench toolsmith` with nothing else running. It takes at most two minutes; `--full` makes five times as
many runs. Tests check that hostile tools are stopped and honest ones accepted: `python -m pytest test/corpus`.
"""

from __future__ import annotations

import statistics
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import psutil

from bench.report import Figure, percentile, print_report
from reachy_agent_ros.core.cancel import CancelToken
from reachy_agent_ros.core.deadline import Deadline
from reachy_agent_ros.simulation.recording_body import RecordingBody
from reachy_agent_ros.tool_generation.broker.broker import Broker
from reachy_agent_ros.tool_generation.broker.fetcher import Fetcher
from reachy_agent_ros.tool_generation.broker.run import Equipment
from reachy_agent_ros.tool_generation.job import Answer, Job, Limits, Need, RunEnd
from reachy_agent_ros.tool_generation.sandbox.opening import open_sandbox
from reachy_agent_ros.tool_generation.sandbox.sandbox import Sandbox
from reachy_agent_ros.tool_generation.verification.case import Case
from reachy_agent_ros.tool_generation.verification.verifier import Verifier
from reachy_agent_ros.tools.context import ToolContext
from reachy_agent_ros.tools.predefined import predefined_tools

RUNS = 200
RUNS_IN_FULL = 1000
TIMED = 40
_SPARES = 2
TAKEN = tuple(tool.specification.name for tool in predefined_tools(Path(), ("happy",), ("twist",)))

_NOTHING = "def nothing() -> dict:\n    return {}\n"
_CALLS = 500
_CALLING = f"""
import time
import reachy_mini
def calling() -> dict:
    with reachy_mini.ReachyMini() as robot:
        robot.get_present_antenna_joint_positions()
        began = time.perf_counter()
        for _ in range({_CALLS}):
            robot.get_present_antenna_joint_positions()
    return {{"ms": 1e3 * (time.perf_counter() - began) / {_CALLS}}}
"""
_TARGETS = 50
_STREAMING = f"""
import time
import reachy_mini
from reachy_mini.utils import create_head_pose
def streaming() -> dict:
    took = 0.0
    with reachy_mini.ReachyMini() as robot:
        for number in range({_TARGETS}):
            pose = create_head_pose(yaw=0.1 * number)
            began = time.perf_counter()
            robot.set_target(head=pose, antennas=[0.0, 0.0], body_yaw=0.0)
            took += time.perf_counter() - began
            time.sleep(0.02)
    return {{"ms": 1e3 * took / {_TARGETS}}}
"""
_SMALL = b'''
from reachy_mini import ReachyMini
from reachy_mini.utils import create_head_pose


def tilt_head(angle: float) -> dict:
    """Tilts the head to one side.

    Args:
        angle: How far, degrees.

    Returns:
        The angle.
    """
    with ReachyMini() as robot:
        robot.goto_target(create_head_pose(roll=angle), duration=1.0)
    return {"angle": angle}
'''


def main(as_json: bool, full: bool = False) -> int:
    """Measures all figures. Always returns exit code 0."""
    print_report("toolsmith", list(costs(RUNS_IN_FULL if full else RUNS)), as_json)
    return 0


def costs(runs: int) -> Iterator[Figure]:
    """Measures the time of a run, a call and a check, and counts what `runs` runs leave behind in a private folder."""
    with tempfile.TemporaryDirectory() as folder:
        tempfile.tempdir = folder
        try:
            yield from _costs(runs)
        finally:
            tempfile.tempdir = None


def _costs(runs: int) -> Iterator[Figure]:
    before = _leavings()
    sandbox = open_sandbox(_SPARES)
    try:
        yield from run_times(sandbox)
        yield from call_times(sandbox)
        yield from check_times(sandbox)
        yield memory()
        for _ in range(runs):
            _run(sandbox, _NOTHING, "nothing")
    finally:
        sandbox.close()
    left = _leavings()
    for what in before:
        yield Figure(f"{what} left by {runs} runs", len(left[what] - before[what]), "", 0)


def run_times(sandbox: Sandbox) -> Iterator[Figure]:
    """Measures runs of a tool that does nothing, so that the sandbox takes all of the time."""
    warm = [_after(1.0, partial(_run, sandbox, _NOTHING, "nothing")) for _ in range(TIMED)]
    unusual = Limits(memory=Limits().memory + 1)  # no spare sandbox has these limits, so each run starts one
    cold = [_timed(partial(_run, sandbox, _NOTHING, "nothing", limits=unusual)) for _ in range(TIMED)]
    yield Figure("warm run over the tool's own time, median", statistics.median(warm), "ms", 10.0)
    yield Figure("warm run over the tool's own time, p95", percentile(warm, 95), "ms")
    yield Figure("cold run over the tool's own time, median", statistics.median(cold), "ms", 150.0)
    yield Figure("cold run over the tool's own time, p95", percentile(cold, 95), "ms")


def memory() -> Figure:
    """Measures the resident memory of an idle sandbox process that has loaded its libraries."""
    time.sleep(5.0)  # s, in which the spares load
    used = sum(process.memory_info().rss for process in psutil.Process().children(recursive=True))
    return Figure("resident memory of a box that waits", used / _SPARES / 1e6, "MB")


def call_times(sandbox: Sandbox) -> Iterator[Figure]:
    """Measures the round-trip time of a call from a tool to the robot, by the clock of the sandbox."""
    body = RecordingBody()  # accepts targets instantly: the work of a body is not part of the call's cost
    yield Figure("call answered at once", _call_time(sandbox, _answer_at_once), "ms", 0.2)
    with tempfile.TemporaryDirectory() as folder:
        context = ToolContext(body, Deadline(60.0), lambda _: None)
        broker = Broker(body, context, Equipment(Path(folder)), Need)
        yield Figure("call answered by the broker", _call_time(sandbox, broker.answer), "ms", 0.2)
        streamed = statistics.median(_milliseconds(sandbox, _STREAMING, "streaming", broker.answer) for _ in range(3))
        yield Figure("set_target answered by the broker, safety gate and all", streamed, "ms", 0.2)
        broker.close()


def check_times(sandbox: Sandbox) -> Iterator[Figure]:
    """Measures the complete check of a small tool: text gate, validator, test case and physics trial.

    The tool moves the head.
    """
    prover = Verifier(sandbox, Fetcher())
    check = partial(prover.prove, _SMALL, [Case({"angle": 10.0}, {"angle": 10.0})], TAKEN)
    if not check().ok:
        raise RuntimeError("the small tool was rejected, so its check cannot be timed")
    times = [_timed(check) / 1e3 for _ in range(10)]
    prover.close()
    yield Figure("whole check of a small tool, median", statistics.median(times), "s", 2.0)


def _answer_at_once(verb: str, _arguments: Mapping[str, Any]) -> object:
    """Responds to the tool's calls like the broker, but immediately.

    The response to `sleep` also contains the time.
    """
    return [0.0, True] if verb == "sleep" else {"antennas": [0.0, 0.0]}


def _call_time(sandbox: Sandbox, answer: Answer) -> float:
    return statistics.median(_milliseconds(sandbox, _CALLING, "calling", answer) for _ in range(5))


def _milliseconds(sandbox: Sandbox, source: str, function: str, answer: Answer) -> float:
    return float(_run(sandbox, source, function, answer).result["ms"])


def _run(
    sandbox: Sandbox, source: str, function: str, answer: Answer = lambda *_: None, limits: Limits | None = None
) -> RunEnd:
    end = sandbox.run(Job(source, function, limits=limits or Limits()), answer, CancelToken())
    if end.error is not None:
        raise end.error
    return end


def _after(pause: float, work: Callable[[], object]) -> float:
    """Waits until the spare sandboxes are ready again, and then returns the wall time (ms) of `work`."""
    time.sleep(pause)
    return _timed(work)


def _timed(work: Callable[[], object]) -> float:
    """Returns the wall time (ms) of a call of `work`."""
    began = time.perf_counter()
    work()
    return 1e3 * (time.perf_counter() - began)


def _leavings() -> dict[str, set[str]]:
    """Returns the existing items of each kind that a run of a tool might leave behind."""
    ours = psutil.Process().children(recursive=True)
    return {
        "processes and zombies": {str(one.pid) for one in ours},
        "descriptors": {str(number) for number in range(psutil.Process().num_fds())},
        "shared-memory segments": {path.name for path in Path("/dev/shm").iterdir()},
        "files": {path.name for path in Path(tempfile.gettempdir()).iterdir()},
    }
