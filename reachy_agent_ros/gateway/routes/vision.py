"""Routes for camera pictures, the camera stream and image analysis."""

from __future__ import annotations

import base64
import binascii
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing, suppress
from http import HTTPStatus
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Query, Request
from fastapi.exceptions import RequestValidationError
from pydantic import ValidationError
from starlette.exceptions import HTTPException
from starlette.responses import StreamingResponse
from starlette.types import Receive, Scope, Send

from reachy_agent_ros.core.errors import AgentError
from reachy_agent_ros.gateway.callers import requires
from reachy_agent_ros.gateway.graph import Gateway, gateway_of
from reachy_agent_ros.gateway.models.vision import LONGEST_PROMPT, AnalysisAnswer, AnalysisRequest, CaptureAnswer, View
from reachy_agent_ros.gateway.request_handling import (
    BINARY,
    FORM,
    RAW,
    StrictRoute,
    cancel_on_disconnect,
    media_type,
    unsupported,
    uploaded,
)
from reachy_agent_ros.gateway.roles import Role

router = APIRouter(prefix="/vision", tags=["vision"], route_class=StrictRoute)

TheGateway = Annotated[Gateway, Depends(gateway_of)]

QUESTION = "What is in this picture?"
"""Default question about a picture."""

_JSON = "application/json"
_IMAGE, _PROMPT = "image", "prompt"

_BOUNDARY = "frame"


_PICTURE: dict[str, Any] = {
    "requestBody": {
        "required": False,
        "content": {
            _JSON: {"schema": AnalysisRequest.model_json_schema()},
            RAW: BINARY,
            "image/*": BINARY,
            FORM: {
                "schema": {
                    "type": "object",
                    "properties": {
                        _IMAGE: {"type": "string", "format": "binary", "description": "Picture file."},
                        _PROMPT: {"type": "string", "maxLength": LONGEST_PROMPT},
                    },
                }
            },
        },
    }
}

_STREAM: dict[int | str, dict[str, Any]] = {
    200: {
        "content": {"multipart/x-mixed-replace": BINARY},
        "description": "Stream of JPEG pictures, until the client disconnects or the camera ends.",
    }
}


@router.post("/capture", dependencies=[Depends(requires(Role.OPERATOR))])
async def capture(
    gateway: TheGateway,
    view: Annotated[
        View,
        Query(
            description="The robot's camera (`eye`), or a view of the simulated robot (`studio`), which takes seconds."
        ),
    ] = View.EYE,
) -> CaptureAnswer:
    """Takes a new picture."""
    return await gateway.vision.capture(view)


@router.post("/analyze", dependencies=[Depends(requires(Role.OPERATOR))], openapi_extra=_PICTURE)
async def analyze(request: Request, gateway: TheGateway) -> AnalysisAnswer:
    """Analyzes the uploaded picture or, if there is none, the current picture of the robot's camera.

    Send the picture in base64 within JSON, as the `image` part of a form, or as the complete body.
    """
    picture, prompt = await _question(request)
    question = prompt.strip() or QUESTION
    vision = gateway.vision
    work = vision.analyze_picture(picture, question) if picture else vision.analyze(question)
    return await cancel_on_disconnect(request, work)


@router.get(
    "/stream", dependencies=[Depends(requires(Role.OBSERVER))], response_class=StreamingResponse, responses=_STREAM
)
async def stream(gateway: TheGateway) -> StreamingResponse:
    """Streams pictures from the robot's camera, for an `img` element. Slow clients skip frames."""
    pictures = _pictures(gateway)
    first = await anext(pictures)  # an unavailable camera is an error, not an empty stream
    return _CameraResponse(first, pictures)


class _CameraResponse(StreamingResponse):
    """Streams pictures until the client disconnects or the camera ends, and then stops watching the camera."""

    def __init__(self, first: bytes, rest: AsyncGenerator[bytes]) -> None:
        kind = f"multipart/x-mixed-replace; boundary={_BOUNDARY}"
        super().__init__(_parts(first, rest), media_type=kind, headers={"Cache-Control": "no-store"})
        self._rest = rest

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async with aclosing(self._rest):
            await super().__call__(scope, receive, send)


async def _pictures(gateway: Gateway) -> AsyncGenerator[bytes]:
    async with gateway.vision.watch() as pictures:
        async for picture in pictures:
            yield picture


async def _parts(first: bytes, rest: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    yield _part(first)
    with suppress(AgentError):  # the response has started, so it can only end
        async for picture in rest:
            yield _part(picture)


def _part(jpeg: bytes) -> bytes:
    head = f"--{_BOUNDARY}\r\nContent-Type: image/jpeg\r\nContent-Length: {len(jpeg)}\r\n\r\n"
    return head.encode() + jpeg + b"\r\n"


async def _question(request: Request) -> tuple[bytes, str]:
    """Returns the picture and the question of a request. An empty picture means the robot's camera."""
    kind = media_type(request)
    if kind == FORM:
        form = await uploaded(request, _IMAGE)
        asked = _checked(form.fields)
        return form.data or _decoded(asked.image), asked.prompt
    if kind == RAW or kind.startswith("image/"):
        return await request.body(), request.query_params.get(_PROMPT, "")
    body = await request.body()
    if not body:
        return b"", ""
    if kind != _JSON:
        raise unsupported(kind, f"Send {_JSON}, the picture as image/*, or a form with a part named {_IMAGE!r}")
    asked = _checked(body)
    return _decoded(asked.image), asked.prompt


def _checked(sent: bytes | dict[str, str]) -> AnalysisRequest:
    model = AnalysisRequest
    try:
        return model.model_validate_json(sent) if isinstance(sent, bytes) else model.model_validate(sent)
    except ValidationError as error:
        raise RequestValidationError(error.errors(include_url=False, include_input=False)) from None


def _decoded(image: str) -> bytes:
    """Decodes a base64 picture, with or without the header of a data URL."""
    text = image.partition(",")[2] if image.startswith("data:") else image
    try:
        return base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        raise HTTPException(HTTPStatus.UNPROCESSABLE_ENTITY, "Invalid image: expected base64.") from None
