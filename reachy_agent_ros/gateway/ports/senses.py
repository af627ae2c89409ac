"""Port for hearing, speaking and seeing."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import AbstractAsyncContextManager, AbstractContextManager
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from reachy_agent_ros.agent.permissions.principal import Principal
from reachy_agent_ros.gateway.event_hub import Watcher


@dataclass(frozen=True)
class FileTranscription:
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


class SpeechService(Protocol):
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

    async def transcribe(self, sound: bytes) -> FileTranscription:
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


class View(StrEnum):
    """Where a picture is taken from."""

    EYE = "eye"
    STUDIO = "studio"


@dataclass(frozen=True)
class Picture:
    """One picture.

    Attributes:
        jpeg: As the camera compressed it.
        timestamp: When it was taken, s since the epoch.
        width: pixels.
        height: pixels.
    """

    jpeg: bytes
    timestamp: float
    width: int
    height: int


@dataclass(frozen=True)
class SeenObject:
    """One thing in a picture.

    Attributes:
        name: Kind of thing.
        confidence: 0..1.
        box: Left, top, right and bottom edge, pixels.
    """

    name: str
    confidence: float
    box: tuple[float, float, float, float]


@dataclass(frozen=True)
class Scene:
    """What a picture shows.

    Attributes:
        description: In words.
        objects: What was found, best first.
        scene_type: Kind of place, empty where nothing tells it.
    """

    description: str
    objects: Sequence[SeenObject]
    scene_type: str = ""


class VisionService(Protocol):
    """Seeing. All raise `AgentError`."""

    async def capture(self, view: View) -> Picture:
        """A fresh picture; `CAMERA_UNAVAILABLE` where there is none."""
        ...

    async def analyze(self, question: str) -> Scene:
        """What the robot's own eye sees now."""
        ...

    async def analyze_picture(self, picture: bytes, question: str) -> Scene:
        """What somebody's picture shows.

        Args:
            picture: A file of any format that Pillow reads.
            question: In words.

        Raises:
            AgentError: `INVALID_ARGUMENTS` for what is no picture, or one too large.
        """
        ...

    def watch(self) -> AbstractAsyncContextManager[AsyncIterator[bytes]]:
        """The eye's newest picture again and again, JPEG, for as long as somebody wants it.

        Who is slow misses pictures. It raises `CAMERA_UNAVAILABLE` where no picture comes for a while.
        """
        ...
