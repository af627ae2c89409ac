"""Page of the `reachy-agent` command line."""

from __future__ import annotations

import argparse
from collections.abc import Iterator

from reachy_agent_ros.cli.cli import command_parser
from scripts.reference_pages.markdown import code, page, sentence, table

_INTRODUCTION = """\
`reachy-agent COMMAND --help` prints the same information. Most commands accept `--json`, which prints one JSON object
per line.

| Exit code | Meaning |
| --- | --- |
| 0 | success |
| 1 | error |
| 2 | usage error |
| 3 | the graph or a node is not running |
| 124 | timeout |
| 130 | canceled |
| 141 | the reader of the output has ended |
"""


def command_page() -> str:
    """Returns the page, from the argument parsers."""
    return page("Command line", _INTRODUCTION, *_commands(command_parser(), "reachy-agent", 2))


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
    if rows:
        parts.append(table(("Argument", "Default", "Meaning"), rows))
    return "\n\n".join(filter(None, parts))


def _row(action: argparse.Action) -> Iterator[tuple[str, str, str]]:
    if isinstance(action, argparse._HelpAction | argparse._SubParsersAction):
        return
    names = ", ".join(action.option_strings) or str(action.metavar or action.dest)
    value = f" {action.metavar or action.dest.upper()}" if action.option_strings and action.nargs != 0 else ""
    default = "" if action.default in (None, False, argparse.SUPPRESS, [], "") else str(action.default)
    text = (action.help or "").replace("%(default)s", default)
    choices = f" One of {', '.join(map(str, action.choices))}." if action.choices else ""
    yield code(f"{names}{value}"), code(default), f"{sentence(text)}{choices}"
