from __future__ import annotations

from pathlib import Path

from bench.report import Figure
from chaos.campaign_report import Row, write_report
from chaos.faults.catalogue import FAULTS

FAULT = FAULTS[0]


def test_fault_passes_if_all_figures_meet_their_limits_without_problem() -> None:
    good, bad = Figure("good", 1.0, "s", 2.0), Figure("bad", 3.0, "s", 2.0)
    assert Row(FAULT, (good,), "", 1.0).held
    assert not Row(FAULT, (good, bad), "", 1.0).held
    assert not Row(FAULT, (good,), "It did not come.", 1.0).held


def test_report_contains_injection_expectation_and_result_of_every_fault(tmp_path: Path) -> None:
    rows = [Row(fault, (Figure("time to be back", 4.5, "s", 3.0),), "", 1.0) for fault in FAULTS]
    report = write_report(tmp_path / "new" / "folder", rows, 9).read_text(encoding="utf-8")
    for fault in FAULTS:
        assert f"## {fault.number}. {fault.title}" in report
        assert fault.injected in report
        assert fault.expected in report
    assert report.count("| time to be back | 4.5 s | at most 3 s | **no** |") == len(FAULTS)


def test_faults_are_numbered_consecutively_and_documented() -> None:
    assert [fault.number for fault in FAULTS] == list(range(1, 28))
    page = Path(__file__).parents[2].joinpath("docs", "project", "fault_injection.md").read_text(encoding="utf-8")
    for fault in FAULTS:
        assert f"| {fault.number} | {fault.title} | {fault.injected} | {fault.expected} |" in page
