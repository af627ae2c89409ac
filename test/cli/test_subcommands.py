import argparse

import pytest

from reachy_agent_ros.cli.subcommands import Subcommands
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


def chosen() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser()
    choices = Subcommands(parser)
    choices.add("list", "all", show)
    choices.add("use", "one", add, graph=True)
    choices.add("export", "all", add, json=False)
    return parser


@pytest.mark.parametrize(
    ("words", "function"), [([], show), (["list"], show), (["add", "duck"], add), (["--json", "add", "duck"], add)]
)
def test_what_is_named_is_chosen_and_else_what_is_usual(words: list[str], function: object) -> None:
    assert usual().parse_args(words).subcommand is function


@pytest.mark.parametrize(
    "words", [["--json", "--namespace", "/other", "list"], ["list", "--json", "--namespace", "/other"]]
)
def test_options_count_before_and_behind_what_is_named(words: list[str]) -> None:
    arguments = usual().parse_args(words)
    assert (arguments.json, arguments.namespace) == (True, "/other")
    arguments = usual().parse_args(["list"])
    assert (arguments.json, arguments.namespace) == (False, NAMESPACE)


def test_where_nothing_is_usual_something_must_be_named() -> None:
    assert chosen().parse_args(["use"]).namespace == NAMESPACE
    assert chosen().parse_args(["list", "--json"]).json is True
    for words in ([], ["list", "--namespace", "/other"], ["export", "--json"]):
        with pytest.raises(SystemExit):
            chosen().parse_args(words)
