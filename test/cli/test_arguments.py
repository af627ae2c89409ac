from __future__ import annotations

import argparse
import contextlib
import math
import time

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from reachy_agent_ros.cli.arguments import Subcommands, add_old_option, bounded_span, decimal, moment, span, whole
from reachy_agent_ros.core.names import NAMESPACE


def show() -> None:
    pass


def add() -> None:
    pass


def usual() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser()
    choices = Subcommands(parser, usual=show, graph=True)
    choices.add("list", "all", show)
    choices.add("add", "one more", add).add_argument("name")
    return parser


def partly_in_graph() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser()
    choices = Subcommands(parser, usual=show)
    choices.add("list", "all", show)
    choices.add("use", "one", add, graph=True)
    choices.add("export", "all", add, json=False)
    return parser


@pytest.mark.parametrize(
    ("words", "function"), [([], show), (["list"], show), (["add", "duck"], add), (["--json", "add", "duck"], add)]
)
def test_parser_selects_named_or_default_subcommand(words: list[str], function: object) -> None:
    assert usual().parse_args(words).subcommand is function


@pytest.mark.parametrize(
    "words", [["--json", "--namespace", "/other", "list"], ["list", "--json", "--namespace", "/other"]]
)
def test_options_are_accepted_before_and_after_subcommand(words: list[str]) -> None:
    arguments = usual().parse_args(words)
    assert (arguments.json, arguments.namespace) == (True, "/other")
    arguments = usual().parse_args(["list"])
    assert (arguments.json, arguments.namespace) == (False, NAMESPACE)


@pytest.mark.parametrize("words", [["use"], ["--json", "use"]])
def test_subcommand_that_needs_graph_accepts_namespace(words: list[str]) -> None:
    assert partly_in_graph().parse_args(words).namespace == NAMESPACE


@pytest.mark.parametrize("words", [["list", "--namespace", "/other"], ["export", "--json"]])
def test_rejects_option_of_other_subcommand(words: list[str]) -> None:
    with pytest.raises(SystemExit):
        partly_in_graph().parse_args(words)


@given(st.integers(-1000, 1000))
def test_integer_option_accepts_values_within_bounds(number: int) -> None:
    read = whole(1, 100)
    if 1 <= number <= 100:
        assert read(str(number)) == number
    else:
        with pytest.raises(argparse.ArgumentTypeError, match="expected an integer from 1 to 100"):
            read(str(number))


@given(st.floats())
def test_number_option_accepts_values_within_bounds(number: float) -> None:
    read = decimal(0.1, 10.0)
    if 0.1 <= number <= 10.0:
        assert read(repr(number)) == number
    else:
        with pytest.raises(argparse.ArgumentTypeError, match=r"expected a number from 0\.1 to 10"):
            read(repr(number))


@given(st.text())
@example("9" * 5000)
@example("nan")
def test_number_option_rejects_text_that_is_not_a_finite_number(text: str) -> None:
    for read in (whole(0), decimal(0.0, 1.0), span):
        with contextlib.suppress(argparse.ArgumentTypeError):
            assert math.isfinite(read(text))


def test_parses_duration() -> None:
    assert span("10m") == 600.0
    assert span("1.5") == 1.5
    with pytest.raises(argparse.ArgumentTypeError, match="expected a value such as 90s"):
        span("10 apples")


def test_rejects_duration_outside_bounds() -> None:
    assert bounded_span(0.1, 60.0)("1m") == 60.0
    with pytest.raises(argparse.ArgumentTypeError, match=r"expected 0\.1s to 60s"):
        bounded_span(0.1, 60.0)("61s")


def test_parses_relative_and_absolute_time() -> None:
    assert moment("10m") == pytest.approx(time.time() - 600.0, abs=60.0)
    assert moment("2026-11-28T07:00:00+00:00") == 1_795_849_200.0
    with pytest.raises(argparse.ArgumentTypeError, match="expected a duration such as 10m or an ISO 8601 date"):
        moment("yesterday")


def test_former_option_sets_current_option() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--endpoint", default="")
    add_old_option(parser, "--model-endpoint", "endpoint")
    assert parser.parse_args(["--model-endpoint", "x"]).endpoint == "x"
    assert parser.parse_args([]).endpoint == ""
    assert "model" not in parser.format_help()
