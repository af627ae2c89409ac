"""Problem documents (RFC 9457) for all failures. A document contains the name of the error code, if there is one."""

from __future__ import annotations

from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from pydantic import BaseModel, Field
from starlette.exceptions import HTTPException
from starlette.requests import HTTPConnection
from starlette.types import Receive, Scope, Send
from starlette.websockets import WebSocket, WebSocketState

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.gateway.request_handling import accept

MEDIA_TYPE = "application/problem+json"

Headers = Mapping[str, str] | None

CLOSED = 4000
"""Base of WebSocket close codes. The HTTP status is added: 4401 means that a valid token is missing."""

_LONGEST_REASON = 123
"""Maximum size of a WebSocket close reason, bytes."""

_STATUSES = {
    ErrorCode.CANCELED: HTTPStatus.CONFLICT,
    ErrorCode.TIMEOUT: HTTPStatus.GATEWAY_TIMEOUT,
    ErrorCode.SERVER_UNAVAILABLE: HTTPStatus.SERVICE_UNAVAILABLE,
    ErrorCode.SERVER_LOST: HTTPStatus.SERVICE_UNAVAILABLE,
    ErrorCode.SHUTTING_DOWN: HTTPStatus.SERVICE_UNAVAILABLE,
    ErrorCode.ROBOT_DISCONNECTED: HTTPStatus.SERVICE_UNAVAILABLE,
    ErrorCode.CAMERA_UNAVAILABLE: HTTPStatus.SERVICE_UNAVAILABLE,
    ErrorCode.DETECTOR_UNAVAILABLE: HTTPStatus.SERVICE_UNAVAILABLE,
    ErrorCode.SANDBOX_UNAVAILABLE: HTTPStatus.SERVICE_UNAVAILABLE,
    ErrorCode.VOICE_UNAVAILABLE: HTTPStatus.SERVICE_UNAVAILABLE,
    ErrorCode.AUDIO_UNAVAILABLE: HTTPStatus.SERVICE_UNAVAILABLE,
    ErrorCode.MODEL_UNAVAILABLE: HTTPStatus.SERVICE_UNAVAILABLE,
    ErrorCode.MODEL_FAILED: HTTPStatus.BAD_GATEWAY,
    ErrorCode.MODEL_TRUNCATED: HTTPStatus.BAD_GATEWAY,
    ErrorCode.MODEL_MISBEHAVED: HTTPStatus.BAD_GATEWAY,
    ErrorCode.RATE_EXCEEDED: HTTPStatus.TOO_MANY_REQUESTS,
    ErrorCode.BUDGET_EXCEEDED: HTTPStatus.TOO_MANY_REQUESTS,
    ErrorCode.NOT_FOUND: HTTPStatus.NOT_FOUND,
    ErrorCode.UNKNOWN_TOOL: HTTPStatus.NOT_FOUND,
    ErrorCode.UNKNOWN_MOVE: HTTPStatus.NOT_FOUND,
    ErrorCode.NO_DATA: HTTPStatus.NOT_FOUND,
    ErrorCode.APPROVAL_REQUIRED: HTTPStatus.FORBIDDEN,
    ErrorCode.APPROVAL_DENIED: HTTPStatus.FORBIDDEN,
    ErrorCode.DECISION_NOT_ALLOWED: HTTPStatus.FORBIDDEN,
    ErrorCode.TOOL_DISABLED: HTTPStatus.CONFLICT,
    ErrorCode.EMERGENCY_STOPPED: HTTPStatus.CONFLICT,
    ErrorCode.COMMANDER_BUSY: HTTPStatus.CONFLICT,
    ErrorCode.PREEMPTED: HTTPStatus.CONFLICT,
    ErrorCode.TURN_IN_PROGRESS: HTTPStatus.CONFLICT,
    ErrorCode.STALE_COMMAND: HTTPStatus.CONFLICT,
    ErrorCode.MOTORS_OFF: HTTPStatus.CONFLICT,
    ErrorCode.COMMANDER_LOST: HTTPStatus.CONFLICT,
    ErrorCode.NOT_REACHED: HTTPStatus.CONFLICT,
    ErrorCode.MOTION_IGNORED: HTTPStatus.CONFLICT,
    ErrorCode.AUDIO_UNSUPPORTED: HTTPStatus.UNSUPPORTED_MEDIA_TYPE,
    ErrorCode.INTERNAL: HTTPStatus.INTERNAL_SERVER_ERROR,
    ErrorCode.STORAGE_FAILED: HTTPStatus.INSUFFICIENT_STORAGE,
    ErrorCode.TOOL_FAILED: HTTPStatus.UNPROCESSABLE_ENTITY,
}
"""HTTP status by error code. All other errors mean that the request can never succeed unchanged: 422."""

