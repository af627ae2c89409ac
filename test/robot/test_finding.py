import re
from pathlib import Path

from reachy_agent_ros.robot.finding import Verdict

MESSAGE = Path(__file__).resolve().parents[2] / "reachy_agent_msgs" / "msg" / "MotionReport.msg"


def test_a_verdict_has_the_number_that_listeners_know_it_by() -> None:
    constants = re.findall(r"^uint8 ([A-Z_]+) = (\d+)", MESSAGE.read_text(), re.M)
    assert {name: int(number) for name, number in constants} == {one.name: one.value for one in Verdict}
