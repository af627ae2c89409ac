import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.core.instance import any_runs, claim
from support.waiting import wait_until

NODE = "/reachy_mini/tts"
HOLD = f"from reachy_agent_ros.core.instance import claim; lock = claim({NODE!r}); print('held', flush=True); input()"


@pytest.fixture(autouse=True)
def _own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REACHY_AGENT_RUNTIME", str(tmp_path))


def refused(name: str = NODE) -> bool:
    try:
        with claim(name):
            return False
    except AgentError:
        return True


def test_rejects_second_instance_of_node_with_process_id_of_first() -> None:
    with claim(NODE), pytest.raises(AgentError, match=str(os.getpid())) as caught:
        claim(NODE)
    assert caught.value.code is ErrorCode.SERVER_UNAVAILABLE


def test_closed_lock_releases_name_of_node() -> None:
    with claim(NODE):
        assert refused()
    assert not refused()


def test_lock_of_node_does_not_reserve_other_names() -> None:
    with claim(NODE):
        assert not refused("/reachy_mini/stt")


def test_equal_node_names_in_different_domains_are_independent(monkeypatch: pytest.MonkeyPatch) -> None:
    with claim(NODE):
        assert refused()
        monkeypatch.setenv("ROS_DOMAIN_ID", "231")
        assert not refused()


def test_graph_counts_as_running_while_any_node_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    assert not any_runs("/reachy_mini")
    with subprocess.Popen([sys.executable, "-c", HOLD], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as holder:
        assert holder.stdout is not None
        holder.stdout.readline()
        assert any_runs("/reachy_mini")
        assert not any_runs("/reachy")
        monkeypatch.setenv("ROS_DOMAIN_ID", "231")
        assert not any_runs("/reachy_mini")
        monkeypatch.delenv("ROS_DOMAIN_ID")
        holder.kill()
    assert not any_runs("/reachy_mini")


def test_killed_process_releases_name_of_node() -> None:
    command = [sys.executable, "-c", HOLD]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "held\n"
        assert refused()
        holder.send_signal(signal.SIGKILL)
        holder.wait()
    wait_until(lambda: not refused(), "the name to be free")
