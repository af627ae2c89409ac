"""The user's own sentences for commands, from YAML files that are read again when they change.

A file assigns commands, in words that the robot understands, to sentence templates in the syntax of hassil:

    sentences:
      party time: show joy, then dance
      (good night|sleep well) [my] buddy: go to sleep
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Mapping
from itertools import islice
from pathlib import Path

from hassil.errors import MissingListError, MissingRuleError
from hassil.parse_expression import parse_sentence
from hassil.parser import ParseError
from hassil.sample import sample_expression
from pydantic import Field, field_validator

from reachy_agent_ros.core.errors import AgentError
from reachy_agent_ros.nlu.answer_phrases import spoken
from reachy_agent_ros.nlu.decision import Decision, DecisionKind
from reachy_agent_ros.nlu.stop.lexicon import StopLevel
from reachy_agent_ros.nlu.stop.stop_detector import stop_detector
from reachy_agent_ros.nlu.text import strip_courtesies
from reachy_agent_ros.storage.strict_yaml import PlacedError, StrictForm, read_form

FOLDER_NAME = "sentences"
"""Name of the folder in the state directory."""

LARGEST_FILE = 64 * 1024
"""Maximum size of a file, bytes."""

MOST_VARIANTS = 200
"""Maximum number of sentences that one template may stand for."""

LOOK_PERIOD = 1.0
"""Time between two checks for changed files, s."""


class SentenceFile(StrictForm):
    """Content of a file with the user's own sentences.

    Attributes:
        sentences: Commands by sentence template.
    """

    sentences: dict[str, str] = Field(max_length=500)

    @field_validator("sentences")
    @classmethod
    def _check_templates(cls, sentences: dict[str, str]) -> dict[str, str]:
        for template in sentences:
            try:
                count = sum(1 for _ in islice(_variants(template), MOST_VARIANTS + 1))
            except (ParseError, AssertionError) as error:
                raise PlacedError((template,), f"Not a valid template: {error}") from None
            except (MissingListError, MissingRuleError):
                raise PlacedError((template,), "Expected a template without lists and rules") from None
            if not 0 < count <= MOST_VARIANTS:
                raise PlacedError((template,), f"Expected a template for 1 to {MOST_VARIANTS} sentences")
        return sentences


class OwnSentences:
    """The user's own sentences. Thread-safe.

    A file with a mistake is ignored until it is corrected, and the others are used.

    Args:
        directory: State directory. The files are in its folder `sentences`, which need not exist.

    Attributes:
        problem: Mistakes in the files, for people; empty if there are none.
    """

    def __init__(self, directory: Path) -> None:
        self.problem = ""
        self._folder = directory / FOLDER_NAME
        self._lock = threading.Lock()
        self._looked = -LOOK_PERIOD
        self._seen: dict[Path, tuple[int, int]] = {}
        self._commands: dict[tuple[str, ...], str] = {}

    def command(self, text: str) -> str | None:
        """Returns the command, as text, that the user has defined for a sentence, or None for any other sentence."""
        commands = self._current()
        if not commands:
            return None
        said = _key(text)
        plain = tuple(strip_courtesies(" ".join(said)).split())
        return commands.get(said) or commands.get(plain)

    def mistakes(self, decide: Callable[[str], Decision]) -> list[str]:
        """Lists mistakes in the files, and sentences that stop the robot or whose meaning is not a certain command.

        Args:
            decide: Returns the decision for a sentence, without the person's sentences.
        """
        commands = self._current()
        found = [self.problem] if self.problem else []
        for said, meaning in commands.items():
            sentence, decision = " ".join(said), decide(meaning)
            if decision.kind is not DecisionKind.ACT or decision.remainder:
                found.append(f"{sentence!r} has no effect: the robot does not understand {meaning!r} as a command.")
            elif decision.confidence < 1.0:
                found.append(f"{sentence!r} may not do what you want: the robot is not sure about {meaning!r}.")
            elif stop_detector().level(sentence) > StopLevel.NONE:
                found.append(f"{sentence!r} still stops the robot: a stop cannot have another meaning.")
        return found

    def _current(self) -> Mapping[tuple[str, ...], str]:
        """Returns the commands by sentence. Reads files that have changed, at most once per `LOOK_PERIOD`."""
        with self._lock:
            now = time.monotonic()
            if now - self._looked >= LOOK_PERIOD:
                self._looked = now
                self._read_changed_files()
            return self._commands

    def _read_changed_files(self) -> None:
        seen = {path: _stamp(path) for path in sorted(self._folder.glob("*.yaml"))}
        if seen == self._seen:
            return
        self._seen, self._commands, problems = seen, {}, list[str]()
        for path in seen:
            try:
                content = read_form(path, SentenceFile, LARGEST_FILE, "The sentences of one file are not used")
            except AgentError as error:
                problems.append(error.message)
                continue
            for template, command in content.sentences.items():
                self._commands |= {key: command for variant in _variants(template) if (key := _key(variant))}
        self.problem = " ".join(problems)


def _stamp(path: Path) -> tuple[int, int]:
    """Returns the modification time and the size of a file. Returns zeros if the file has just been deleted."""
    try:
        found = path.stat()
    except FileNotFoundError:
        return 0, 0
    return found.st_mtime_ns, found.st_size


def _variants(template: str) -> Iterator[str]:
    """Yields all sentences that match a template."""
    yield from map(str, sample_expression(parse_sentence(template).expression))


def _key(sentence: str) -> tuple[str, ...]:
    return tuple(word for word in spoken(sentence) if word[0].isalnum())
