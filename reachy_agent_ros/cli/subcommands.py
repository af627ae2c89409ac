"""Subcommands and help of a command of `reachy-agent`, such as `list`, `add` and `revoke` of `grants`."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence

from reachy_agent_ros.core.names import NAMESPACE


class Subcommands:
    """Gives them to a command; the function of the one that is chosen is `subcommand` of the parsed arguments.

    Args:
        parser: The command's.
        usual: Function of what it does where nothing is named; None where something must be.
        graph: Whether all of it needs the graph that runs, so that its namespace can be given.
    """

    def __init__(
        self, parser: argparse.ArgumentParser, usual: Callable[..., object] | None = None, graph: bool = False
    ) -> None:
        self._choices = parser.add_subparsers(dest="what", metavar="WHAT", required=usual is None)
        self._usual = usual
        self._graph = graph
        if usual is not None:
            parser.set_defaults(subcommand=usual)
            _add_options(parser, graph, json=True)

    def add(
        self,
        name: str,
        text: str,
        function: Callable[..., object],
        *,
        example: str = "",
        graph: bool = False,
        json: bool = True,
    ) -> argparse.ArgumentParser:
        """Adds one.

        Args:
            name: What a person writes.
            text: What it does, for the help.
            function: Does it.
            example: Arguments that a person may give it, for its own help.
            graph: Whether it needs the graph that runs, though not all of the command does.
            json: Whether it can print JSON.

        Returns:
            Its parser, for arguments of its own.
        """
        added = self._choices.add_parser(name, help=text, description=sentence(text), formatter_class=HelpFormatter)
        added.epilog = below([f"{added.prog} {example}".rstrip()])
        added.set_defaults(subcommand=function)
        _add_options(added, graph or self._graph, json, given_before=self._usual is not None)
        return added


def _add_options(parser: argparse.ArgumentParser, graph: bool, json: bool, given_before: bool = False) -> None:
    """Adds what many take. An option that was given before the choice is not overwritten by the choice's default."""
    if graph:
        default = argparse.SUPPRESS if given_before else NAMESPACE
        parser.add_argument("--namespace", default=default, help=f"namespace of the graph (default: {NAMESPACE})")
    if json:
        unset = argparse.SUPPRESS if given_before else False
        parser.add_argument(
            "--json", action="store_true", default=unset, help="print one JSON object a line and nothing else"
        )


class HelpFormatter(argparse.HelpFormatter):
    """Wraps what is above and below the arguments, but for lines that are indented."""

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        wrap = super()._fill_text
        return "\n".join(line if line.startswith(" ") else wrap(line, width, indent) for line in text.splitlines())


def below(examples: Sequence[str], more: str = "") -> str:
    """What stands below the arguments.

    Args:
        examples: Whole commands.
        more: What else there is to say.
    """
    return "\n".join(["examples:", *(f"  {example}" for example in examples), *(["", more] if more else [])])


def sentence(text: str) -> str:
    """What a command does, as a sentence; in lists it begins small."""
    return text[0].upper() + text[1:] + "."
