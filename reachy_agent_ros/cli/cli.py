"""The `reachy-agent` command: finds the modules in `commands` and runs one of them."""

from __future__ import annotations

import argparse
import importlib
import os
import pkgutil
import select
import sys
from collections.abc import Sequence

from reachy_agent_ros.cli.arguments import HelpFormatter, UnreadableFileError, below, sentence
from reachy_agent_ros.cli.groups import Group
from reachy_agent_ros.cli.old_names import with_current_names
from reachy_agent_ros.cli.output import show_json
from reachy_agent_ros.cli.parser import DESCRIPTION, CommandParser, ProgramParser
from reachy_agent_ros.core.errors import AgentError, ErrorCode

COMMANDS = "reachy_agent_ros.cli.commands"
"""Package with one module per command. Its modules import this module, which therefore imports them by name."""

EXIT_CODES = {
    ErrorCode.CANCELED: 130,
    ErrorCode.TIMEOUT: 124,
    ErrorCode.INVALID_ARGUMENTS: 2,
    ErrorCode.SERVER_UNAVAILABLE: 3,
    ErrorCode.SERVER_LOST: 3,
}
"""Exit codes of errors that scripts may distinguish. Every other error has exit code 1."""

EXAMPLES = ("reachy-agent up", 'reachy-agent ask "look left, then show joy"', "reachy-agent doctor")

EXIT_DEGRADED = 4
"""Exit code if a node of the running graph is degraded, or would be (`up --check`): not everything works."""

EXIT_UNREAD = 141
"""Exit code if the program that reads the output has ended, as in `... | head`: the shell's code for SIGPIPE."""


def main(argv: Sequence[str] | None = None) -> int:
    """Parses the command line and runs the command.

    Args:
        argv: Arguments without the program's name; None for the arguments of the process.

    Returns:
        Exit code, 0 on success.
    """
    arguments = parsed(argv)
    return 0 if arguments is None else execute(arguments)


def parsed(argv: Sequence[str] | None = None) -> argparse.Namespace | None:
    """Parses the command line. Without arguments, prints the short help and returns None.

    Args:
        argv: Arguments without the program's name; None for the arguments of the process.
    """
    words = with_current_names(sys.argv[1:] if argv is None else argv)
    parser = command_parser(words[:1])
    if not words:
        print(parser.short_help(), end="")
        return None
    return parser.parse_args(words)


def execute(arguments: argparse.Namespace) -> int:
    """Runs a parsed command. Returns its exit code, 0 on success."""
    try:
        code = int(arguments.run(arguments))
        sys.stdout.flush()
    except UnreadableFileError as error:
        if arguments.json:
            show_json({"file": error.file, "error": error.message})
        else:
            print(f"reachy-agent {arguments.command}: {error.message}", file=sys.stderr)
        return 1
    except AgentError as error:
        print(f"reachy-agent {arguments.command}: {error.message}", file=sys.stderr)
        return exit_code(error)
    except KeyboardInterrupt:
        return EXIT_CODES[ErrorCode.CANCELED]
    except BrokenPipeError:
        if not _unread():
            raise
        return EXIT_UNREAD
    return code


def exit_code(error: AgentError) -> int:
    """Returns the exit code of a command that failed with an error."""
    return EXIT_CODES.get(error.code, 1)


def _unread() -> bool:
    """Returns whether the reader of standard output has closed the pipe. If so, discards all further output."""
    output = 1  # the file descriptor, even if `sys.stdout` was replaced
    reader = select.poll()
    reader.register(output, 0)
    if not any(event & select.POLLERR for _, event in reader.poll(0)):
        return False
    os.dup2(os.open(os.devnull, os.O_WRONLY), output)
    return True


def command_parser(wanted: Sequence[str] = ()) -> ProgramParser:
    """Returns the parser of all commands. The parsed arguments have a function `run`, which runs the command.

    Args:
        wanted: Commands to import, if all of them exist. Importing every command takes 0.3 s.
    """
    parser = ProgramParser(
        prog="reachy-agent",
        description=DESCRIPTION,
        epilog=below(
            EXAMPLES,
            "Exit codes: 0 success, 1 error, 2 usage error, 3 graph or node not running, 4 a node is degraded, "
            "124 timeout, 130 canceled, 141 broken pipe.",
        ),
        formatter_class=HelpFormatter,
    )
    parser.add_argument("--version", action=_Version, nargs=0, help="print the version and exit")
    choices = parser.add_subparsers(dest="command", metavar="COMMAND", required=True, parser_class=CommandParser)
    groups: dict[Group, dict[str, str]] = {group: {} for group in Group}
    names = [entry.name for entry in pkgutil.iter_modules(importlib.import_module(COMMANDS).__path__)]
    for name in wanted if wanted and set(wanted) <= set(names) else names:
        module = importlib.import_module(f"{COMMANDS}.{name}")
        about = sentence(module.HELP)
        command = choices.add_parser(name, help=module.HELP, description=about, formatter_class=HelpFormatter)
        module.add_arguments(command)
        command.epilog = below(module.EXAMPLES, command.epilog or "")
        command.set_defaults(run=module.run)
        groups[module.GROUP][name] = module.HELP
    parser.groups = groups
    return parser


class _Version(argparse.Action):
    """Prints the version. Looks up the version only when needed, because the lookup would delay every other command."""

    def __call__(self, parser: argparse.ArgumentParser, *_given: object) -> None:
        from importlib.metadata import version

        print(f"reachy-agent {version('reachy_agent_ros')}")
        parser.exit()


if __name__ == "__main__":
    sys.exit(main())
