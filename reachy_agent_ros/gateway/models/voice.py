"""Speech recognition and synthesis, and the microphone, which only one WebSocket client can use at a time."""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import Protocol

from pydantic import BaseModel, Field

from reachy_agent_ros.agent.permissions.principal import Principal
from reachy_agent_ros.gateway.event_hub import Watcher

LONGEST_TEXT = 5_000
"""Maximum length of a text to synthesize, characters."""


class TranscriptionAnswer(BaseModel):
    """Transcript of a sound file."""

    transcription: str
    confidence: float = Field(description="Confidence of the transcript, from 0 to 1.")
    duration: float = Field(description="Length of the sound, seconds.")
    language: str = Field(description="IETF language tag.")


class SpeechRequest(BaseModel):
    """Text to synthesize."""

    text: str = Field(min_length=1, max_length=LONGEST_TEXT)
    voice: str = Field("", max_length=200, description="Name of a voice; empty: the robot's voice.")
    speed: float = Field(1.0, ge=0.5, le=2.0, allow_inf_nan=False, description="Speaking rate; 1 is normal.")


class Microphone(Protocol):
    """Connection that sends a client's audio to speech recognition. Only one client at a time can be connected."""

    async def hear(self, sound: bytes) -> None:
        """Forwards 16 kHz mono int16 samples to speech recognition, no faster than real time."""

    async def close(self) -> None:
        """Ends the utterance and releases the microphone."""


class SpeechService(Protocol):
    """Service for speech recognition and synthesis. All methods raise `AgentError`."""

    def watch(self) -> AbstractContextManager[Watcher]:
        """Subscribes to recognized and spoken texts. Events have the same data as messages of `WS ws/voice`."""

    async def open(self, *, client: str, button: bool, speaker: Principal) -> Microphone:
        """Assigns the microphone to a client.

        Args:
            client: Id of the client's connection.
            button: Whether all speech is addressed to the robot; otherwise it needs the wake name.
            speaker: Identity of the speaker.

        Raises:
            AgentError: `COMMANDER_BUSY`: another client has the microphone; `AUDIO_UNAVAILABLE`: the robot uses its own
                microphone, or no microphone.
        """

    def leave(self, client: str) -> None:
        """Cancels the requests of a client whose connection has ended."""

    async def transcribe(self, sound: bytes) -> TranscriptionAnswer:
        """Transcribes a sound file.

        Raises:
            AgentError: `NO_SPEECH`: there is no speech; `AUDIO_UNSUPPORTED`: not a sound file, or too long.
        """

    async def synthesize(self, speech: SpeechRequest) -> bytes:
        """Synthesizes a text into a wav file, without playing it on the robot."""
