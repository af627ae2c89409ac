"""Speech recognition and motion: the robot keeps still while a person speaks to it."""

from __future__ import annotations

from pathlib import Path

from reachy_agent_msgs.msg import RobotState
from std_msgs.msg import Bool

from reachy_agent_ros.audio.sound_file import write_wav
from reachy_agent_ros.core import names
from reachy_agent_ros.ros.rclpy_ext.qos import LATCHED, STANDARD
from support.nodes.node_process import NodeProcess, Ros
from support.recordings import LOOK_LEFT, spoken
from support.waiting import wait_until


def test_robot_keeps_still_only_while_a_person_is_speaking(ros: Ros, tmp_path: Path) -> None:
    path = tmp_path / "command.wav"
    write_wav(path, spoken(LOOK_LEFT, before=1.0), 16_000)
    states: list[bool] = []
    signals: list[bool] = []
    ros.node.create_subscription(RobotState, names.ROBOT_STATE, lambda state: states.append(state.listening), LATCHED)
    ros.node.create_subscription(Bool, names.LISTENING, lambda signal: signals.append(signal.data), STANDARD)
    with NodeProcess("hardware_bridge", {"breathing_pause": 0.0}) as body:
        body.wait_ready()
        wait_until(lambda: states[-1:] == [False], "a body that does not listen")
        with NodeProcess("stt", {"source": "file", "file": str(path)}):
            wait_until(lambda: True in states, "the body to listen")
            wait_until(lambda: signals[-1:] == [False], "the end of the sentence")
            wait_until(lambda: states[-1] is False, "the body to move again")
