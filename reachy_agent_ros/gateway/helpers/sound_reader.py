"""Worker that decodes uploaded sound files and converts them to plain wav files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from reachy_agent_ros.audio.samples import SAMPLE_RATE
from reachy_agent_ros.audio.sound_file import read_sound, write_wav
from reachy_agent_ros.core.errors import AgentError
from reachy_agent_ros.gateway.helpers.helper import serve

LONGEST = 600.0
"""Maximum length of the sound, s."""


def read(request: dict[str, Any]) -> dict[str, Any]:
    """Converts the sound file `path` to the 16 kHz mono wav file `wav`. Returns its `duration` in seconds.

    Raises:
        AgentError: See `read_sound`; the message omits the path, which is meaningless to the client.
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
