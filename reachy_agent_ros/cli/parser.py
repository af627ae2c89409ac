"""Parsers of `reachy-agent`, which suggest the closest command for a typo and list the commands in groups."""

from __future__ import annotations

import argparse
import itertools
import shutil
import sys
import textwrap
from collections.abc import Mapping, Sequence
from typing import Any

from reachy_agent_ros.cli.groups import Group
from reachy_agent_ros.core.suggestion import did_you_mean

DESCRIPTION = "Runs a Reachy Mini, or its simulation, as an agent that hears, sees, speaks and moves."

FIRST_STEPS = {
    "reachy-agent doctor": "check this machine",
    "reachy-agent demo": "watch a robot in simulation",
    "reachy-agent up": "start the robot",
    "reachy-agent chat": "talk to it",
    "reachy-agent stop": "trigger the emergency stop",
}
"""Commands that the short help explains, in the order in which a newcomer uses them."""

_WIDTH = 100
"""Maximum width of the short help, columns."""


class CommandParser(argparse.ArgumentParser):
    """Parser that suggests the closest name for an unknown command, option or choice."""

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Parses the arguments. Reports unknown options before missing arguments, because options may be the cause."""
        words = sys.argv[1:] if args is None else list(args)
        if not any(action.nargs in (argparse.PARSER, argparse.REMAINDER) for action in self._actions):
            self._require_known_options(words)
        return super().parse_known_args(words, namespace)

    def _require_known_options(self, words: Sequence[str]) -> None:
        for word in itertools.takewhile(lambda word: word != "--", words):
            name = word.partition("=")[0]
            is_option = name.startswith("--") and " " not in word
            if is_option and not any(known.startswith(name) for known in self._option_string_actions):
                self.error(f"Unknown option {name!r:.40}.{did_you_mean(name, self._option_string_actions)}")

    def accepts(self, option: str) -> bool:
        """Returns whether the command has an option, such as `--json`."""
        return option in self._option_string_actions

    def command_advice(self, _unknown: str) -> str:
        """Returns the advice for an unknown command."""
        return f"{self.prog} --help lists the commands."

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        if action.choices is None or value in action.choices:
            return
        closest = did_you_mean(str(value), action.choices)
        if isinstance(action, argparse._SubParsersAction):
            raise argparse.ArgumentError(None, f"Unknown command {value!r:.40}.{closest} {self.command_advice(value)}")
        if closest:
            raise argparse.ArgumentError(action, f"Invalid value {value!r:.40}.{closest}")
        super()._check_value(action, value)


def subcommands(parser: argparse.ArgumentParser) -> dict[str, CommandParser]:
    """Returns a map of subcommand names to their parsers. The map is empty if there are no subcommands."""
    found = [action for action in parser._actions if isinstance(action, argparse._SubParsersAction)]
    return dict(found[0].choices) if found else {}


class ProgramParser(CommandParser):
    """Parser of the program. The help lists the commands in groups.

    Attributes:
        groups: Help texts of the commands by name, for each group.
    """

    groups: Mapping[Group, Mapping[str, str]] = {}

    def command_advice(self, unknown: str) -> str:
        """Returns the advice for an unknown command, which may be a sentence for the robot."""
        return f'{super().command_advice(unknown)} To say it to the robot: {self.prog} ask "{unknown:.40}"'

    def format_help(self) -> str:
        """Returns the complete help."""
        formatter = self._get_formatter()
        formatter.add_usage(self.usage, self._actions, self._mutually_exclusive_groups)
        formatter.add_text(self.description)
        for group, commands in self.groups.items():
            formatter.start_section(group)
            formatter.add_arguments(argparse.Action([], name, help=text) for name, text in commands.items())
            formatter.end_section()
        formatter.start_section("options")
        formatter.add_arguments(action for action in self._actions if action.option_strings)
        formatter.end_section()
        formatter.add_text(self.epilog)
        return formatter.format_help()

    def short_help(self) -> str:
        """Returns a help text that fits on one screen: the first steps, and the names of all user commands."""
        width = max(len(command) for command in FIRST_STEPS)
        steps = [f"  {command:{width}}  {text}" for command, text in FIRST_STEPS.items()]
        columns = min(shutil.get_terminal_size((_WIDTH, 24)).columns, _WIDTH)
        groups = {group: names for group, names in self.groups.items() if group is not Group.DEVELOPERS}
        lists = [
            textwrap.fill(", ".join(names), columns, initial_indent=f"  {group:9}", subsequent_indent=" " * 11)
            for group, names in groups.items()
        ]
        more = "Help: reachy-agent --help for all commands, reachy-agent COMMAND --help for one."
        about, help_hint = (textwrap.fill(text, columns) for text in (DESCRIPTION, more))
        return "\n".join([about, "", "First steps:", *steps, "", "Commands:", *lists, "", help_hint, ""])
