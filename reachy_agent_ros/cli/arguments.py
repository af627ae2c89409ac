"""Arguments of commands: subcommands, shared options, help texts, and the types of option values."""

from __future__ import annotations

import argparse
import re
import sys
import time
from collections.abc import Callable, Sequence
from datetime import datetime
from pathlib import Path

from reachy_agent_ros.core.deadline import duration
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.core.names import NAMESPACE

_LARGEST_INTEGER = 2**31 - 1
"""Largest number in an `int32` field of a message."""

_STANDARD_INPUT = Path("-")

_NUMBER = re.compile(r"\d+(?:\.\d+)?", re.ASCII)


class UnreadableFileError(AgentError):
    """Error for an input file that is missing, unreadable or malformed.

    With `--json`, the command prints an object with the file and the error. Its exit code is 1.

    Args:
        file: Path.
        problem: What is wrong, as the end of a sentence.
    """

    def __init__(self, file: Path, problem: str | None) -> None:
        super().__init__(ErrorCode.INVALID_ARGUMENTS, f"Cannot read {file}: {str(problem).rstrip('.')}.")
        self.file = file


class Subcommands:
    """Subcommands of a command, such as `list` and `add` of `grants`.

    The attribute `subcommand` of the parsed arguments is the function of the chosen subcommand.

    Args:
        parser: Parser of the command.
        usual: Function that runs the command if no subcommand is given.
        graph: Whether all subcommands need the running graph and therefore accept its namespace.
    """

    def __init__(self, parser: argparse.ArgumentParser, usual: Callable[..., object], graph: bool = False) -> None:
        self._choices = parser.add_subparsers(title="subcommands", dest="what", metavar="[WHAT]")
        self._graph = graph
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
        """Adds a subcommand.

        Args:
            name: Name of the subcommand.
            text: Help text: one phrase without an initial capital letter or a period.
            function: Function that runs the subcommand.
            example: Example arguments for the help.
            graph: Whether the subcommand needs the running graph, even if the others do not.
            json: Whether the subcommand can print JSON.

        Returns:
            Parser of the subcommand, for further arguments.
        """
        added = self._choices.add_parser(name, help=text, description=sentence(text), formatter_class=HelpFormatter)
        added.epilog = below([f"{added.prog} {example}".rstrip()])
        added.set_defaults(subcommand=function)
        # Without defaults for options that the command has as well: they would overwrite values given before the name.
        if graph or self._graph:
            _add_namespace(added, argparse.SUPPRESS if self._graph else NAMESPACE)
        if json:
            _add_json(added, argparse.SUPPRESS)
        return added


def add_options(parser: argparse.ArgumentParser, *, graph: bool = False, json: bool = True) -> None:
    """Adds the options that most commands share.

    Args:
        parser: Parser of a command.
        graph: Whether the command uses a running graph, which `--namespace` selects.
        json: Whether the command can print JSON.
    """
    if graph:
        _add_namespace(parser, NAMESPACE)
    if json:
        _add_json(parser, False)


def _add_namespace(parser: argparse.ArgumentParser, default: str) -> None:
    parser.add_argument("--namespace", default=default, help=f"namespace of the graph (default: {NAMESPACE})")


def _add_json(parser: argparse.ArgumentParser, default: bool | str) -> None:
    parser.add_argument(
        "--json", action="store_true", default=default, help="print one JSON object per line and nothing else"
    )


def add_old_option(parser: argparse.ArgumentParser, name: str, current: str) -> None:
    """Adds a former name of an option, which is not listed in help or completions.

    Args:
        parser: Parser of a command.
        name: Former name, such as `--model-endpoint`.
        current: Attribute of the current option.
    """
    parser.add_argument(name, dest=current, default=argparse.SUPPRESS, help=argparse.SUPPRESS)


class HelpFormatter(argparse.HelpFormatter):
    """Help formatter that wraps the description and the epilog, except for indented lines."""

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        wrap = super()._fill_text
        return "\n".join(line if line.startswith(" ") else wrap(line, width, indent) for line in text.splitlines())


