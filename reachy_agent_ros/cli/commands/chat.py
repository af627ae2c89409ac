"""Terminal chat with the running robot."""

from __future__ import annotations

import argparse
import sys
from functools import cache
from typing import TYPE_CHECKING

from reachy_agent_ros.cli.arguments import add_options
from reachy_agent_ros.cli.groups import Group
from reachy_agent_ros.cli.line_editing import line_editing
from reachy_agent_ros.cli.sentence_prompt import SentencePrompt
from reachy_agent_ros.cli.slash_commands import SlashCommands
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.core.paths import state_directory

if TYPE_CHECKING:
    from reachy_agent_ros.ros.client.client import GraphClient

GROUP = Group.TALK

HELP = "talk to the running robot; Ctrl-C stops it, then leaves"

EXAMPLES = (
    "reachy-agent chat",
    "reachy-agent chat --silent --session kitchen",
)

HISTORY = "chat_history"
"""Name of the file in the state directory that keeps the typed lines."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the options for the conversation and for speech."""
    parser.add_argument(
        "--session", default="", metavar="NAME", help="conversation to continue (default: the common one)"
    )
    parser.add_argument("--silent", action="store_true", help="print replies without speaking them")
    add_options(parser, graph=True, json=False)


def run(arguments: argparse.Namespace) -> int:
    """Runs the chat until `/quit`, Ctrl-D or a second Ctrl-C. Returns 0.

    Raises:
        AgentError: `SERVER_UNAVAILABLE`: no graph is running; `INVALID_ARGUMENTS`: standard input is not a terminal.
    """
    from reachy_agent_ros.ros.client.client import GraphClient

    if not sys.stdin.isatty():
        message = "Standard input is not a terminal. To send one sentence, use: reachy-agent ask"
        raise AgentError(ErrorCode.INVALID_ARGUMENTS, message)
    with GraphClient("chat", arguments.namespace) as client:
        chat = Chat(client, arguments.namespace)
        chat.session, chat.speak = arguments.session, not arguments.silent
        print("Talk to the robot. help lists commands, Ctrl-C stops the robot, /quit leaves.")
        chat.run()
    return 0


class Chat(SentencePrompt):
    """Interactive prompt with slash commands, a persistent history, and Tab completion.

    Args:
        client: Client that has joined the graph.
        namespace: Namespace of the graph.

    Raises:
        AgentError: `SERVER_UNAVAILABLE`: the agent is not running.
    """

    def __init__(self, client: GraphClient, namespace: str) -> None:
        super().__init__(client)
        self._slash = SlashCommands(self, namespace)

    def run(self) -> None:
        """Runs the prompt with a history and Tab completion. See `SentencePrompt.run`."""
        with line_editing(state_directory() / HISTORY, self.candidates):
            super().run()

    def candidates(self, begun: str) -> list[str]:
        """Returns the Tab completions for a partially typed line."""
        if begun.startswith("/"):
            return self._slash.candidates(begun)
        return vocabulary() if begun else [*self._slash.candidates(begun), *vocabulary()]

    def take(self, line: str) -> None:
        """Runs a slash command, or sends a sentence. During a turn, "help" is a sentence, which stops the robot."""
        asks_for_help = line.casefold() == "help" and not self.busy
        if not (line.startswith("/") or asks_for_help):
            super().take(line)
            return
        try:
            message = self._slash.run(line.removeprefix("/"))
        except AgentError as error:
            message = error.message
        if message:
            print(message)


@cache
def vocabulary() -> list[str]:
    """Returns the names of dances and emotions, with spaces instead of underscores."""
    from reachy_agent_ros.motion.dance import dances
    from reachy_agent_ros.motion.emotion import emotions

    return [name.replace("_", " ") for name in (*dances(), *emotions())]
