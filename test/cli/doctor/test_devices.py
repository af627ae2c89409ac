import pytest

from reachy_agent_ros.cli.doctor.devices import audio, camera, simulation
from reachy_agent_ros.cli.doctor.finding import Verdict


@pytest.mark.slow
def test_the_simulated_robot_moves_and_is_drawn() -> None:
    assert [(finding.subject, finding.verdict) for finding in simulation()] == [
        ("Simulation", Verdict.GOOD),
        ("Drawing", Verdict.GOOD),
    ]


def test_a_missing_device_keeps_no_robot_from_running_and_has_a_cure() -> None:
    for finding in (*audio(), *camera()):
        assert finding.verdict is Verdict.GOOD or (finding.verdict is Verdict.LESS and finding.cure)
