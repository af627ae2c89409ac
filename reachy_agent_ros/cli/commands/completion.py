"""Prints a shell completion script."""

from __future__ import annotations

import argparse
from pathlib import Path

from reachy_agent_ros.cli.groups import Group

GROUP = Group.MANAGE

HELP = "print a shell completion script for commands, options and files"

EXAMPLES = (
    'eval "$(reachy-agent completion bash)"',
    "reachy-agent completion zsh > ~/.zfunc/_reachy-agent",
    "reachy-agent completion fish > ~/.config/fish/completions/reachy-agent.fish",
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the argument that selects the shell."""
    parser.add_argument("shell", choices=("bash", "zsh", "fish"), help="shell")


def run(arguments: argparse.Namespace) -> int:
    """Prints the completion script. The script needs neither Python nor the running graph."""
    import shtab

    from reachy_agent_ros.cli.cli import command_parser

    parser = command_parser()
    _tell_what_arguments_are(parser, arguments.shell)
    print(shtab.complete(parser, arguments.shell))
    return 0


def _tell_what_arguments_are(parser: argparse.ArgumentParser, shell: str) -> None:
    """Enables file-name completion for arguments that are paths."""
    import shtab

    for action in parser._actions:
        if action.type is Path:
            action.complete = shtab.FILE  # type: ignore[attr-defined]  # read by shtab
        elif shell == "zsh" and not action.option_strings and action.choices is None:
            # Without an explicit empty list of choices for free text, zsh does not complete options in its place.
            action.complete = {"zsh": "()"}  # type: ignore[attr-defined]
        if isinstance(action, argparse._SubParsersAction):
            for command in action.choices.values():
                _tell_what_arguments_are(command, shell)
