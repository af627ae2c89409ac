"""The robot's ears and voice."""

from __future__ import annotations

from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Protocol

from reachy_agent_ros.agent.permissions.principal import Principal
from reachy_agent_ros.gateway.event_hub import Watcher


@dataclass(frozen=True)
class Transcription:
    """What a sound file says.

    Attributes:
        text: All of it.
        confidence: 0..1.
        duration: Of the sound, s.
        language: IETF tag.
    """

    text: str
    confidence: float
    duration: float
    language: str


class Microphone(Protocol):
    """The robot's ears while they hear one client, and nobody else."""

    async def hear(self, sound: bytes) -> None:
        """Passes sound on as fast as it can have been spoken, so it waits for one that comes faster.

        Args:
            sound: 16 kHz mono, signed 16-bit little-endian samples.
        """
        ...

    async def close(self) -> None:
        """Ends what is said, and gives the ears back."""
        ...


class Voice(Protocol):
    """Hearing and speaking. All raise `AgentError`."""

    def watch(self) -> AbstractContextManager[Watcher]:
        """Tells what is heard and said, as events whose data are those of the messages of `WS ws/voice`."""
        ...

    async def open(self, *, client: str, button: bool, speaker: Principal) -> Microphone:
        """Makes a client the one that the robot hears.

        Args:
            client: Id of its connection.
            button: Whether all that is said is meant for the robot; otherwise it wants to hear its name.
            speaker: Who speaks.

        Raises:
            AgentError: `COMMANDER_BUSY`: somebody else speaks; `AUDIO_UNAVAILABLE`: the robot listens to a microphone
                of its own, or to nothing.
        """
        ...

    def leave(self, client: str) -> None:
        """Ends what a client asked for: its connection has ended.

        Args:
            client: Id of the connection.
        """
        ...

    async def transcribe(self, sound: bytes) -> Transcription:
        """What a sound file says; `NO_SPEECH` for nothing, `AUDIO_UNSUPPORTED` for what is no sound or too long."""
        ...

    async def synthesise(self, text: str, voice: str, speed: float) -> bytes:
        """A text as a wav file; the robot itself stays silent.

        Args:
            text: What is said.
            voice: Its name; empty for the robot's own.
            speed: 1 is the voice's own.
        """
        ...
