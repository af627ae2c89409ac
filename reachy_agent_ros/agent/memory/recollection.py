"""What the mind remembers beyond its conversations, opened while it works already."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from reachy_agent_ros.agent.memory.entry import Entry
from reachy_agent_ros.agent.memory.memory import Memory
from reachy_agent_ros.agent.memory.notes import Notes
from reachy_agent_ros.agent.memory.prompt import memory_prompt
from reachy_agent_ros.agent.memory.retention import DEFAULT_RETENTION, apply_retention
from reachy_agent_ros.agent.memory.tools import memory_tools
from reachy_agent_ros.agent.provenance.labelled_context import LabelledText
from reachy_agent_ros.agent.toolbox.own_tools import OwnTool
from reachy_agent_ros.core.embedding import SentenceEmbedder
from reachy_agent_ros.core.errors import AgentError

_log = logging.getLogger(__name__)

RETENTION_PERIOD = 86400.0
"""Seconds between two looks at what has been kept long enough."""


class Recollection:
    """Memory and notes. All of it reads and writes files: call it in a thread.

    Args:
        file: The memory's file.
        notes: The folder of notes.
        embedder: Gives the sentence embedder.
    """

    def __init__(self, file: Path, notes: Path, embedder: Callable[[], SentenceEmbedder]) -> None:
        self._file = file
        self._folder = notes
        self._embedder = embedder
        self._memory: Memory | None = None
        self._looked = -RETENTION_PERIOD
        self._failure = ""

    @property
    def problem(self) -> str:
        """Why something is not remembered, or not any more, for people; empty where all is well."""
        return self._failure or ("" if self._memory is None else self._memory.damage)

    def open(self) -> list[OwnTool[Any]]:
        """Opens it and returns its tools: none where it cannot be used, and `problem` says why."""
        try:
            memory = Memory(self._file, self._embedder())
            notes = Notes(memory, self._folder)
            notes.synchronise()
        except AgentError as error:
            self._failure = error.message
            _log.warning("Nothing is remembered: %s", error)
            return []
        self._memory = memory
        return memory_tools(memory, notes)

    def prompt(self, _session_id: str) -> LabelledText:
        """Profile and last episode, for the end of a prompt.

        Raises:
            AgentError: `STORAGE_FAILED`.
        """
        return LabelledText("" if self._memory is None else memory_prompt(self._memory))

    def keep(self, episode: Entry) -> None:
        """Remembers a task, and lets go once a day of what has been kept long enough."""
        if self._memory is None:
            return
        try:
            self._memory.remember(episode)
            if time.monotonic() - self._looked > RETENTION_PERIOD:
                self._looked = time.monotonic()
                apply_retention(self._memory, DEFAULT_RETENTION, time.time())
            self._failure = ""
        except AgentError as error:
            self._failure = error.message
            _log.warning("A task is not remembered: %s", error)

    def close(self) -> None:
        """Closes the file."""
        if self._memory is not None:
            self._memory.close()