_CODES = {
    HTTPStatus.BAD_REQUEST: ErrorCode.INVALID_ARGUMENTS,
    HTTPStatus.NOT_FOUND: ErrorCode.NOT_FOUND,
    HTTPStatus.UNPROCESSABLE_ENTITY: ErrorCode.INVALID_ARGUMENTS,
    HTTPStatus.TOO_MANY_REQUESTS: ErrorCode.RATE_EXCEEDED,
    HTTPStatus.SERVICE_UNAVAILABLE: ErrorCode.SERVER_UNAVAILABLE,
    HTTPStatus.INSUFFICIENT_STORAGE: ErrorCode.STORAGE_FAILED,
}
"""Error code by HTTP status, for errors of HTTP requests. The other statuses of such errors have no fitting code."""


class Problem(BaseModel):
    """Body of every error response."""

    title: str = Field(description="Name of the HTTP status.")
    status: int = Field(description="HTTP status.")
    detail: str = Field(description="Message for people.")
    code: str = Field(description="Name of the numbered error; empty if none fits.")


def status_of(code: ErrorCode) -> HTTPStatus:
    """Returns the HTTP status for an error code."""
    return _STATUSES.get(code, HTTPStatus.UNPROCESSABLE_ENTITY)


def problem_of(error: AgentError) -> Problem:
    """Returns the problem document of an error."""
    status = status_of(error.code)
    return Problem(title=status.phrase, status=status, detail=error.message, code=error.code.name)


def problem_response(error: AgentError) -> JSONResponse:
    """Returns the response for an error."""
    return _response(problem_of(error))


def refusal(status: HTTPStatus, detail: str, headers: Headers = None) -> JSONResponse:
    """Returns the response for an HTTP error. Its error code follows from the status, and is empty if none fits."""
    code = _CODES.get(status)
    name = "" if code is None else code.name
    return _response(Problem(title=status.phrase, status=status, detail=detail, code=name), headers)


async def refuse(
    scope: Scope,
    receive: Receive,
    send: Send,
    status: HTTPStatus,
    detail: str,
    headers: Mapping[str, str] | None = None,
) -> None:
    """Rejects a request, or closes a WebSocket."""
    if scope["type"] == "websocket":
        await _close(WebSocket(scope, receive, send), status, detail)
    else:
        await refusal(status, detail, headers)(scope, receive, send)


def install(application: FastAPI) -> None:
    """Installs exception handlers that send a problem document, or close a WebSocket with the error's status."""
    application.add_exception_handler(AgentError, _of_error)
    application.add_exception_handler(HTTPException, _of_status)
    application.add_exception_handler(RequestValidationError, _of_request)
    application.add_exception_handler(Exception, _of_fault)


async def _of_error(connection: HTTPConnection, error: Exception) -> JSONResponse:
    assert isinstance(error, AgentError)  # noqa: S101 - registered for it
    if isinstance(connection, WebSocket):
        await _close(connection, status_of(error.code), error.message)
    return problem_response(error)


async def _of_status(connection: HTTPConnection, error: Exception) -> JSONResponse:
    assert isinstance(error, HTTPException)  # noqa: S101 - registered for it
    status = HTTPStatus(error.status_code)
    if isinstance(connection, WebSocket):
        await _close(connection, status, error.detail)
    return refusal(status, error.detail, error.headers)


async def _of_request(_connection: HTTPConnection, error: Exception) -> JSONResponse:
    assert isinstance(error, RequestValidationError)  # noqa: S101 - registered for it
    wrong = "; ".join(f"{'.'.join(map(str, each['loc']))}: {_complaint(each)}" for each in error.errors()[:5])
    return problem_response(AgentError(ErrorCode.INVALID_ARGUMENTS, f"Invalid request: {wrong}."))


def _complaint(mistake: Mapping[str, Any]) -> str:
    """Formats a validation error. For malformed JSON, adds the parser's message."""
    reason = mistake.get("ctx", {}).get("error", "") if mistake["type"] == "json_invalid" else ""
    return f"{mistake['msg']} ({reason})" if reason else str(mistake["msg"])


async def _of_fault(_connection: HTTPConnection, error: Exception) -> JSONResponse:
    return problem_response(AgentError(ErrorCode.INTERNAL, f"The gateway failed: {type(error).__name__}."))


async def _close(socket: WebSocket, status: HTTPStatus, detail: str) -> None:
    """Closes a WebSocket, after accepting it if needed, because browsers hide why a handshake was rejected."""
    if socket.application_state is WebSocketState.CONNECTING:
        await accept(socket)
    if socket.application_state is WebSocketState.CONNECTED:
        reason = detail.encode()[:_LONGEST_REASON].decode(errors="ignore")
        await socket.close(CLOSED + status, reason)


def _response(problem: Problem, headers: Headers = None) -> JSONResponse:
    return JSONResponse(problem.model_dump(), problem.status, headers, MEDIA_TYPE)
