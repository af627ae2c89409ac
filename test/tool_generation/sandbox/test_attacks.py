"""Attacks without validation: the sandbox alone prevents effects on files, network, processes and memory."""

import os
from pathlib import Path

import pytest

from reachy_agent_ros.core.errors import ErrorCode
from reachy_agent_ros.tool_generation.job import RunEnd
from reachy_agent_ros.tool_generation.sandbox.backend import ENVIRONMENT
from reachy_agent_ros.tool_generation.sandbox.seccomp import NAMES, machine, number
from support.tool_generation.sandbox_attacks import CHANGING, CONNECTING, READING, SIGNALLING, STARTING, TAKING
from support.tool_generation.unguarded_box import Run


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """Folder that every user of the host can access, so that only the sandbox protects it."""
    tmp_path.chmod(0o777)
    secret = tmp_path / "secret"
    secret.write_text("untouched")
    secret.chmod(0o666)
    return tmp_path


def assert_stopped(end: RunEnd) -> None:
    assert end.error is not None, end
    assert end.error.code is ErrorCode.TOOL_FAILED
    assert end.raised not in {"NameError", "SyntaxError", "TypeError", "AttributeError", "NotImplementedError"}, end


@pytest.mark.parametrize("attack", READING)
def test_sandbox_prevents_reading_files_of_host(run: Run, home: Path, attack: str) -> None:
    assert_stopped(run(READING[attack].replace("HOME", str(home))))


@pytest.mark.parametrize("attack", CHANGING)
def test_sandbox_prevents_changes_to_files_of_host(run: Run, home: Path, attack: str) -> None:
    before = (home / "secret").stat()
    assert_stopped(run(CHANGING[attack].replace("HOME", str(home))))
    after = (home / "secret").stat()
    assert (after.st_mode, after.st_mtime_ns, after.st_size) == (before.st_mode, before.st_mtime_ns, before.st_size)
    assert os.listdir(home) == ["secret"]
    assert not Path("/dev/shm/reachy_agent_attack").exists()


@pytest.mark.parametrize("attack", CONNECTING)
def test_sandbox_prevents_network_access(run: Run, attack: str) -> None:
    assert_stopped(run(CONNECTING[attack]))


@pytest.mark.parametrize("attack", STARTING)
def test_sandbox_prevents_start_of_processes(run: Run, attack: str) -> None:
    assert_stopped(run(STARTING[attack]))


@pytest.mark.parametrize("attack", SIGNALLING)
def test_sandbox_prevents_signals_to_other_processes(run: Run, attack: str) -> None:
    assert_stopped(run(SIGNALLING[attack].replace("HOST", str(os.getpid()))))


@pytest.mark.parametrize("attack", TAKING)
def test_sandbox_enforces_resource_limits(run: Run, attack: str) -> None:
    assert_stopped(run(TAKING[attack]))


def test_sandbox_rejects_system_calls_that_are_not_listed(run: Run) -> None:
    offered = [335, 336]  # system calls reserved for kernel probes: no filter sees them, and they kill any other caller
    offered += [value for name in NAMES if (value := number(name, machine())) is not None]
    body = f"""
import ctypes, errno
call = ctypes.CDLL(None, use_errno=True).syscall
passed = []
for value in set(range(600)) - set({offered}):
    if call(value, 0, 0, 0, 0, 0, 0) >= 0 or ctypes.get_errno() != errno.EPERM:
        passed.append(value)
return passed
"""
    end = run(body)
    assert end.result == [], end


def test_sandbox_hides_environment_variables_of_host(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("API_KEY", "secret")
    found = run("import os; return dict(os.environ)").result
    assert set(found) <= {*ENVIRONMENT, "LC_CTYPE", "PWD"}