def below(examples: Sequence[str], more: str = "") -> str:
    """Returns the epilog of a help text: the examples, followed by any further text.

    Args:
        examples: Complete commands.
        more: Text after the examples.
    """
    return "\n".join(["examples:", *(f"  {example}" for example in examples), *(["", more] if more else [])])


def sentence(text: str) -> str:
    """Converts a lower-case help phrase from the list of commands into a sentence."""
    return text[0].upper() + text[1:] + "."


def whole(low: int, high: int = _LARGEST_INTEGER) -> Callable[[str], int]:
    """Returns an argument type that accepts integers within bounds.

    Args:
        low: Smallest valid number.
        high: Largest valid number.
    """

    def read(text: str) -> int:
        try:
            number = int(text)
        except ValueError:
            number = low - 1
        if not low <= number <= high:
            raise argparse.ArgumentTypeError(f"invalid value {text!r:.40}: expected an integer {_bounds(low, high)}")
        return number

    return read


def decimal(low: float, high: float) -> Callable[[str], float]:
    """Returns an argument type that accepts numbers from `low` to `high`, but not NaN."""

    def read(text: str) -> float:
        try:
            number = float(text)
        except ValueError:
            number = float("nan")
        if not low <= number <= high:
            message = f"invalid value {text!r:.40}: expected a number from {low:g} to {high:g}"
            raise argparse.ArgumentTypeError(message)
        return number

    return read


def span(text: str) -> float:
    """Parses a duration such as 90s, 10m, 2h or 7d. Returns seconds. A number without a unit means seconds."""
    try:
        return duration(f"{text}s" if _NUMBER.fullmatch(text) else text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def bounded_span(low: float, high: float) -> Callable[[str], float]:
    """Returns an argument type that accepts durations from `low` to `high` seconds."""

    def read(text: str) -> float:
        seconds = span(text)
        if not low <= seconds <= high:
            raise argparse.ArgumentTypeError(f"invalid duration {text!r:.40}: expected {low:g}s to {high:g}s")
        return seconds

    return read


def moment(text: str) -> float:
    """Parses an ISO 8601 date, or an age such as 10m, which means 10 minutes ago. Returns seconds since the epoch."""
    try:
        return time.time() - duration(text)
    except ValueError:
        pass
    try:
        return datetime.fromisoformat(text).timestamp()
    except (ValueError, OverflowError):
        message = f"invalid time {text!r:.40}: expected a duration such as 10m or an ISO 8601 date"
        raise argparse.ArgumentTypeError(message) from None


def sentences(given: Sequence[str], file: Path | None) -> list[str]:
    """Returns the sentences from the command line, followed by the lines of a file that are not blank.

    Args:
        given: Sentences from the command line.
        file: File as for `read_text`; None for no file.

    Raises:
        UnreadableFileError: The file cannot be read.
        AgentError: `INVALID_ARGUMENTS`: no sentence was given.
    """
    found = [
        *given,
        *(line.rstrip("\r") for line in ("" if file is None else read_text(file)).split("\n") if line.strip()),
    ]
    if not found:
        raise AgentError(ErrorCode.INVALID_ARGUMENTS, "No sentence given: pass a sentence, or a file with --file.")
    return found


def read_text(file: Path) -> str:
    """Returns the content of a UTF-8 text file.

    Args:
        file: Path, or "-" for standard input.

    Raises:
        UnreadableFileError: The file cannot be read.
    """
    try:
        return sys.stdin.read() if file == _STANDARD_INPUT else file.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise UnreadableFileError(file, "expected UTF-8 text") from None
    except OSError as error:
        raise UnreadableFileError(file, error.strerror) from error


def _bounds(low: int, high: int) -> str:
    return f"of at least {low}" if high == _LARGEST_INTEGER else f"from {low} to {high}"
