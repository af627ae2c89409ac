"""Routes for speech recognition and synthesis over HTTP, and the voice WebSocket."""

from __future__ import annotations

import asyncio
import json
import uuid
from contextlib import suppress
from http import HTTPStatus
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Query, Request, Response, WebSocket, WebSocketDisconnect
from starlette.exceptions import HTTPException

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.core.strict_json import strict_json
from reachy_agent_ros.gateway.callers import Caller, requires
from reachy_agent_ros.gateway.event_hub import Watcher
from reachy_agent_ros.gateway.graph import Gateway, gateway_of
from reachy_agent_ros.gateway.models.voice import Microphone, SpeechRequest, TranscriptionAnswer
from reachy_agent_ros.gateway.request_handling import (
    BINARY,
    FORM,
    RAW,
    StrictRoute,
    accept,
    cancel_on_disconnect,
    media_type,
    unsupported,
    uploaded,
)
from reachy_agent_ros.gateway.roles import Role

router = APIRouter(
    prefix="/voice", tags=["voice"], dependencies=[Depends(requires(Role.OPERATOR))], route_class=StrictRoute
)

TheGateway = Annotated[Gateway, Depends(gateway_of)]

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
                    "properties": {_FILE: {"type": "string", "format": "binary", "description": "Sound file."}},
                }
            },
        },
    }
}

_WAV: dict[int | str, dict[str, Any]] = {
    200: {"content": {"audio/wav": BINARY}, "description": "Mono, 16 bits, at the sample rate of the voice."}
}


@router.post("/stt", openapi_extra=_SOUND)
async def transcribe(request: Request, gateway: TheGateway) -> TranscriptionAnswer:
    """Transcribes a sound file: wav, flac, ogg or mp3 at any sample rate, as the body or in a form, up to ten minutes.

    A separate process decodes the file, and separate models transcribe it, so that the robot keeps listening.
    """
    return await cancel_on_disconnect(request, gateway.voice.transcribe(await _sound(request)))


@router.post("/tts", response_class=Response, responses=_WAV)
async def synthesize(speech: SpeechRequest, request: Request, gateway: TheGateway) -> Response:
    """Synthesizes a text into a wav file. The robot does not play it, and its own speech is not delayed."""
    sound = await cancel_on_disconnect(request, gateway.voice.synthesize(speech))
    return Response(sound, media_type="audio/wav")


async def _sound(request: Request) -> bytes:
    kind = media_type(request)
    if kind == FORM:
        sound = (await uploaded(request, _FILE)).data
    elif kind == RAW or kind.startswith("audio/"):
        sound = await request.body()
    else:
        raise unsupported(kind, f"Send the sound as audio/*, as {RAW}, or in a form with a part named {_FILE!r}")
    if not sound:
        raise HTTPException(HTTPStatus.BAD_REQUEST, "The request contains no sound.")
    return sound


socket_router = APIRouter(tags=["voice"], route_class=StrictRoute)

PAUSE = 1.0
"""Time without audio after which another client may take the microphone, s."""

LONGEST_CHUNK = 64_000
"""Maximum size of an audio frame, bytes: 2 s of audio. During a longer frame, the gateway would not notice that its
client has disconnected."""

_ABNORMAL = 1006
"""WebSocket close code of a broken connection."""


@socket_router.websocket("/ws/voice")
async def voice(
    socket: WebSocket,
    gateway: Annotated[Gateway, Depends(gateway_of)],
    caller: Annotated[Caller, Depends(requires(Role.OPERATOR))],
    button: Annotated[
        bool, Query(description="Whether all speech is addressed to the robot; otherwise it needs the wake name.")
    ] = True,
) -> None:
    """Send binary frames of 16 kHz mono int16 samples, and `{"type": "end"}` at the end of your turn.

    Each message from the robot has `type` and `data`:

    - `transcription`: transcript so far, complete if `final` is true. `rejected` gives the reason for a rejection.
    - `response`: a clause of the reply, or the complete reply if `final` is true.
    - `audio`: audio of the reply, int16 samples in base64 at `sample_rate` Hz; `last` ends a stream.
    - `interrupted`: a person interrupts the robot. Drop audio that has not been played yet.
    - `listening` and `speaking`: whether a person is speaking, and whether the robot is.
    - `microphone`: `yours` from your first audio frame on; `free` after its end, or after one second without audio.
    - `problem`: a message about a rejected request, with the `code` of the error. The connection stays open.

    One client at a time has the microphone; all clients hear the robot. When a connection closes, the turn that its
    client started is canceled, and its pending approval questions are withdrawn.
    """
    await accept(socket)
    client = _Client(socket, gateway, caller, button)
    with gateway.voice.watch() as watcher:
        telling = asyncio.ensure_future(client.tell(watcher))
        try:
            with suppress(WebSocketDisconnect):
                await client.listen()
        finally:
            telling.cancel()
            await client.hang_up()


