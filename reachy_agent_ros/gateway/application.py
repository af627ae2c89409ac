"""Web application: routes, middleware and the OpenAPI document."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.metadata import version
from typing import Any

from fastapi import APIRouter, FastAPI
from pydantic.json_schema import models_json_schema
from starlette.middleware.cors import CORSMiddleware
from starlette.types import Lifespan

from reachy_agent_ros.gateway import problem
from reachy_agent_ros.gateway.access.authentication import STOP, AuthenticationMiddleware
from reachy_agent_ros.gateway.access.post_requests import HEADER, LONGEST_KEY, EmergencyStopMiddleware, Idempotency
from reachy_agent_ros.gateway.access.rate_limit import RATE, RateLimit
from reachy_agent_ros.gateway.access.request_validation import OriginCheck, RequestSyntaxCheck, SizeLimit
from reachy_agent_ros.gateway.graph import Gateway
from reachy_agent_ros.gateway.metrics import Metrics, MetricsMiddleware
from reachy_agent_ros.gateway.problem import MEDIA_TYPE, Problem
from reachy_agent_ros.gateway.routes import (
    conversation,
    decisions,
    feedback,
    monitoring,
    page,
    robot,
    schedule,
    settings,
    tools,
    training,
    vision,
    voice,
    workshop,
)
from reachy_agent_ros.gateway.routes.monitoring import StreamSelection
from reachy_agent_ros.gateway.routes.tools import LateMcp

PREFIX = "/api/v1"


_FAILURES: dict[int | str, dict[str, Any]] = {
    status: {"description": text, "content": {MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}}}
    for status, text in (
        ("4XX", "The request was rejected. The problem document gives the reason."),
        ("5XX", "The request failed, or a service that it needs is unavailable."),
    )
}
"""Error responses of every path. Set on the router, so that FastAPI does not document its own error format."""

_TOKEN_SCHEME = {"type": "http", "scheme": "bearer", "description": "Created with `reachy-agent tokens make NAME`."}

_KEY_PARAMETER = {
    "name": HEADER,
    "in": "header",
    "required": False,
    "description": "Unique key of the action. A repeated request with the same key gets the first response again.",
    "schema": {"type": "string", "minLength": 1, "maxLength": LONGEST_KEY},
}


def application(gateway: Gateway, origins: Sequence[str] = (), rate: str = RATE) -> FastAPI:
    """Creates the web application of a gateway.

    Args:
        gateway: Services that the routes call.
        origins: Other origins whose pages may call the API, such as `https://robot.example`.
        rate: Rate limit per caller.

    Raises:
        AgentError: `INVALID_ARGUMENTS`: the rate is malformed, or admits no request.
    """
    endpoint = LateMcp(gateway.offered, version("reachy_agent_ros"))
    app = _described_api(endpoint.running)
    app.state.gateway = gateway
    app.state.mcp = endpoint
    problem.install(app)
    protect(app, origins, rate)
    app.state.metrics = Metrics()
    app.add_middleware(MetricsMiddleware, metrics=app.state.metrics)
    page.install(app)
    return app


def api_document() -> dict[str, Any]:
    """Returns the OpenAPI document that is served at `/api/v1/openapi.json`. Works without a gateway and a graph."""
    return _described_api().openapi()


def _described_api(lifespan: Lifespan[FastAPI] | None = None) -> FastAPI:
    """Creates an application with all API routes and their OpenAPI description, without the console page."""
    app = FastAPI(
        title="Reachy agent",
        version=version("reachy_agent_ros"),
        lifespan=lifespan,
        openapi_url=f"{PREFIX}/openapi.json",
        docs_url=None,
        redoc_url=None,
    )
    _describe(app)
    api = APIRouter(prefix=PREFIX, responses=_FAILURES)
    for router in (
        conversation.chat_router,
        conversation.session_router,
        decisions.router,
        schedule.router,
        conversation.memory_router,
        monitoring.traces_router,
        monitoring.health_router,
        robot.body_router,
        monitoring.events_router,
        robot.model_router,
        voice.router,
        voice.socket_router,
        vision.router,
        tools.router,
        workshop.router,
        feedback.router,
        feedback.live_router,
        training.demonstrations_router,
        training.router,
        settings.router,
    ):
        api.include_router(router)
    app.include_router(api)
    app.include_router(monitoring.metrics_router, responses=_FAILURES)
    app.include_router(tools.mcp_router)
    return app


def protect(app: FastAPI, origins: Sequence[str] = (), rate: str = RATE) -> None:
    """Adds the middleware for all requests, the innermost first.

    Args:
        app: Application whose `state.gateway` authenticates callers.
        origins: See `application`.
        rate: See `application`.

    Raises:
        AgentError: `INVALID_ARGUMENTS`: the rate is malformed, or admits no request.
    """
    app.add_middleware(Idempotency)
    app.add_middleware(EmergencyStopMiddleware)
    app.add_middleware(AuthenticationMiddleware, rate=RateLimit(rate))
    app.add_middleware(SizeLimit)
    if origins:
        app.add_middleware(
            CORSMiddleware,
            allow_origins=origins,
            allow_methods=["GET", "POST", "DELETE"],
            allow_headers=["Authorization", "Content-Type", HEADER],
        )
    app.add_middleware(OriginCheck, origins=origins)
    app.add_middleware(RequestSyntaxCheck)


def _describe(application: FastAPI) -> None:
    """Adds tokens, problem documents and idempotency keys to the application's OpenAPI document."""
    described = application.openapi

    def openapi() -> dict[str, Any]:
        if application.openapi_schema is None:
            _complete(described())
        return described()

    application.openapi = openapi  # type: ignore[method-assign] # the way that FastAPI documents


def _streamed() -> dict[str, Any]:
    """Returns the schemas of problem documents and stream messages, whose models no route declares."""
    # Only a request for the document needs these models, and importing them at start would take 50 ms.
    from reachy_agent_ros.gateway.streams.chat import ChatEventData
    from reachy_agent_ros.gateway.streams.events import EventData
    from reachy_agent_ros.gateway.streams.voice import VoiceEnd, VoiceMessage

    models = (Problem, StreamSelection, EventData, VoiceMessage, VoiceEnd, ChatEventData)
    _, described = models_json_schema(
        [(model, "serialization") for model in models], ref_template="#/components/schemas/{model}"
    )
    return dict(described["$defs"])


def _complete(schema: dict[str, Any]) -> None:
    components = schema.setdefault("components", {})
    schemas = components.setdefault("schemas", {})
    for name, model in _streamed().items():
        schemas.setdefault(name, model)
    components["securitySchemes"] = {"token": _TOKEN_SCHEME}
    schema["security"] = [{"token": []}, {}]  # a gateway that is reachable only from this machine needs no token
    for path, operations in schema["paths"].items():
        if "post" in operations and path != STOP:
            operations["post"].setdefault("parameters", []).append(_KEY_PARAMETER)
