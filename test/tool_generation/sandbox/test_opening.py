"""Selection of the sandbox backend, also on machines where a backend is unavailable."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from reachy_agent_ros.core.cancel import CancelToken
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.tool_generation.job import Job
from reachy_agent_ros.tool_generation.sandbox import landlock, opening
from reachy_agent_ros.tool_generation.sandbox.backend import SandboxTier
from reachy_agent_ros.tool_generation.sandbox.opening import open_sandbox
from reachy_agent_ros.tool_generation.sandbox.probes import PROBES
from support.tool_generation.denied_boxes import NO_LANDLOCK, NO_NAMESPACES

TRIAL = ["bwrap", "--unshare-all", "--ro-bind", "/", "/", "true"]
HAS_NAMESPACES = shutil.which("bwrap") is not None and subprocess.run(TRIAL, capture_output=True).returncode == 0
HAS_SANDBOX = HAS_NAMESPACES or landlock.version() > 0

OPEN = """
import json
from reachy_agent_ros.core.cancel import CancelToken
from reachy_agent_ros.core.errors import AgentError
from reachy_agent_ros.tool_generation.job import Job
from reachy_agent_ros.tool_generation.sandbox.opening import open_sandbox
try:
    sandbox = open_sandbox(spares=0)
except AgentError as error:
    print(json.dumps({"refused": error.message, "code": error.code.name}))
else:
    job = Job("def tool() -> dict:\\n    return {'x': 1}\\n", "tool")
    end = sandbox.run(job, lambda verb, arguments: None, CancelToken())
    sandbox.close()
    print(json.dumps({"tier": sandbox.tier, "result": end.result}))
"""


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("REACHY_AGENT_CACHE", str(tmp_path))
    return tmp_path


def opened_with(*without: str) -> dict[str, str]:
    """Runs the given statements in a new process, and then opens a sandbox in it. Returns the reported result."""
    script = "".join((*without, OPEN))
    ended = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    answer: dict[str, str] = json.loads(ended.stdout)
    return answer


@pytest.mark.slow
@pytest.mark.skipif(not HAS_NAMESPACES, reason="bubblewrap is missing or may not create namespaces")
def test_sandbox_with_namespaces_is_preferred_to_landlock() -> None:
    assert opened_with() == {"tier": SandboxTier.NAMESPACES, "result": {"x": 1}}


@pytest.mark.slow
@pytest.mark.skipif(not HAS_NAMESPACES, reason="bubblewrap is missing or may not create namespaces")
def test_sandbox_with_namespaces_needs_no_cache(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = cache / "file"
    file.touch()
    monkeypatch.setenv("REACHY_AGENT_CACHE", str(file / "below"))
    assert opened_with() == {"tier": SandboxTier.NAMESPACES, "result": {"x": 1}}


@pytest.mark.slow
@pytest.mark.skipif(not landlock.version(), reason="the kernel has no Landlock")
def test_sandbox_uses_landlock_if_kernel_denies_namespaces() -> None:
    assert opened_with(NO_NAMESPACES) == {"tier": SandboxTier.LANDLOCK, "result": {"x": 1}}


@pytest.mark.slow
@pytest.mark.skipif(not landlock.version(), reason="the kernel has no Landlock")
def test_sandbox_uses_landlock_if_bubblewrap_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    assert opened_with() == {"tier": SandboxTier.LANDLOCK, "result": {"x": 1}}


def test_error_for_missing_sandbox_states_how_to_enable_sandbox() -> None:
    answer = opened_with(NO_NAMESPACES, NO_LANDLOCK)
    assert answer["code"] == "SANDBOX_UNAVAILABLE"
    for part in (
        "namespace",
        "no Landlock",
        "apt install bubblewrap",
        "bwrap-userns-restrict",
        "Docker",
        "docs/concepts/sandbox.md",
    ):
        assert part in answer["refused"]


def test_error_for_missing_sandbox_names_both_backends(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    answer = opened_with(NO_NAMESPACES, NO_LANDLOCK)
    assert "is not installed. Run: apt install" in answer["refused"]
    assert "no Landlock" in answer["refused"]


@pytest.mark.slow
def test_verification_detects_bubblewrap_without_isolation(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The fake bubblewrap program runs its command without a sandbox."""
    fake = tmp_path / "bin" / "bwrap"
    fake.parent.mkdir()
    fake.write_text(
        f"""#!{sys.executable}
import os, sys
words = sys.argv[1:]
status = int(words[words.index("--json-status-fd") + 1])
os.write(status, b'{{"child-pid": %d}}\\n' % os.getpid())
command = words[words.index("--") + 1 :]
command[0] = {sys.executable!r}
command = [word.replace("/packages", {str(Path(opening.__file__).parents[3])!r}) for word in command]
os.execv(command[0], command)
"""
    )
    fake.chmod(0o755)
    monkeypatch.setenv("PATH", f"{fake.parent}:{os.environ['PATH']}")
    answer = opened_with()
    assert answer.get("tier") != SandboxTier.NAMESPACES


