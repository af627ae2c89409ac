"""Transcribes sound files, without the graph."""

from __future__ import annotations

import argparse
import time
from pathlib import Path
from typing import TYPE_CHECKING

from reachy_agent_ros.cli.arguments import add_options, whole
from reachy_agent_ros.cli.groups import Group
from reachy_agent_ros.cli.output import show
from reachy_agent_ros.core.errors import AgentError, ErrorCode

if TYPE_CHECKING:
    from reachy_agent_ros.stt.recognizer import Recognizer
    from reachy_agent_ros.stt.voice_detectors import VoiceDetector

GROUP = Group.FILES

HELP = "transcribe sound files"

EXAMPLES = (
    "reachy-agent transcribe question.wav",
    "reachy-agent transcribe --json *.wav",
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the arguments for the sound files, the model and the output format."""
    parser.add_argument(
        "files", nargs="+", type=Path, metavar="FILE", help="sound file: wav, flac, ogg or mp3, any sample rate"
    )
    parser.add_argument(
        "--model", default="tiny.en", help="Whisper model: tiny.en, base, or the folder of a converted model"
    )
    parser.add_argument("--threads", type=whole(1), default=1, help="threads of the recognizer (default: 1)")
    add_options(parser)


def run(arguments: argparse.Namespace) -> int:
    """Prints one line per file: the transcript, or the reason why the file has no transcript.

    Returns:
        1 if a file is unreadable or, unless the output is JSON, contains no credible speech; otherwise 0.

    Raises:
        AgentError: The models cannot be loaded.
    """
    from reachy_agent_ros.stt.voice_detectors import Silero
    from reachy_agent_ros.stt.whisper import Whisper

    detector = Silero()
    recognizer = Whisper(arguments.model, arguments.threads)
    recognizer.warm_up()
    failed = False
    for file in arguments.files:
        line = _line(file, detector, recognizer)
        failed |= "error" in line or (bool(line["rejected"]) and not arguments.json)
        heard = f"nothing. {line['reason']}" if line["rejected"] else line["text"]
        show(line, f"{file}: {line.get('error', heard)}", arguments.json)
    return int(failed)


def _line(file: Path, detector: VoiceDetector, recognizer: Recognizer) -> dict[str, object]:
    """Transcribes a sound file. Returns the transcript and the processor time, or an error."""
    from reachy_agent_ros.audio.samples import SAMPLE_RATE
    from reachy_agent_ros.audio.sound_file import read_sound
    from reachy_agent_ros.stt.transcription import Transcription, transcribe

    start = time.process_time()
    seconds = 0.0
    unreadable = False
    try:
        samples = read_sound(file)
        seconds = samples.size / SAMPLE_RATE
        heard = transcribe(samples, detector, recognizer)
    except AgentError as error:
        heard = Transcription("", 0.0, error.message)
        unreadable = error.code is not ErrorCode.NO_SPEECH
    line: dict[str, object] = {
        "file": str(file),
        "text": heard.text,
        "confidence": round(heard.confidence, 4),
        "rejected": heard.rejected,
        "audio_s": round(seconds, 3),
        "cpu_ms": round((time.process_time() - start) * 1000.0, 1),
    }
    if heard.rejected:
        line["reason"] = heard.reason
    if unreadable:
        line["error"] = heard.reason
    return line
