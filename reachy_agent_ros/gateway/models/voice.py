"""Speech recognition and synthesis, and the microphone that one WebSocket client at a time has."""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import Protocol

from pydantic import BaseModel, Field

from reachy_agent_ros.agent.permissions.principal import Principal
from reachy_agent_ros.gateway.event_hub import Watcher

LONGEST_TEXT = 5_000
"""Characters of a text to synthesize."""


class TranscriptionAnswer(BaseModel):
    """What a sound file says."""

    transcription: str
    confidence: float = Field(description="0..1.")
    duration: float = Field(description="Seconds of sound.")
    language: str = Field(description="IETF tag.")


class SpeechRequest(BaseModel):
    """A text to be spoken into a file."""

    text: str = Field(min_length=1, max_length=LONGEST_TEXT)
    voice: str = Field("", max_length=200, description="Name of a voice; empty: the robot's own.")
    speed: float = Field(1.0, ge=0.5, le=2.0, allow_inf_nan=False, description="1 is the voice's own.")


class Microphone(Protocol):
    """Sends one client's sound to speech recognition, while no other client can."""

    async def hear(self, sound: bytes) -> None:
        """Passes on 16 kHz mono int16 samples, no faster than real time."""

    async def close(self) -> None:
        """Ends the utterance and releases the microphone."""


class SpeechService(Protocol):
    """Speech recognition and synthesis. All methods raise `AgentError`."""

    def watch(self) -> AbstractContextManager[Watcher]:
        """Watches what is heard and said, as events with the data of the messages of `WS ws/voice`."""

    async def open(self, *, client: str, button: bool, speaker: Principal) -> Microphone:
        """Gives the microphone to a client.

        Args:
            client: Id of its connection.
            button: Whether all that is said is meant for the robot; otherwise it needs the wake word.
            speaker: Who speaks.

        Raises:
            AgentError: `COMMANDER_BUSY`: another client has the microphone; `AUDIO_UNAVAILABLE`: the robot listens to
                its own microphone, or to none.
        """

    def leave(self, client: str) -> None:
        """Cancels what the client with this connection id asked for, because its connection has ended."""

    async def transcribe(self, sound: bytes) -> TranscriptionAnswer:
        """Transcribes a sound file.

        Raises:
            AgentError: `NO_SPEECH`: nothing is said; `AUDIO_UNSUPPORTED`: it is not a sound file, or too long.
        """

    async def synthesise(self, speech: SpeechRequest) -> bytes:
        """Synthesizes a text to a wav file; the robot stays silent."""