@pytest.mark.slow
@pytest.mark.skipif(not HAS_NAMESPACES, reason="bubblewrap is missing or may not create namespaces")
def test_sandbox_verification_is_reused_until_configuration_changes(
    cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    proven: list[object] = []
    prove = opening.prove
    monkeypatch.setattr(opening, "prove", lambda backend: (proven.append(backend), prove(backend))[1])
    for _ in range(2):
        sandbox = open_sandbox(spares=0)
        sandbox.close()
    assert len(proven) == 1
    assert [result.name for result in sandbox.probes] == list(PROBES)
    (record,) = cache.glob("*.json")
    record.write_text(record.read_text().replace('"of": "', '"of": "0'))
    open_sandbox(spares=0).close()
    assert len(proven) == 2


@pytest.mark.slow
@pytest.mark.skipif(not HAS_NAMESPACES or not landlock.version(), reason="this machine does not support both backends")
def test_ignores_stored_verification_if_sandbox_does_not_start() -> None:
    assert opened_with()["tier"] == SandboxTier.NAMESPACES
    assert opened_with(NO_NAMESPACES) == {"tier": SandboxTier.LANDLOCK, "result": {"x": 1}}


@pytest.mark.skipif(not HAS_SANDBOX, reason="this machine supports no sandbox")
@pytest.mark.parametrize("text", ["", "[]", "{}", '{"of": 1}', "\0"])
def test_ignores_damaged_file_of_sandbox_verification(cache: Path, text: str) -> None:
    (cache / f"sandbox_proof_{os.getuid()}.json").write_text(text)
    sandbox = open_sandbox(spares=0)
    sandbox.close()
    assert all(result.passed for result in sandbox.probes)


def test_no_environment_variable_disables_sandbox(monkeypatch: pytest.MonkeyPatch) -> None:
    """The sandbox code may read only a folder and a search path from environment variables."""
    monkeypatch.setattr(landlock, "version", lambda: 0)
    monkeypatch.setenv("PATH", "/nowhere")
    for name in ("REACHY_AGENT_SANDBOX", "REACHY_AGENT_UNSAFE", "SANDBOX"):
        monkeypatch.setenv(name, "off")
    with pytest.raises(AgentError) as caught:
        open_sandbox()
    assert caught.value.code is ErrorCode.SANDBOX_UNAVAILABLE


@pytest.mark.slow
@pytest.mark.skipif(not HAS_SANDBOX, reason="this machine supports no sandbox")
def test_sandbox_runs_real_worker() -> None:
    sandbox = open_sandbox(spares=1)
    source = "import numpy as np\ndef norm(v: list) -> dict:\n    return {'norm': float(np.linalg.norm(v))}\n"
    end = sandbox.run(Job(source, "norm", {"v": [3, 4]}), lambda verb, arguments: None, CancelToken())
    sandbox.close()
    assert end.result == {"norm": 5.0}


@pytest.mark.slow
@pytest.mark.skipif(not HAS_SANDBOX, reason="this machine supports no sandbox")
def test_sandbox_process_started_on_demand_has_every_library() -> None:
    source = """
import cv2, reachy_mini, requests
from reachy_mini.utils import create_head_pose

def whole() -> dict:
    same = create_head_pose is reachy_mini.utils.create_head_pose
    return {"same": same, "threads": cv2.getNumThreads(), "pose": create_head_pose(), "get": callable(requests.get)}
"""
    sandbox = open_sandbox(spares=0)
    end = sandbox.run(Job(source, "whole"), lambda verb, arguments: None, CancelToken())
    sandbox.close()
    pose = [[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0], [0.0, 0.0, 0.0, 1.0]]
    assert end.result == {"same": True, "threads": 1, "pose": pose, "get": True}, end.error
