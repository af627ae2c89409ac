"""What the robot sees, and pictures that are brought to it."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol


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
class Sight:
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
    objects: Sequence[Sight]
    scene_type: str = ""


class Vision(Protocol):
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
