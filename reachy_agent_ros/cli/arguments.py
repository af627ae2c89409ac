"""Arguments of commands: subcommands such as `list` and `add` of `grants`, their help, and what options take."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from reachy_agent_ros.core.deadline import duration
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.core.names import NAMESPACE

_LARGEST_INTEGER = 2**31 - 1
"""Largest number in an `int32` field of a message."""

_STANDARD_INPUT = Path("-")


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
            add_options(parser, graph=graph)

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
        add_options(added, graph=graph or self._graph, json=json, given_before=self._usual is not None)
        return added


def add_options(
    parser: argparse.ArgumentParser, *, graph: bool = False, json: bool = True, given_before: bool = False
) -> None:
    """Adds the options that most commands share.

    Args:
        parser: Of a command or a subcommand.
        graph: Whether it uses a running graph, so that `--namespace` selects one.
        json: Whether it can print JSON.
        given_before: Whether the command before the subcommand has the same options. The subcommand's defaults then do
            not overwrite their values.
    """
    if graph:
        default = argparse.SUPPRESS if given_before else NAMESPACE
        parser.add_argument("--namespace", default=default, help=f"namespace of the graph (default: {NAMESPACE})")
    if json:
        unset = argparse.SUPPRESS if given_before else False
        parser.add_argument(
            "--json", action="store_true", default=unset, help="print one JSON object per line and nothing else"
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


def whole(low: int, high: int = _LARGEST_INTEGER) -> Callable[[str], int]:
    """Reads whole numbers within bounds.

    Args:
        low: Least that is taken.
        high: Greatest that is taken.
    """

    def read(text: str) -> int:
        try:
            number = int(text)
        except ValueError:
            number = low - 1
        if not low <= number <= high:
            raise argparse.ArgumentTypeError(f"{text!r:.40} is no whole number {_bounds(low, high)}")
        return number

    return read


def decimal(low: float, high: float) -> Callable[[str], float]:
    """Reads numbers within bounds, both included; never NaN."""

    def read(text: str) -> float:
        try:
            number = float(text)
        except ValueError:
            number = float("nan")
        if not low <= number <= high:
            raise argparse.ArgumentTypeError(f"{text!r:.40} is no number from {low:g} to {high:g}")
        return number

    return read


def span(text: str) -> float:
    """Reads a time such as 90s, 10m, 2h or 7d, in s."""
    try:
        return duration(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def sentences(given: Sequence[str], file: Path | None) -> list[str]:
    """What is given, then every line of the file that is not empty.

    Args:
        given: On the command line.
        file: As for `read_text`; None for no file.

    Raises:
        AgentError: `INVALID_ARGUMENTS`: the file cannot be read, or there is no sentence.
    """
    found = [
        *given,
        *(line.rstrip("\r") for line in ("" if file is None else read_text(file)).split("\n") if line.strip()),
    ]
    if not found:
        raise AgentError(ErrorCode.INVALID_ARGUMENTS, "Say a sentence, or name a file of them with --file.")
    return found


def read_text(file: Path) -> str:
    """The text of a UTF-8 file.

    Args:
        file: "-" for standard input.

    Raises:
        AgentError: `INVALID_ARGUMENTS`: the file cannot be read.
    """
    try:
        return sys.stdin.read() if file == _STANDARD_INPUT else file.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise AgentError(ErrorCode.INVALID_ARGUMENTS, f"{file} cannot be read: it is not UTF-8 text.") from None
    except OSError as error:
        raise AgentError(ErrorCode.INVALID_ARGUMENTS, f"{file} cannot be read: {error.strerror}.") from error


def _bounds(low: int, high: int) -> str:
    return f"of at least {low}" if high == _LARGEST_INTEGER else f"from {low} to {high}"
