"""Sound files: what they say, and what a text sounds like."""

from __future__ import annotations

from http import HTTPStatus
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Request, Response
from pydantic import BaseModel, Field
from starlette.exceptions import HTTPException

from reachy_agent_ros.gateway.access.guard import requires
from reachy_agent_ros.gateway.caller import Role
from reachy_agent_ros.gateway.graph import Gateway, gateway_of
from reachy_agent_ros.gateway.hang_up import unless_hung_up
from reachy_agent_ros.gateway.strict_route import StrictRoute
from reachy_agent_ros.gateway.upload import BINARY, FORM, RAW, media_type, unsupported, uploaded

router = APIRouter(
    prefix="/voice", tags=["voice"], dependencies=[Depends(requires(Role.OPERATOR))], route_class=StrictRoute
)

TheGateway = Annotated[Gateway, Depends(gateway_of)]

LONGEST_TEXT = 5_000
"""Characters that are said."""

_FILE = "file"

_SOUND: dict[str, Any] = {
    "requestBody": {
        "required": True,
        "content": {
            RAW: BINARY,
            "audio/*": BINARY,
            FORM: {
                "schema": {
                    "type": "object",
                    "required": [_FILE],
                    "properties": {_FILE: {"type": "string", "format": "binary", "description": "The sound."}},
                }
            },
        },
    }
}

_WAV: dict[int | str, dict[str, Any]] = {
    200: {"content": {"audio/wav": BINARY}, "description": "Mono, 16 bits, at the voice's own rate."}
}


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


@router.post("/stt", openapi_extra=_SOUND)
async def transcribe(request: Request, gateway: TheGateway) -> TranscriptionAnswer:
    """What is said in a sound file: wav, flac, ogg or mp3 of any rate, as the body or in a form; ten minutes at most.

    It is heard by models of its own: the robot's ears go on meanwhile.
    """
    found = await unless_hung_up(request, gateway.voice.transcribe(await _sound(request)))
    return TranscriptionAnswer(
        transcription=found.text, confidence=found.confidence, duration=found.duration, language=found.language
    )


@router.post("/tts", response_class=Response, responses=_WAV)
async def synthesise(speech: SpeechRequest, request: Request, gateway: TheGateway) -> Response:
    """What a text sounds like, as a wav file; the robot stays silent, and what it says itself is not delayed."""
    work = gateway.voice.synthesise(speech.text, speech.voice, speech.speed)
    sound = await unless_hung_up(request, work)
    return Response(sound, media_type="audio/wav")


async def _sound(request: Request) -> bytes:
    kind = media_type(request)
    if kind == FORM:
        sound = (await uploaded(request, _FILE)).data
    elif kind == RAW or kind.startswith("audio/"):
        sound = await request.body()
    else:
        raise unsupported(kind, f"send the sound as audio/..., {RAW} or the part {_FILE!r} of a form")
    if not sound:
        raise HTTPException(HTTPStatus.BAD_REQUEST, "There is no sound in the request.")
    return sound
