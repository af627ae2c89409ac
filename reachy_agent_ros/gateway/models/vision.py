"""Pictures from the robot's camera, and what pictures show."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager
from enum import StrEnum
from typing import Protocol

from pydantic import BaseModel, Field

LONGEST_PROMPT = 2_000
"""Characters."""


class View(StrEnum):
    """Where a picture is taken from."""

    EYE = "eye"
    STUDIO = "studio"


class CaptureAnswer(BaseModel):
    """A picture."""

    image: str = Field(description="JPEG in base64.")
    timestamp: float = Field(description="When it was taken, seconds since the epoch.")
    width: int = Field(description="Pixels.")
    height: int = Field(description="Pixels.")


class AnalysisRequest(BaseModel):
    """A picture and a question about it."""

    image: str = Field("", description="A picture in base64, also as a data URL; empty: what the robot sees now.")
    prompt: str = Field("", max_length=LONGEST_PROMPT, description="What you want to know; empty: what is in it.")


class DetectedObject(BaseModel):
    """One thing in a picture."""

    name: str = Field(description="Kind of thing.")
    confidence: float = Field(description="0..1.")
    box: tuple[float, float, float, float] = Field(description="Left, top, right and bottom edge, pixels.")


class AnalysisAnswer(BaseModel):
    """What a picture shows."""

    description: str = Field(description="In words: a vision model's, or without one what the detector recognises.")
    objects: list[DetectedObject] = Field(description="What the detector found, best first.")
    scene_type: str = Field(description="Kind of place, as a vision model calls it; empty where none was asked.")


class VisionService(Protocol):
    """Takes and analyzes pictures. All methods raise `AgentError`."""

    async def capture(self, view: View) -> CaptureAnswer:
        """Takes a fresh picture; `CAMERA_UNAVAILABLE` if there is none."""

    async def analyze(self, question: str) -> AnalysisAnswer:
        """Analyzes the current picture of the robot's camera."""

    async def analyze_picture(self, picture: bytes, question: str) -> AnalysisAnswer:
        """Analyzes a picture in any format that Pillow reads.

        Raises:
            AgentError: `INVALID_ARGUMENTS`: it is not a picture, or too large.
        """

    def watch(self) -> AbstractAsyncContextManager[AsyncIterator[bytes]]:
        """Streams JPEG pictures of the robot's camera, always the newest: slow clients skip frames.

        The stream raises `CAMERA_UNAVAILABLE` if no picture comes for a while.
        """
