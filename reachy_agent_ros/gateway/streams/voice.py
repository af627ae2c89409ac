"""Messages of `WS /api/v1/ws/voice`, told apart by their `type`. The client's sound is binary, and no message."""

from __future__ import annotations

import uuid
from typing import Annotated, Literal

from pydantic import BaseModel, Field, RootModel


class VoiceTranscription(BaseModel):
    """What was heard of an utterance."""

    type: Literal["transcription"]
    data: str = Field(description="Text heard so far; with `final`, all of it.")
    final: bool
    utterance_id: uuid.UUID = Field(description="The same in everything said of one utterance.")
    confidence: float = Field(description="From 0 to 1.")
    rejected: Literal["", "noise", "empty", "repetition"] = Field(description="Why it is not believed; empty if it is.")


class VoiceResponse(BaseModel):
    """What the robot answers."""

    type: Literal["response"]
    data: str = Field(description="A clause of the reply; with `final`, the whole of it.")
    final: bool
    turn_id: uuid.UUID = Field(description="The turn it belongs to; zeros if none.")
    session_id: str = Field(description="Conversation it belongs to.")
    agent: str = Field(description="Who answered.")
    error: str = Field(description="Name in the numbered list of errors; empty without an error.")


class VoiceAudio(BaseModel):
    """20 ms of the reply's sound."""

    type: Literal["audio"]
    data: str = Field(description="Mono, signed 16-bit little-endian samples in base64.")
    sample_rate: int = Field(description="Hz.")
    stream: str = Field(description="The same in all sound of one utterance.")
    sequence: int = Field(description="Counts up within the stream.")
    last: bool = Field(description="Whether the stream ends here.")


class VoiceInterrupted(BaseModel):
    """Somebody speaks over the robot: what was not played yet is to be dropped."""

    type: Literal["interrupted"]
    data: str = Field(description="What was understood of it.")
    stop: bool = Field(description="Whether the body stops too.")


class VoiceActivity(BaseModel):
    """Whether a person speaks (`listening`), or the robot does (`speaking`)."""

    type: Literal["listening", "speaking"]
    data: bool


class VoiceMicrophone(BaseModel):
    """Whether the robot hears this client."""

    type: Literal["microphone"]
    data: Literal["yours", "free"]


class VoiceProblem(BaseModel):
    """What was refused; the connection goes on."""

    type: Literal["problem"]
    data: str = Field(description="One sentence for people.")
    code: str = Field(description="Name in the numbered list of errors.")


class VoiceDropped(BaseModel):
    """Messages that the client was too slow for."""

    type: Literal["dropped"]
    events: int = Field(description="How many.")


class VoiceMessage(
    RootModel[
        Annotated[
            VoiceTranscription
            | VoiceResponse
            | VoiceAudio
            | VoiceInterrupted
            | VoiceActivity
            | VoiceMicrophone
            | VoiceProblem
            | VoiceDropped,
            Field(discriminator="type"),
        ]
    ]
):
    """A message of the robot."""


class VoiceEnd(BaseModel):
    """The only text that a client sends: it has said what it wanted to say."""

    type: Literal["end"]
