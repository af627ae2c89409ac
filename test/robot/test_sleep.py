import subprocess
import sys

import numpy as np

from reachy_agent_ros.robot.coordinates import coordinates
from reachy_agent_ros.robot.kinematics import BodyKinematics
from reachy_agent_ros.robot.pose_limits import HIGH, LOW
from reachy_agent_ros.robot.sleep import sleep_posture


def test_sleep_posture_lowers_head_and_antennas_within_reach() -> None:
    values = coordinates(sleep_posture())
    assert BodyKinematics().reaches(sleep_posture())
    assert ((values >= LOW) & (values <= HIGH)).all()
    assert values[2] < -0.03
    assert np.abs(values[7:]).min() > np.radians(150.0)


def test_reading_sleep_posture_does_not_import_sdk() -> None:
    probe = "import sys; from reachy_agent_ros.robot.sleep import sleep_posture; sleep_posture(); "
    probe += "sys.exit('reachy_mini' in sys.modules or 'gi' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", probe], check=False).returncode == 0
