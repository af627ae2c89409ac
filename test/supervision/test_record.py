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


def test_graph_record_round_trips_through_file():
    record().save()
    assert load("/robot") == record()


def test_deleted_graph_record_is_removed_from_disk():
    record().save()
    record().forget()
    assert load("/robot") is None


def test_each_namespace_has_separate_graph_record():
    record("/one").save()
    assert load("/two") is None


def test_process_with_reused_id_counts_as_ended():
    assert ProcessRecord.of(os.getpid()).alive
    assert not ProcessRecord(os.getpid(), created=0.0).alive


def test_graph_is_running_while_any_node_is_running():
    graph = record()
    graph.supervisor = ProcessRecord(os.getpid(), created=0.0)
    assert graph.alive


def test_stop_kills_unresponsive_process_but_not_process_with_reused_id():
    script = "import signal\nfor n in (2, 15): signal.signal(n, signal.SIG_IGN)\nprint(flush=True)\nsignal.pause()"
    with subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, start_new_session=True) as process:
        assert process.stdout is not None
        process.stdout.readline()
        stop_processes([ProcessRecord(os.getpid(), created=0.0), ProcessRecord.of(process.pid)], grace=0.2)
        assert process.wait(10.0) == -9
