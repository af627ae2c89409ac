"""The web application: paths, and what every request passes."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.metadata import version

from fastapi import APIRouter, FastAPI
from starlette.middleware.cors import CORSMiddleware

from reachy_agent_ros.gateway import openapi, problem
from reachy_agent_ros.gateway.access.entrance import Entrance
from reachy_agent_ros.gateway.access.idempotency import HEADER, Idempotency
from reachy_agent_ros.gateway.access.origin_check import OriginCheck
from reachy_agent_ros.gateway.access.outcry import Outcry
from reachy_agent_ros.gateway.access.rate_limit import RATE, RateLimit
from reachy_agent_ros.gateway.access.size_limit import SizeLimit
from reachy_agent_ros.gateway.access.well_formed import WellFormed
from reachy_agent_ros.gateway.graph import Gateway
from reachy_agent_ros.gateway.late_mcp import LateMcp
from reachy_agent_ros.gateway.metrics import Measured, Metrics
from reachy_agent_ros.gateway.routes import (
    body,
    chat,
    decisions,
    demonstrations,
    events,
    feedback,
    health,
    live_feedback,
    mcp,
    memory,
    metrics,
    page,
    robot,
    session,
    tool_making,
    tools,
    traces,
    training,
    vision,
    voice,
    voice_socket,
    workshop,
)

PREFIX = "/api/v1"


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
    app = FastAPI(
        title="Reachy agent",
        version=version("reachy_agent_ros"),
        lifespan=endpoint.running,
        openapi_url=f"{PREFIX}/openapi.json",
        docs_url=None,
        redoc_url=None,
    )
    app.state.gateway = gateway
    app.state.mcp = endpoint
    problem.install(app)
    openapi.install(app)
    protect(app, origins, rate)
    api = APIRouter(prefix=PREFIX, responses=openapi.FAILURES)
    for module in (chat, session, decisions, memory, traces, health, body, events, robot):
        api.include_router(module.router)
    for module in (voice, voice_socket, vision):
        api.include_router(module.router)
    for module in (tools, tool_making, workshop, feedback, live_feedback, demonstrations, training):
        api.include_router(module.router)
    app.include_router(api)
    app.include_router(metrics.router, responses=openapi.FAILURES)
    app.include_router(mcp.router)
    app.state.metrics = Metrics()
    app.add_middleware(Measured, metrics=app.state.metrics)
    page.install(app)
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
    app.add_middleware(Outcry)
    app.add_middleware(Entrance, rate=RateLimit(rate))
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
