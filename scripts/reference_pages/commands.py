"""Page of the `reachy-agent` command line."""

from __future__ import annotations

import argparse
import math
import re
from collections.abc import Iterator
from typing import Any

from reachy_agent_ros.cli.cli import EXIT_CODES, EXIT_DEGRADED, EXIT_UNREAD, command_parser
from reachy_agent_ros.cli.parser import ProgramParser
from scripts.reference_pages.markdown import code, page, sentence, table

_INTRODUCTION = """\
`reachy-agent COMMAND --help` prints the same information. The tables omit two options that many commands share, as
their usage shows: `--json` prints one JSON object per line and nothing else, and `--namespace` selects the graph of
another robot (default: `/reachy_mini`).
"""

_SHARED = ("namespace of the graph", "print one JSON object per line and nothing else")
"""Beginnings of the help of these options."""

_GRAPH_ARGUMENTS = "arguments of the graph:"
"""Beginning of the help of `up` that the configuration page has as a table."""

_DEFAULT = re.compile(r",? ?\(default: [^()]*\)")

_MEANINGS = {
    2: "Usage error",
    3: "The graph or a node is not running, or another process has its name, port or state directory",
    124: "Timeout",
    130: "Canceled",
}
"""Meanings of the exit codes of `EXIT_CODES`."""


def command_page() -> str:
    """Returns the command page, generated from the argument parsers."""
    parser = command_parser()
    exit_codes = f"## Exit codes\n\n{_exit_codes()}"
    return page("Command line", _INTRODUCTION, _groups(parser), exit_codes, *_commands(parser, "reachy-agent", 2))


def _groups(parser: ProgramParser) -> str:
    rows = [(group, ", ".join(f"[`{name}`](#{name})" for name in names)) for group, names in parser.groups.items()]
    return table(("Group", "Commands"), rows)


def _exit_codes() -> str:
    errors: dict[int, list[str]] = {}
    for error, number in EXIT_CODES.items():
        errors.setdefault(number, []).append(code(error.name))
    rows = {
        0: "Success.",
        1: "Any other error.",
        EXIT_DEGRADED: "The graph runs, but a node is degraded: `up`, `status`, `restart`.",
        EXIT_UNREAD: "The reader of the output has ended (broken pipe).",
    }
    rows |= {number: f"{_MEANINGS[number]}: {', '.join(names)}." for number, names in errors.items()}
    return table(("Exit code", "Meaning"), [(str(number), rows[number]) for number in sorted(rows)])


def _commands(parser: argparse.ArgumentParser, program: str, level: int) -> Iterator[str]:
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            helps = {choice.dest: choice.help or "" for choice in action._choices_actions}
            for name, command in action.choices.items():
                yield _command(command, f"{program} {name}", helps.get(name, ""), level)
                yield from _commands(command, f"{program} {name}", min(level + 1, 3))


def _command(parser: argparse.ArgumentParser, program: str, text: str, level: int) -> str:
    usage = " ".join(parser.format_usage().removeprefix("usage: ").split())
    parts = [f"{'#' * level} {program.removeprefix('reachy-agent ')}", sentence(parser.description or text)]
    parts.append(f"```text\n{usage}\n```")
    rows = [row for action in parser._actions for row in _row(action)]
    parts.append(table(("Argument", "Default", "Meaning"), rows))
    parts += _below(parser.epilog or "")
    return "\n\n".join(filter(None, parts))


def _row(action: argparse.Action) -> Iterator[tuple[str, str, str]]:
    hidden = action.help == argparse.SUPPRESS or (action.help or "").startswith(_SHARED)
    if hidden or isinstance(action, argparse._HelpAction | argparse._SubParsersAction):
        return
    names = ", ".join(action.option_strings) or str(action.metavar or action.dest)
    value = f" {action.metavar or action.dest.upper()}" if action.option_strings and action.nargs != 0 else ""
    default = _default(action.default)
    text = (action.help or "") % vars(action)
    text = _DEFAULT.sub("", text) if default else text
    choices = f" One of {', '.join(map(str, action.choices))}." if action.choices else ""
    yield code(f"{names}{value}"), default, f"{sentence(text)}{choices}"


def _default(value: Any) -> str:
    unset = value is None or value is False or value in (argparse.SUPPRESS, "", [])
    if unset or (isinstance(value, float) and value in (0.0, math.inf)):  # a time limit that is not given
        return ""
    return code(" ".join(map(str, value)) if isinstance(value, list) else str(value))


def _below(epilog: str) -> Iterator[str]:
    """Yields the examples of a command, and the text below the examples."""
    heading, _, rest = epilog.partition("\n")
    examples, _, more = rest.partition("\n\n")
    if heading == "examples:":
        lines = "\n".join(line.removeprefix("  ") for line in examples.splitlines())
        yield f"```bash\n{lines}\n```"
        if more.startswith(_GRAPH_ARGUMENTS):
            yield "[Launch arguments](configuration.md#launch-arguments) lists the arguments of the graph."
        else:
            yield more
    else:
        yield epilog