class _Client:
    def __init__(self, socket: WebSocket, gateway: Gateway, caller: Caller, button: bool) -> None:
        self._socket = socket
        self._voice = gateway.voice
        self._id = str(uuid.uuid4())
        self._speaker = caller.principal
        self._button = button
        self._microphone: Microphone | None = None
        self._refused = False

    async def tell(self, watcher: Watcher) -> None:
        """Sends events until the client disconnects."""
        with suppress(WebSocketDisconnect, OSError):
            async for event in watcher.events():
                await self._send(event.kind, **event.data)

    async def listen(self) -> None:
        """Handles messages until the client disconnects."""
        coming = asyncio.ensure_future(self._receive())
        try:
            while True:
                await asyncio.wait({coming}, timeout=PAUSE if self._microphone or self._refused else None)
                if not coming.done():
                    await self._fall_silent()
                    continue
                message = coming.result()
                coming = asyncio.ensure_future(self._receive())
                await self._take(message)
        finally:
            coming.cancel()

    async def hang_up(self) -> None:
        """Cancels the client's requests and releases the microphone."""
        self._voice.leave(self._id)
        await self._leave_microphone()

    async def _leave_microphone(self) -> None:
        if self._microphone is not None:
            microphone, self._microphone = self._microphone, None
            await asyncio.shield(microphone.close())

    async def _receive(self) -> dict[str, Any]:
        message: dict[str, Any] = dict(await self._socket.receive())
        if message["type"] == "websocket.disconnect":
            raise WebSocketDisconnect(message["code"], message.get("reason"))
        return message

    async def _take(self, message: dict[str, Any]) -> None:
        sound = message.get("bytes")
        try:
            if sound is not None:
                await self._hear(sound)
            elif _kind(message["text"]) == "end":
                await self._fall_silent()
            else:
                raise AgentError(
                    ErrorCode.INVALID_ARGUMENTS, 'Invalid message: the only text message is {"type": "end"}.'
                )
        except AgentError as error:
            await self._send("problem", data=error.message, code=error.code.name)

    async def _hear(self, sound: bytes) -> None:
        if len(sound) % 2 or len(sound) > LONGEST_CHUNK:
            message = (
                f"Invalid audio frame of {len(sound)} bytes: expected whole samples of two bytes, "
                f"at most {LONGEST_CHUNK} bytes."
            )
            raise AgentError(ErrorCode.AUDIO_UNSUPPORTED, message)
        if self._refused or not sound:
            return  # the client has received the error once, which is enough
        if self._microphone is None:
            await self._open()
        if self._microphone is not None:
            await self._microphone.hear(sound)

    async def _open(self) -> None:
        try:
            self._microphone = await self._voice.open(client=self._id, button=self._button, speaker=self._speaker)
        except AgentError:
            self._refused = True
            raise
        await self._send("microphone", data="yours")

    async def _fall_silent(self) -> None:
        self._refused = False
        if self._microphone is not None:
            await self._leave_microphone()
            await self._send("microphone", data="free")

    async def _send(self, kind: str, **data: Any) -> None:
        try:
            await self._socket.send_text(json.dumps({"type": kind, **data}))
        except RuntimeError:  # the socket is closed
            raise WebSocketDisconnect(_ABNORMAL) from None


def _kind(text: str) -> object:
    try:
        message = strict_json(text)
    except ValueError:
        return None
    return message.get("type") if isinstance(message, dict) else None
