from reachy_agent_ros.core.errors import ErrorCode
from reachy_agent_ros.motion.report_log import ReportLog
from reachy_agent_ros.robot.finding import Finding, Verdict


def finding(field: str, verdict: Verdict = Verdict.REFUSED) -> Finding:
    return Finding(field, 1.0, 0.0, verdict, ErrorCode.RATE_EXCEEDED, "too many")


def test_a_flood_is_one_report_with_a_count() -> None:
    log = ReportLog()
    for _ in range(10_000):
        log.add("teleop", finding("rate"))
    (report,) = log.take()
    assert (report.commander, report.count) == ("teleop", 10_000)
    assert log.take() == []
    assert log.total(Verdict.REFUSED) == 10_000


def test_commanders_fields_and_verdicts_are_told_apart() -> None:
    log = ReportLog()
    log.add("a", finding("rate"))
    log.add("b", finding("rate"))
    log.add("a", finding("body_yaw"))
    log.add("a", finding("body_yaw", Verdict.CLAMPED))
    assert len(log.take()) == 4
