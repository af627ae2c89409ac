import os
import resource
import socket
from pathlib import Path

import pytest

from reachy_agent_ros.bringup import resolve
from reachy_agent_ros.cli.doctor import CheckStatus
from reachy_agent_ros.cli.doctor.machine import audio, camera, machine, ports, sandbox, simulation, storage
from reachy_agent_ros.supervision.record import GraphRecord, ProcessRecord


def test_doctor_reports_port_in_use() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        assert [finding.verdict for finding in ports(port)] == [CheckStatus.LESS]
    assert [finding.verdict for finding in ports(port)] == [CheckStatus.GOOD]


def test_doctor_checks_port_of_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        monkeypatch.setenv("REACHY_AGENT_GATEWAY_PORT", port)
        (found,) = ports(None)
    assert found.verdict is CheckStatus.LESS
    assert port in found.detail


def test_port_of_running_graph_is_not_a_problem(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REACHY_AGENT_RUNTIME", str(tmp_path))
    with socket.create_server(("127.0.0.1", 0)) as taken:
        arguments = resolve({"gateway_port": str(taken.getsockname()[1])})
        GraphRecord(ProcessRecord.of(os.getpid()), arguments, {}).save()
        (found,) = ports(None)
    assert found.verdict is CheckStatus.GOOD


def test_doctor_reports_invalid_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REACHY_AGENT_GATEWAY_PORT", "many")
    (found,) = ports(None)
    assert found.verdict is CheckStatus.BAD
    assert "'many'" in found.detail


def test_doctor_reports_state_directory_readable_by_others(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "state"
    folder.mkdir(mode=0o755)
    monkeypatch.setenv("REACHY_AGENT_STATE", str(folder))
    state, _ = storage()
    assert state.verdict is CheckStatus.LESS
    assert str(folder) in state.cure


def test_doctor_reports_state_directory_that_cannot_be_created(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "file"
    file.touch()
    monkeypatch.setenv("REACHY_AGENT_STATE", str(file / "state"))
    state, _ = storage()
    assert state.verdict is CheckStatus.BAD


def test_doctor_check_leaves_no_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REACHY_AGENT_STATE", str(tmp_path / "state"))
    list(storage())
    assert list((tmp_path / "state").iterdir()) == []


def test_doctor_reports_damaged_file_in_state_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REACHY_AGENT_STATE", str(tmp_path))
    (tmp_path / "memory.db.damaged-2026-01-01T00-00-00.0").touch()
    damage = list(storage())[-1]
    assert (damage.subject, damage.verdict) == ("Damage", CheckStatus.LESS)
    assert "memory.db.damaged-2026" in damage.detail


@pytest.mark.parametrize(
    ("nice", "realtime", "verdict"),
    [
        (0, 0, CheckStatus.LESS),
        (29, 0, CheckStatus.LESS),
        (30, 0, CheckStatus.GOOD),
        (0, 50, CheckStatus.GOOD),
        (resource.RLIM_INFINITY, 0, CheckStatus.GOOD),
        (0, resource.RLIM_INFINITY, CheckStatus.GOOD),
    ],
)
def test_doctor_checks_priority_limits_of_user(
    monkeypatch: pytest.MonkeyPatch, nice: int, realtime: int, verdict: CheckStatus
) -> None:
    limits = {resource.RLIMIT_NICE: nice, resource.RLIMIT_RTPRIO: realtime}
    monkeypatch.setattr(resource, "getrlimit", lambda kind: (limits[kind], limits[kind]))
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    assert [finding.verdict for finding in machine() if finding.subject == "Priority"] == [verdict]


def test_doctor_reports_available_memory_and_realtime_priority() -> None:
    assert [finding.subject for finding in machine()] == ["Memory", "Shared memory", "Priority"]


def test_doctor_checks_sandbox() -> None:
    (found,) = sandbox()
    assert found.verdict in (CheckStatus.GOOD, CheckStatus.LESS)
    assert bool(found.cure) == (found.verdict is CheckStatus.LESS)


@pytest.mark.slow
def test_doctor_checks_motion_and_rendering_of_simulation() -> None:
    assert [(finding.subject, finding.verdict) for finding in simulation()] == [
        ("Simulation", CheckStatus.GOOD),
        ("Drawing", CheckStatus.GOOD),
    ]


def test_doctor_reports_missing_device_as_optional_with_remedy() -> None:
    for finding in (*audio(), *camera()):
        assert finding.verdict is CheckStatus.GOOD or (finding.verdict is CheckStatus.LESS and finding.cure)
