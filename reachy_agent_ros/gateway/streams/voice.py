"""Messages of `WS /api/v1/ws/voice`, distinguished by `type`. Audio from the client is binary and has no model."""

from __future__ import annotations

import uuid
from typing import Annotated, Literal

from pydantic import BaseModel, Field, RootModel


class VoiceTranscription(BaseModel):
    """Transcript of an utterance."""

    type: Literal["transcription"]
    data: str = Field(description="Transcript so far; complete if `final`.")
    final: bool
    utterance_id: uuid.UUID = Field(description="Id of the utterance, the same in all messages about it.")
    confidence: float = Field(description="Confidence of the transcript, from 0 to 1.")
    rejected: Literal["", "noise", "empty", "repetition"] = Field(
        description="Reason why the transcript was rejected; empty if it was not."
    )


class VoiceResponse(BaseModel):
    """Reply of the robot."""

    type: Literal["response"]
    data: str = Field(description="Clause of the reply; the complete reply if `final`.")
    final: bool
    turn_id: uuid.UUID = Field(description="Id of the turn of the reply; zeros if none.")
    session_id: str = Field(description="Conversation of the turn.")
    agent: str = Field(description="Agent that answered.")
    error: str = Field(description="Name of the numbered error; empty without an error.")


class VoiceAudio(BaseModel):
    """Audio of the reply, 20 ms per message."""

    type: Literal["audio"]
    data: str = Field(description="Mono, signed 16-bit little-endian samples in base64.")
    sample_rate: int = Field(description="Sample rate, Hz.")
    stream: str = Field(description="Id of the stream, the same in all audio of one utterance.")
    sequence: int = Field(description="Number of the message in the stream.")
    last: bool = Field(description="Whether this is the end of the stream.")


class VoiceInterrupted(BaseModel):
    """Interruption of the robot by a person: drop audio that has not been played yet."""

    type: Literal["interrupted"]
    data: str = Field(description="Transcript of the interruption.")
    stop: bool = Field(description="Whether the body also stops.")


class VoiceActivity(BaseModel):
    """Whether a person (`listening`) or the robot (`speaking`) is speaking."""

    type: Literal["listening", "speaking"]
    data: bool


class VoiceMicrophone(BaseModel):
    """Whether this client is the robot's microphone."""

    type: Literal["microphone"]
    data: Literal["yours", "free"]


class VoiceProblem(BaseModel):
    """Report of a rejected message. The connection stays open."""

    type: Literal["problem"]
    data: str = Field(description="Message for people.")
    code: str = Field(description="Name of the numbered error.")


class VoiceDropped(BaseModel):
    """Report of messages that were dropped because the client was too slow."""

    type: Literal["dropped"]
    events: int = Field(description="Number of dropped messages.")


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
    """Message from the robot."""


class VoiceEnd(BaseModel):
    """End of the speaker's turn, the only text message that a client sends."""

    type: Literal["end"]
