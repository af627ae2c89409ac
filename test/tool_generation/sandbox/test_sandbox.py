import os
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import psutil
import pytest

from reachy_agent_ros.core.cancel import CancelToken
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.tool_generation.job import Job, Limits, RunEnd
from reachy_agent_ros.tool_generation.sandbox.backend import SandboxBackend
from reachy_agent_ros.tool_generation.sandbox.process import SandboxProcess
from reachy_agent_ros.tool_generation.sandbox.sandbox import Pool, Sandbox
from support.tool_generation.unguarded_box import OVERHEAD
from support.waiting import wait_until

ADD = "def tool(x):\n    return x + 1\n"


def run(sandbox: Sandbox, x: int, limits: Limits | None = None) -> RunEnd:
    return sandbox.run(Job(ADD, "tool", {"x": x}, limits or Limits()), lambda verb, arguments: None, CancelToken())


def held() -> dict[str, int]:
    """Returns the resources that this process has open."""
    return {
        "processes and zombies": len(psutil.Process().children(recursive=True)),
        "threads": threading.active_count(),
        "descriptors": len(os.listdir("/proc/self/fd")),
        "files": len(os.listdir(tempfile.gettempdir())),
    }


@pytest.mark.slow
def test_many_sandbox_runs_leak_no_resources(
    kind: Callable[[], SandboxBackend], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))  # other test processes use the default folder
    before = held()
    sandbox = Sandbox(kind(), (), OVERHEAD, spares=2)
    with ThreadPoolExecutor(2) as callers:
        results = list(callers.map(lambda x: run(sandbox, x).result, range(60)))
    sandbox.close()
    assert results == list(range(1, 61))
    left = held()
    assert {what: left[what] for what in left if left[what] > before[what]} == {}


def test_sandbox_runs_share_no_state(backend: SandboxBackend) -> None:
    sandbox = Sandbox(backend, (), OVERHEAD, spares=1)
    source = "import math\ndef tool():\n    math.count = getattr(math, 'count', 0) + 1\n    return math.count\n"
    counts = [sandbox.run(Job(source, "tool"), lambda verb, arguments: None, CancelToken()).result for _ in range(3)]
    sandbox.close()
    assert counts == [1, 1, 1]


def test_sandbox_starts_new_process_for_different_resource_limits(backend: SandboxBackend) -> None:
    started: list[Limits] = []

    def start(limits: Limits) -> SandboxProcess:
        started.append(limits)
        return SandboxProcess(backend, limits, OVERHEAD)

    pool = Pool(start, spares=1)
    wait_until(lambda: started == [Limits()], "the spare")
    wanted = Limits(time=3.0)
    process = pool.take(wanted)
    assert process.limits == wanted
    pool.retire(process)
    pool.close()
    assert started == [Limits(), wanted]


def test_sandbox_replaces_dead_spare_process(backend: SandboxBackend) -> None:
    made: list[SandboxProcess] = []

    def start(limits: Limits) -> SandboxProcess:
        made.append(SandboxProcess(backend, limits, OVERHEAD))
        return made[-1]

    pool = Pool(start, spares=1)
    wait_until(lambda: len(made) == 1, "the spare")
    made[0].kill()
    process = pool.take(Limits())
    assert process is not made[0]
    pool.retire(process)
    pool.close()


def test_tool_run_fails_if_sandbox_process_cannot_start(
    backend: SandboxBackend, monkeypatch: pytest.MonkeyPatch
) -> None:
    sandbox = Sandbox(backend, (), OVERHEAD, spares=0)
    monkeypatch.setattr(type(backend), "command", lambda *_: ["/does/not/exist"])
    end = run(sandbox, 1)
    sandbox.close()
    assert end.error is not None
    assert end.error.code is ErrorCode.SANDBOX_UNAVAILABLE


def test_sandbox_error_contains_output_of_failed_worker(backend: SandboxBackend) -> None:
    process = SandboxProcess(backend, Limits(), OVERHEAD, "absent.py")
    with pytest.raises(AgentError, match="No such file"):
        process.await_ready()
    process.reap()


def test_closed_sandbox_rejects_runs(backend: SandboxBackend) -> None:
    sandbox = Sandbox(backend, (), OVERHEAD, spares=1)
    sandbox._pool.close()
    end = run(sandbox, 1)
    assert end.error is not None
    assert end.error.code is ErrorCode.SHUTTING_DOWN


def test_run_reports_that_sandbox_was_closed_before_its_end(backend: SandboxBackend) -> None:
    sandbox = Sandbox(backend, (), OVERHEAD, spares=0)
    asked, closed = threading.Event(), threading.Event()

    def answer(_verb: str, _arguments: object) -> None:
        asked.set()
        closed.wait(30.0)

    source = "def tool():\n    call('state')\n    while True:\n        pass\n"
    with ThreadPoolExecutor(1) as caller:
        ended = caller.submit(sandbox.run, Job(source, "tool"), answer, CancelToken())
        assert asked.wait(30.0)
        sandbox.close()
        closed.set()
        error = ended.result(30.0).error
    assert error is not None
    assert error.code is ErrorCode.SHUTTING_DOWN
    assert "closed before the tool ended" in error.message


def test_sandbox_processes_end_with_host_process(backend: SandboxBackend, tmp_path: Path) -> None:
    script = f"""
import sys, time
from pathlib import Path
from reachy_agent_ros.tool_generation.job import Limits
from reachy_agent_ros.tool_generation.sandbox.process import SandboxProcess
from reachy_agent_ros.tool_generation.sandbox.rootfs import rootfs
from {type(backend).__module__} import {type(backend).__name__} as Kind
kind = Kind(rootfs())
process = SandboxProcess(kind, Limits(), 1 << 30, "probe.py")
process.await_ready()
print(process.pid, flush=True)
time.sleep(60)
"""
    host = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True)
    assert host.stdout is not None
    inside = psutil.Process(int(host.stdout.readline()))
    host.kill()
    host.wait()
    host.stdout.close()
    wait_until(
        lambda: not inside.is_running() or inside.status() == psutil.STATUS_ZOMBIE,
        "the end of the sandbox process",
    )
