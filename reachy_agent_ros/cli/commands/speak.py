"""Synthesizes speech from a text and writes it to a sound file, without the graph."""

from __future__ import annotations

import argparse
import time
from pathlib import Path

from reachy_agent_ros.cli.arguments import add_options
from reachy_agent_ros.cli.groups import Group
from reachy_agent_ros.cli.output import show

GROUP = Group.FILES

HELP = "synthesize text into a sound file"

EXAMPLES = ('reachy-agent speak "Hello, I am Reachy." --out hello.wav',)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the arguments for the text, the sound file, the voice and the output format."""
    parser.add_argument("text", help="text")
    parser.add_argument("--out", type=Path, required=True, metavar="FILE", help="wav file to write")
    parser.add_argument("--voice", type=Path, help="Piper voice, a .onnx file next to its .onnx.json")
    parser.add_argument("--speed", type=float, default=1.0, help="speaking rate; 1 is normal")
    parser.add_argument("--rate", type=int, help="sample rate of the file, Hz (default: that of the voice)")
    add_options(parser)


def run(arguments: argparse.Namespace) -> int:
    """Writes the sound file and prints a summary. Returns 0.

    Raises:
        AgentError: The text is empty or too long, the speed or sample rate is out of range, the voice cannot be loaded,
            or the file cannot be written.
    """
    line = _speak(arguments)
    show(line, f"{line['file']}: {line['audio_s']} s", arguments.json)
    return 0


def _speak(arguments: argparse.Namespace) -> dict[str, object]:
    """Synthesizes the text clause by clause, as the robot does. The measured times do not include loading the voice."""
    import numpy as np

    from reachy_agent_ros.audio.resampler import resample
    from reachy_agent_ros.audio.sound_file import write_wav
    from reachy_agent_ros.tts.request import checked_speed, checked_text
    from reachy_agent_ros.tts.synthesis import split_clauses
    from reachy_agent_ros.tts.voice import Piper

    speed = checked_speed(arguments.speed)
    voice = Piper(arguments.voice)
    clauses = split_clauses(checked_text(arguments.text, voice.language))
    started, cpu_started = time.monotonic(), time.process_time()
    pieces = (piece.samples for clause in clauses for piece in voice.pieces(clause, speed))
    sounds = [next(pieces)]
    first_audio = time.monotonic() - started
    sounds += pieces
    cpu = time.process_time() - cpu_started
    samples = np.concatenate(sounds)
    rate = arguments.rate or voice.sample_rate
    write_wav(arguments.out, samples if rate == voice.sample_rate else resample(samples, voice.sample_rate, rate), rate)
    return {
        "file": str(arguments.out),
        "audio_s": round(samples.size / voice.sample_rate, 3),
        "first_audio_ms": round(first_audio * 1000.0, 1),
        "cpu_ms": round(cpu * 1000.0, 1),
    }
