"""Real speech models, loaded once for all tests."""

from functools import cache

from reachy_agent_ros.stt.voice_detectors import Silero
from reachy_agent_ros.stt.whisper import Whisper
from reachy_agent_ros.tts.voice import Piper


@cache
def detector() -> Silero:
    """Returns Silero; call `reset` before a new stream."""
    return Silero()


@cache
def recognizer() -> Whisper:
    """Returns Whisper tiny.en."""
    return Whisper()


@cache
def voice() -> Piper:
    """Returns Piper's voice joe."""
    return Piper()
