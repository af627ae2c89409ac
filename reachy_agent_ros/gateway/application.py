"""The web application: paths, and what every request passes."""

from __future__ import annotations

from importlib.metadata import version

from fastapi import APIRouter, FastAPI

from reachy_agent_ros.gateway import problem
from reachy_agent_ros.gateway.graph import Gateway
from reachy_agent_ros.gateway.routes import body, chat, events, page, robot, session

PREFIX = "/api/v1"

_DOCUMENTED = {code: {"model": problem.Problem, "content": {problem.MEDIA_TYPE: {}}} for code in ("4XX", "5XX")}


def application(gateway: Gateway) -> FastAPI:
    """The application that serves a gateway.

    Args:
        gateway: What its paths work with.
    """
    app = FastAPI(title="Reachy agent", version=version("reachy_agent_ros"), docs_url=None, redoc_url=None)
    app.state.gateway = gateway
    problem.install(app)
    api = APIRouter(prefix=PREFIX, responses=_DOCUMENTED)  # type: ignore[arg-type]
    for module in (chat, session, body, events, robot):
        api.include_router(module.router)
    app.include_router(api)
    page.install(app)
    return app
