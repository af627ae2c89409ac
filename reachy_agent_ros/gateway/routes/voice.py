"""Speech recognition and synthesis over HTTP, and the voice WebSocket."""

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
from reachy_agent_ros.gateway.callers import Caller, Role, requires
from reachy_agent_ros.gateway.event_hub import Watcher
from reachy_agent_ros.gateway.graph import Gateway, gateway_of
from reachy_agent_ros.gateway.models.voice import Microphone, SpeechRequest, TranscriptionAnswer
from reachy_agent_ros.gateway.request_handling import (
    BINARY,
    FORM,
    RAW,
    StrictRoute,
    accept,
    media_type,
    unless_hung_up,
    unsupported,
    uploaded,
)

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
                    "properties": {_FILE: {"type": "string", "format": "binary", "description": "The sound."}},
                }
            },
        },
    }
}

_WAV: dict[int | str, dict[str, Any]] = {
    200: {"content": {"audio/wav": BINARY}, "description": "Mono, 16 bits, at the voice's own rate."}
}


@router.post("/stt", openapi_extra=_SOUND)
async def transcribe(request: Request, gateway: TheGateway) -> TranscriptionAnswer:
    """What is said in a sound file: wav, flac, ogg or mp3 of any rate, as the body or in a form; ten minutes at most.

    It is heard by models of its own: the robot's ears go on meanwhile.
    """
    return await unless_hung_up(request, gateway.voice.transcribe(await _sound(request)))


@router.post("/tts", response_class=Response, responses=_WAV)
async def synthesise(speech: SpeechRequest, request: Request, gateway: TheGateway) -> Response:
    """What a text sounds like, as a wav file; the robot stays silent, and what it says itself is not delayed."""
    sound = await unless_hung_up(request, gateway.voice.synthesise(speech))
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


socket_router = APIRouter(tags=["voice"], route_class=StrictRoute)

PAUSE = 1.0
"""s without sound after which another client may speak."""

LONGEST_CHUNK = 64_000
"""B: 2 s of sound. While a longer frame plays, the gateway would not notice that its client disconnects."""

_ABNORMAL = 1006
"""Close code of a connection that broke."""


@socket_router.websocket("/ws/voice")
async def voice(
    socket: WebSocket,
    gateway: Annotated[Gateway, Depends(gateway_of)],
    caller: Annotated[Caller, Depends(requires(Role.OPERATOR))],
    button: Annotated[bool, Query(description="Whether all you say is meant for the robot, without its name.")] = True,
) -> None:
    """Send binary frames of 16 kHz mono int16 samples, and `{"type": "end"}` when you have said it.

    Every message that comes has `type` and `data`:

    - `transcription`: text heard so far; with `final` true, all of it. `rejected` tells why it is not believed.
    - `response`: a clause of the reply; with `final` true, the whole reply.
    - `audio`: the reply's sound as it is spoken, int16 samples in base64, `sample_rate` Hz; `last` ends a stream.
    - `interrupted`: somebody speaks over the robot. Drop the sound that you have not played.
    - `listening` and `speaking`: whether a person speaks now, and whether the robot does.
    - `microphone`: `yours` from your first sound on, `free` when it ended or nothing came for a second.
    - `problem`: what was refused, in one sentence, with the `code` of the error. The connection goes on.

    One client at a time has the microphone; all of them hear the robot. What a client asked for ends with its
    connection: the turn is cancelled, and what waits for a person's yes is withdrawn.
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
        """Cancels what the client asked for, and releases the microphone."""
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
                raise AgentError(ErrorCode.INVALID_ARGUMENTS, 'The only text to send is {"type": "end"}.')
        except AgentError as error:
            await self._send("problem", data=error.message, code=error.code.name)

    async def _hear(self, sound: bytes) -> None:
        if len(sound) % 2 or len(sound) > LONGEST_CHUNK:
            message = (
                f"A frame of {len(sound)} bytes is not taken: it must hold whole samples of two bytes, "
                f"at most {LONGEST_CHUNK} bytes of them."
            )
            raise AgentError(ErrorCode.AUDIO_UNSUPPORTED, message)
        if self._refused or not sound:
            return  # the client was told once, and is not told again for each frame
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
