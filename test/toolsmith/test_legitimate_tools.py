"""What honest people write is accepted and does what it should."""

import json

import pytest

from corpus.legitimate_run import FOLDER, legitimate_tools, run_all

EVERY = 2
"""One tool of so many is proven here; `reachy-agent bench toolsmith` proves all."""


def test_there_are_many_and_each_is_told_what_it_must_refuse() -> None:
    tools = legitimate_tools()
    assert len(tools) >= 70
    assert {case.name for case in FOLDER.glob("*.cases.json")} == {f"{tool}.cases.json" for tool in tools}
    for tool in tools:
        cases = json.loads((FOLDER / f"{tool}.cases.json").read_text(encoding="utf-8"))
        assert any("expect" in case for case in cases), tool


@pytest.mark.timeout(600)
def test_they_are_accepted_and_right() -> None:
    wrong = [f"{one.tool}: {one.reason}" for one in run_all(legitimate_tools()[::EVERY]) if not one.right]
    assert wrong == []
