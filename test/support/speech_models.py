"""Real speech models, loaded once per test process."""

from functools import cache

from reachy_agent_ros.stt.voice_detectors import Silero
from reachy_agent_ros.stt.whisper import Whisper
from reachy_agent_ros.tts.voice import Piper


@cache
def detector() -> Silero:
    """Returns the Silero voice activity detector. Call `reset` before a new stream."""
    return Silero()


@cache
def recognizer() -> Whisper:
    """Returns the Whisper tiny.en speech recognizer."""
    return Whisper()


@cache
def voice() -> Piper:
    """Returns the Piper voice "joe"."""
    return Piper()
