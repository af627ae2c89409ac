"""Completes commands and their options in a shell."""

from __future__ import annotations

import argparse
from pathlib import Path

HELP = "print what makes a shell complete commands, options and files, for its start-up file"

EXAMPLES = (
    'eval "$(reachy-agent completion bash)"',
    "reachy-agent completion zsh > ~/.zfunc/_reachy-agent",
    "reachy-agent completion fish > ~/.config/fish/completions/reachy-agent.fish",
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds which shell."""
    parser.add_argument("shell", choices=("bash", "zsh", "fish"), help="which one")


def run(arguments: argparse.Namespace) -> int:
    """Prints a script that needs neither Python nor the graph when somebody completes."""
    import shtab

    from reachy_agent_ros.cli.cli import command_parser

    parser = command_parser()
    _tell_what_arguments_are(parser, arguments.shell)
    print(shtab.complete(parser, arguments.shell))
    return 0


def _tell_what_arguments_are(parser: argparse.ArgumentParser, shell: str) -> None:
    """Has files completed where an argument is one."""
    import shtab

    for action in parser._actions:
        if action.type is Path:
            action.complete = shtab.FILE  # type: ignore[attr-defined]  # by which the library asks for it
        elif shell == "zsh" and not action.option_strings and action.choices is None:
            # A free text has nothing to choose from. Without saying so, zsh completes no option in its place.
            action.complete = {"zsh": "()"}  # type: ignore[attr-defined]
        if isinstance(action, argparse._SubParsersAction):
            for command in action.choices.values():
                _tell_what_arguments_are(command, shell)
