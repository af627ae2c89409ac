import subprocess
import sys

import numpy as np
import pytest

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.motion.dance import dance, dances
from reachy_agent_ros.robot.coordinates import coordinates
from support.cases import mostly_nightly
from support.robot.unhindered import assert_unhindered


def test_lists_every_dance_of_manufacturer_library() -> None:
    assert len(dances()) == 20


@pytest.mark.parametrize("name", dances())
def test_dance_starts_and_ends_at_neutral_posture(name: str) -> None:
    move = dance(name)
    values = np.array([coordinates(move.at(time)) for time in np.linspace(0.0, move.duration, 100)])
    assert np.allclose(values[[0, -1]], 0.0)
    assert np.isfinite(values).all()
    assert np.abs(values).max() > 0.05
    assert move.description


@pytest.mark.parametrize("name", mostly_nightly(dances(), one_in=3))
def test_safety_gate_does_not_change_dance(name: str) -> None:
    assert_unhindered(dance(name))


def test_rejects_unknown_dance_and_lists_known_ones() -> None:
    with pytest.raises(AgentError, match="simple_nod") as refused:
        dance("moonwalk")
    assert refused.value.code is ErrorCode.UNKNOWN_MOVE


def test_loading_dance_does_not_import_sdk() -> None:
    probe = "import sys; from reachy_agent_ros.motion.dance import dances; dances(); "
    probe += "sys.exit('reachy_mini' in sys.modules or 'gi' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", probe], check=False).returncode == 0
