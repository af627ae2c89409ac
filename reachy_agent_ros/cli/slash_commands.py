"""Slash commands in a chat: conversation settings, and the commands of `reachy-agent`."""

from __future__ import annotations

import shlex
from collections.abc import Callable
from contextlib import suppress
from functools import cached_property
from typing import Protocol

from reachy_agent_ros.cli.old_names import with_current_names
from reachy_agent_ros.cli.parser import CommandParser, subcommands
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.core.suggestion import did_you_mean

NOT_HERE = frozenset(("bench", "chat", "completion", "demo", "down", "eval", "film", "mcp", "restore", "up"))
"""Commands that are not available here: they start or end graphs, need a stopped graph, serve another program, take
minutes, or are the chat itself."""

HELP = """\
Type a sentence for the robot. You can type the next one while it answers; "stop" stops it at once.

  /mute, /unmute        print replies without speaking them, or speak them again
  /session [NAME]       continue another conversation, or the default one
  /stop, /stop --reset  trigger or reset the emergency stop
  /COMMAND ...          run a command of reachy-agent, such as /status, /approvals yes or /feedback "too far"
  /help, help           show this help
  /quit, Ctrl-D         leave
  Ctrl-C                stop the robot; again: leave

Tab completes commands and the names of dances and emotions. The arrow keys show earlier lines."""


class Conversation(Protocol):
    """Settings of a conversation that slash commands can change.

    Attributes:
        session: Conversation to continue; empty for the default one.
        speak: Whether the robot speaks its replies.
    """

    session: str
    speak: bool


class SlashCommands:
    """Runs slash commands in a chat.

    Args:
        conversation: Conversation whose settings they change.
        namespace: Namespace of the graph.
    """

    def __init__(self, conversation: Conversation, namespace: str) -> None:
        self._conversation = conversation
        self._namespace = namespace
        self._own: dict[str, Callable[[list[str]], str]] = {
            "help": lambda _words: HELP,
            "mute": lambda _words: self._speak(False),
            "unmute": lambda _words: self._speak(True),
            "session": self._continue,
        }

    def run(self, line: str) -> str:
        """Runs a slash command.

        Args:
            line: Line without the slash.

        Returns:
            Message; empty if the command has printed its output.

        Raises:
            AgentError: `INVALID_ARGUMENTS`: a quotation mark or an escaped character is missing, or there is no such
                command here.
        """
        try:
            words = shlex.split(line)
        except ValueError as error:
            raise AgentError(ErrorCode.INVALID_ARGUMENTS, f"Invalid command /{line:.60}: {error}.") from None
        name = words[0] if words else "help"
        if name in self._own:
            return self._own[name](words[1:])
        if name in NOT_HERE:
            raise AgentError(ErrorCode.INVALID_ARGUMENTS, f"/{name} does not work in a chat. Leave it first: /quit")
        if with_current_names(words)[0] not in self._commands:
            advice = did_you_mean(f"/{name}", self.candidates("")) or " /help lists the commands."
            raise AgentError(ErrorCode.INVALID_ARGUMENTS, f"Unknown command /{name:.40}.{advice}")
        self._run_program(words)
        return ""

    def candidates(self, begun: str) -> list[str]:
        """Returns the Tab completions for a line that begins with a slash.

        Args:
            begun: Line up to the last word.
        """
        words = begun.split()
        if not words:
            return [f"/{name}" for name in (*self._own, "quit", *self._commands)]
        command = self._commands.get(words[0].removeprefix("/"))
        return list(subcommands(command)) if command is not None and len(words) == 1 else []

    @cached_property
    def _commands(self) -> dict[str, CommandParser]:
        from reachy_agent_ros.cli.cli import command_parser

        return {name: one for name, one in subcommands(command_parser()).items() if name not in NOT_HERE}

    def _run_program(self, words: list[str]) -> None:
        from reachy_agent_ros.cli.cli import main

        with suppress(SystemExit):  # the parser has printed a help or an error
            main(self._with_namespace(with_current_names(words)))

    def _with_namespace(self, words: list[str]) -> list[str]:
        """Adds the namespace of the graph if the command accepts it, before options with which a person selects one."""
        command, length = self._commands[words[0]], 1
        while length < len(words) and words[length] in (choices := subcommands(command)):
            command, length = choices[words[length]], length + 1
        added = ["--namespace", self._namespace] if command.accepts("--namespace") else []
        return [*words[:length], *added, *words[length:]]

    def _speak(self, speak: bool) -> str:
        self._conversation.speak = speak
        return "The robot speaks its replies." if speak else "Replies are printed only."

    def _continue(self, words: list[str]) -> str:
        self._conversation.session = " ".join(words)
        return f"Your next sentence continues the conversation {self._conversation.session or 'default'}."
