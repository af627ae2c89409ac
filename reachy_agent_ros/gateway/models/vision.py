"""Camera pictures and image analysis."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager
from enum import StrEnum
from typing import Protocol

from pydantic import BaseModel, Field

LONGEST_PROMPT = 2_000
"""Maximum length of a prompt, characters."""


class View(StrEnum):
    """Viewpoint of a picture."""

    EYE = "eye"
    STUDIO = "studio"


class CaptureAnswer(BaseModel):
    """Picture from a camera."""

    image: str = Field(description="JPEG in base64.")
    timestamp: float = Field(description="Time of capture, seconds since the epoch.")
    width: int = Field(description="Width, pixels.")
    height: int = Field(description="Height, pixels.")


class AnalysisRequest(BaseModel):
    """Picture to analyze, with a question about it."""

    image: str = Field("", description="Picture in base64 or as a data URL; empty: the current camera picture.")
    prompt: str = Field(
        "", max_length=LONGEST_PROMPT, description="Question about the picture; empty: a general description."
    )


class DetectedObject(BaseModel):
    """Object in a picture."""

    name: str = Field(description="Class of the object.")
    confidence: float = Field(description="Confidence of the detection, from 0 to 1.")
    box: tuple[float, float, float, float] = Field(description="Left, top, right and bottom edges, pixels.")


class AnalysisAnswer(BaseModel):
    """Result of an image analysis."""

    description: str = Field(description="Description by a vision model or, without one, from the detected objects.")
    objects: list[DetectedObject] = Field(description="Detected objects, best first.")
    scene_type: str = Field(
        description="Kind of scene according to a vision model; empty without one, and for the robot's camera."
    )


class VisionService(Protocol):
    """Service that takes and analyzes pictures. All methods raise `AgentError`."""

    async def capture(self, view: View) -> CaptureAnswer:
        """Takes a new picture. Raises `CAMERA_UNAVAILABLE` if the camera provides no picture."""

    async def analyze(self, question: str) -> AnalysisAnswer:
        """Analyzes the current picture of the robot's camera."""

    async def analyze_picture(self, picture: bytes, question: str) -> AnalysisAnswer:
        """Analyzes a picture in one of the formats that `vision.image_file.decode_image` accepts.

        Raises:
            AgentError: `INVALID_ARGUMENTS`: the data is not such a picture, or is too large.
        """

    def watch(self) -> AbstractAsyncContextManager[AsyncIterator[bytes]]:
        """Streams JPEG pictures from the robot's camera. Slow clients skip frames, and always receive the newest.

        The stream raises `CAMERA_UNAVAILABLE` if no picture arrives for a while.
        """
