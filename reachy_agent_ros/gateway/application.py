"""The web application: its paths, what every request passes, and the description of its API."""

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
from reachy_agent_ros.gateway.access.request_validation import RATE, OriginCheck, RateLimit, SizeLimit, WellFormed
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
        ("4XX", "Refused, or impossible as it was asked; the problem document says why."),
        ("5XX", "It could not be done now, or went wrong."),
    )
}
"""What every path may answer. Given to the router, so that FastAPI documents no failures of its own kind."""

_TOKEN_SCHEME = {"type": "http", "scheme": "bearer", "description": "Made by `reachy-agent tokens make NAME`."}

_KEY_PARAMETER = {
    "name": HEADER,
    "in": "header",
    "required": False,
    "description": "New for each act, the same for its repetition, which is then answered and not done again.",
    "schema": {"type": "string", "minLength": 1, "maxLength": LONGEST_KEY},
}


def application(gateway: Gateway, origins: Sequence[str] = (), rate: str = RATE) -> FastAPI:
    """The application that serves a gateway.

    Args:
        gateway: What its paths work with.
        origins: Of other servers' pages that may call, such as `https://robot.example`.
        rate: How often each caller may.

    Raises:
        AgentError: `INVALID_ARGUMENTS`: no rate.
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
    """The OpenAPI document that every gateway answers at `/api/v1/openapi.json`; needs neither gateway nor graph."""
    return _described_api().openapi()


def _described_api(lifespan: Lifespan[FastAPI] | None = None) -> FastAPI:
    """All paths but those of the page, and their description."""
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
    ):
        api.include_router(router)
    app.include_router(api)
    app.include_router(monitoring.metrics_router, responses=_FAILURES)
    app.include_router(tools.mcp_router)
    return app


def protect(app: FastAPI, origins: Sequence[str] = (), rate: str = RATE) -> None:
    """Puts around an application what every request must pass.

    From the inside to the outside: each is added around the ones before.

    Args:
        app: Whose `state.gateway` knows who may call.
        origins: As of `application`.
        rate: Likewise.

    Raises:
        AgentError: `INVALID_ARGUMENTS`: no rate.
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
    app.add_middleware(WellFormed)


def _describe(application: FastAPI) -> None:
    """Makes the application describe its tokens, its problem documents and its idempotency keys too."""
    described = application.openapi

    def openapi() -> dict[str, Any]:
        if application.openapi_schema is None:
            _complete(described())
        return described()

    application.openapi = openapi  # type: ignore[method-assign] # as FastAPI would have it done


def _streamed() -> dict[str, Any]:
    """Schemas of problem documents and of what is streamed, which no path refers to."""
    # Imported by whoever asks for the document: a gateway that starts need not wait 50 ms for these models.
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
    schema["security"] = [{"token": []}, {}]  # none is needed where only this machine reaches it
    for path, operations in schema["paths"].items():
        if "post" in operations and path != STOP:
            operations["post"].setdefault("parameters", []).append(_KEY_PARAMETER)
