import json
import socket

import pytest

from reachy_agent_ros.cli.cli import main


def test_doctor_prints_one_line_per_check(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["doctor", "--json"]) == 0
    found = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    subjects = [finding["subject"] for finding in found]
    assert len(subjects) == len(set(subjects))
    assert {"ROS 2", "Messages", "Simulation", "Voice", "Sandbox", "Gateway"} <= set(subjects)
    assert all(finding["detail"] and (finding["verdict"] == "good") == (not finding["cure"]) for finding in found)


def test_doctor_suggests_fix_for_missing_requirement(capsys: pytest.CaptureFixture[str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        assert main(["doctor", "--gateway-port", str(taken.getsockname()[1])]) == 0
    printed = capsys.readouterr().out
    assert "-> reachy-agent up gateway_port:=0" in printed
    assert printed.endswith("Lines marked -- are optional.\nThe robot can run here: reachy-agent up\n")
