import os
import subprocess
import sys

import pytest

from reachy_agent_ros.supervision.record import GraphRecord, ProcessRecord, load, stop_processes


@pytest.fixture(autouse=True)
def runtime(monkeypatch, tmp_path):
    monkeypatch.setenv("REACHY_AGENT_RUNTIME", str(tmp_path))


def record(namespace: str = "/robot") -> GraphRecord:
    ourselves = ProcessRecord.of(os.getpid())
    return GraphRecord(ourselves, {"namespace": namespace}, {"ROS_LOCALHOST_ONLY": None}, {"tts": ourselves})


def test_saved_record_round_trips():
    record().save()
    assert load("/robot") == record()


def test_forgotten_record_is_removed():
    record().save()
    record().forget()
    assert load("/robot") is None


def test_namespaces_have_separate_records():
    record("/one").save()
    assert load("/two") is None


def test_reused_process_id_is_not_the_same_process():
    assert ProcessRecord.of(os.getpid()).alive
    assert not ProcessRecord(os.getpid(), created=0.0).alive


def test_graph_is_alive_while_a_node_is():
    graph = record()
    graph.supervisor = ProcessRecord(os.getpid(), created=0.0)
    assert graph.alive


def test_stop_kills_stubborn_process_but_not_one_with_reused_id():
    script = "import signal\nfor n in (2, 15): signal.signal(n, signal.SIG_IGN)\nprint(flush=True)\nsignal.pause()"
    with subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, start_new_session=True) as process:
        assert process.stdout is not None
        process.stdout.readline()
        stop_processes([ProcessRecord(os.getpid(), created=0.0), ProcessRecord.of(process.pid)], grace=0.2)
        assert process.wait(10.0) == -9
