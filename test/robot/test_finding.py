import re
from pathlib import Path

from reachy_agent_ros.core.errors import ErrorCode
from reachy_agent_ros.robot.finding import Finding, ReportLog, TargetVerdict

MESSAGE = Path(__file__).resolve().parents[2] / "reachy_agent_msgs" / "msg" / "MotionReport.msg"


def test_verdict_values_equal_ros_message_constants() -> None:
    constants = re.findall(r"^uint8 ([A-Z_]+) = (\d+)", MESSAGE.read_text(), re.M)
    assert {name: int(number) for name, number in constants} == {one.name: one.value for one in TargetVerdict}


def finding(field: str, verdict: TargetVerdict = TargetVerdict.REFUSED) -> Finding:
    return Finding(field, 1.0, 0.0, verdict, ErrorCode.RATE_EXCEEDED, "too many")


def test_merges_equal_findings_into_one_report_with_count() -> None:
    log = ReportLog()
    for _ in range(10_000):
        log.add("teleop", finding("rate"))
    (report,) = log.take()
    assert (report.commander, report.count) == ("teleop", 10_000)
    assert log.take() == []
    assert log.total(TargetVerdict.REFUSED) == 10_000


def test_does_not_merge_findings_of_different_commander_field_or_verdict() -> None:
    log = ReportLog()
    log.add("a", finding("rate"))
    log.add("b", finding("rate"))
    log.add("a", finding("body_yaw"))
    log.add("a", finding("body_yaw", TargetVerdict.CLAMPED))
    assert len(log.take()) == 4
