"""Reads sound files of strangers in a process of its own, and hands on plain ones."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from reachy_agent_ros.audio.samples import SAMPLE_RATE
from reachy_agent_ros.audio.sound_file import read_sound, write_wav
from reachy_agent_ros.core.errors import AgentError
from reachy_agent_ros.gateway.helpers.helper import serve

LONGEST = 600.0
"""s of sound."""


def read(request: dict[str, Any]) -> dict[str, Any]:
    """Makes a 16 kHz mono wav file `wav` of the sound file `path`. Returns its `duration`, s.

    Raises:
        AgentError: As `read_sound`, without the path, which is nothing to who sent the file.
    """
    path = Path(request["path"])
    try:
        samples = read_sound(path, LONGEST)
    except AgentError as error:
        raise AgentError(error.code, error.message.replace(str(path), "The file")) from error
    write_wav(Path(request["wav"]), samples, SAMPLE_RATE)
    return {"duration": samples.size / SAMPLE_RATE}


if __name__ == "__main__":
    serve(read)
