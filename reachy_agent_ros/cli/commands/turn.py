"""Tells whether the speaker of a text or a recording has finished, without the graph."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from reachy_agent_ros.agent.terminal_text import truncated
from reachy_agent_ros.cli.arguments import add_options, sentences
from reachy_agent_ros.cli.groups import Group
from reachy_agent_ros.cli.output import show
from reachy_agent_ros.core.errors import AgentError

if TYPE_CHECKING:
    from reachy_agent_ros.stt.recorded_turn import RecordedTurn

GROUP = Group.FILES

HELP = "show whether a speaker has finished, by a text or a recording"

EXAMPLES = (
    'reachy-agent turn "turn left and then"',
    "reachy-agent turn --json --file sentences.txt",
    "reachy-agent turn question.wav",
)

SOUND_FILES = frozenset((".wav", ".flac", ".ogg", ".mp3"))
"""Suffixes of arguments that are recordings even if there is no such file."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the arguments for the texts, the recordings and the speech model."""
    parser.add_argument("text", nargs="*", help="texts, one per argument, or sound files")
    parser.add_argument("--file", type=Path, metavar="F", help="file with one text per line; - for standard input")
    parser.add_argument("--model", default="tiny.en", help="Whisper model of recordings: tiny.en, base, or a folder")
    parser.add_argument("--language", default="en", metavar="L", help="language of recordings (default: en)")
    add_options(parser)


def run(arguments: argparse.Namespace) -> int:
    """Prints one line per text or recording.

    Returns:
        1 if an input cannot be judged, otherwise 0.

    Raises:
        UnreadableFileError: The file cannot be read.
        AgentError: `INVALID_ARGUMENTS`: there is no text; `MODEL_UNAVAILABLE`.
    """
    from reachy_agent_ros.nlu.turn.completeness import CompletenessClassifier

    inputs = sentences(arguments.text, arguments.file)
    given = len(arguments.text)
    completeness = CompletenessClassifier().probability
    reader = cache(lambda: _reader(arguments.model, arguments.language, completeness))
    failed = False
    for place, text in enumerate(inputs):
        recorded = place < given and _is_file(text)
        line: dict[str, Any] = {"file" if recorded else "text": text}
        try:
            probability = reader().probability(Path(text)) if recorded else completeness(text)
        except AgentError as error:
            line["error"] = error.message
            failed = True
        else:
            line["complete"] = probability > 0.5
            line["confidence"] = round(max(probability, 1.0 - probability), 3)
        show(line, _words(line, text), arguments.json)
    return int(failed)


def _is_file(text: str) -> bool:
    try:
        return Path(text).suffix.lower() in SOUND_FILES or Path(text).is_file()
    except (OSError, ValueError):  # longer than a path can be, or with a null character
        return False


def _reader(model: str, language: str, completeness: Callable[[str], float]) -> RecordedTurn:
    from reachy_agent_ros.stt.recorded_turn import RecordedTurn
    from reachy_agent_ros.stt.smart_turn import SmartTurn
    from reachy_agent_ros.stt.turn_end import TurnEnd
    from reachy_agent_ros.stt.voice_detectors import Silero
    from reachy_agent_ros.stt.whisper import Whisper

    try:
        sound = SmartTurn()
    except AgentError as error:
        print(f"reachy-agent turn: only the words of recordings are judged. {error.message}", file=sys.stderr)
        sound = None
    return RecordedTurn(Silero(), Whisper(model, 1, language), TurnEnd(completeness, sound))


def _words(line: dict[str, Any], text: str) -> str:
    if "error" in line:
        return f"{truncated(text, 80)!r}: {line['error']}"
    return f"{'complete' if line['complete'] else 'unfinished':10} {line['confidence']:4.0%} {truncated(text, 80)!r}"
