"""Worker that synthesizes speech into files. Loads separate voices, so that the robot can speak in the meantime."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from reachy_agent_ros.audio.sound_file import write_wav
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.gateway.helpers.helper import serve
from reachy_agent_ros.tts.request import check_script, checked_speed, checked_text
from reachy_agent_ros.tts.synthesis import split_clauses
from reachy_agent_ros.tts.voice import Piper
from reachy_agent_ros.tts.voices import Voices


def write(request: dict[str, Any]) -> dict[str, Any]:
    """Synthesizes `text` into the wav file `path`, with the given `voice` and `speed`.

    `voice_path` and `voices_path` are the parameters of the tts node; they may be empty.

    Raises:
        AgentError: `EMPTY_TEXT`; `INVALID_GOAL`: the text is too long, or the speed is invalid; `INVALID_ARGUMENTS`:
            the voice is unknown or cannot read the script of the text; `VOICE_UNAVAILABLE`: the voice is damaged;
            `STORAGE_FAILED`.
    """
    voices = _voices(request["voice_path"], request["voices_path"])
    name = request["voice"] or voices.names[0]
    text = _checked(request["text"], name, voices)
    speed = checked_speed(request["speed"])
    voice = voices.load(name)
    pieces = [piece.samples for clause in split_clauses(text) for piece in voice.pieces(clause, speed)]
    if not any(piece.size for piece in pieces):
        raise AgentError(ErrorCode.EMPTY_TEXT, "The text contains nothing to speak.")
    write_wav(Path(request["path"]), np.concatenate(pieces), voice.sample_rate)
    return {}


def _checked(text: str, name: str, voices: Voices) -> str:
    """Returns the words to speak. Reports a wrong text or voice name as an error of the request, not of the voice."""
    if name not in voices.names:
        message = f"There is no voice {name!r:.100}; available: {', '.join(voices.names)}."
        raise AgentError(ErrorCode.INVALID_ARGUMENTS, message)
    language = voices.language(name)
    words = checked_text(text, language)
    try:
        check_script(words, language, name)
    except AgentError as error:
        raise AgentError(ErrorCode.INVALID_ARGUMENTS, error.message) from None
    return words


@cache
def _voices(voice_path: str, voices_path: str) -> Voices:
    return Voices(Piper(Path(voice_path) if voice_path else None), Path(voices_path) if voices_path else None)


if __name__ == "__main__":
    serve(write)
