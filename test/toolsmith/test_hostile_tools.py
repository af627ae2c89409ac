from __future__ import annotations

from collections.abc import Iterator

import pytest

from corpus.hostile_run import Outcome, Range, run_all
from corpus.hostile_source import HostileSource, hostile_sources

CLASSES = {"call", "cpu", "escape", "fake", "file", "flood", "inject", "memory"}
CLASSES |= {"name", "net", "proc", "robot", "shape", "text", "wire"}

EVERY = 3
"""One source of so many is run here, of every class; `reachy-agent bench toolsmith` runs all."""

_SHELL = '''def {name}() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        leak = {leak}
    except Exception as error:
        leak = repr(error)
    return {{"answer": 42, "leak": leak}}
'''


@pytest.fixture(scope="module")
def outcomes() -> list[Outcome]:
    return run_all(hostile_sources()[::EVERY])


@pytest.fixture(scope="module")
def ground() -> Iterator[Range]:
    with Range() as ground:
        yield ground


@pytest.mark.timeout(900)
def test_there_are_hostile_tools_of_every_class(outcomes: list[Outcome]) -> None:
    assert len(outcomes) >= 200
    assert {source.kind for source in hostile_sources()[::EVERY]} == CLASSES


def test_no_hostile_tool_has_an_effect_outside_its_box_with_or_without_the_validator(outcomes: list[Outcome]) -> None:
    assert {one.source: one.effects for one in outcomes if one.effects} == {}


def test_no_hostile_tool_commands_the_robot_out_of_its_envelope(outcomes: list[Outcome]) -> None:
    assert {one.source: one.commands for one in outcomes if one.commands} == {}


def test_no_hostile_tool_passes(outcomes: list[Outcome]) -> None:
    assert [one.source for one in outcomes if one.passed] == []


def test_a_tool_of_the_same_form_without_an_attack_passes(ground: Range) -> None:
    source = HostileSource("shell", _SHELL.format(name="harmless_shell", leak='"nothing"'), frozenset(), {"answer": 42})
    outcome = ground.outcome(source)
    assert (outcome.stopped, outcome.reason) == (None, "")


def test_an_attack_that_says_it_worked_is_noticed(ground: Range) -> None:
    source = HostileSource("shell", _SHELL.format(name="loud_shell", leak="CANARY_FIRED"), frozenset(), {"answer": 42})
    assert ground.outcome(source).effects == ("proof: success came out", "box: success came out")
