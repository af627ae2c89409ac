"""The description of the API, completed with what holds for all of its paths."""

from __future__ import annotations

from typing import Any

from fastapi import FastAPI

from reachy_agent_ros.gateway.access.entrance import STOP
from reachy_agent_ros.gateway.access.idempotency import HEADER, LONGEST_KEY
from reachy_agent_ros.gateway.problem import MEDIA_TYPE, Problem

FAILURES: dict[int | str, dict[str, Any]] = {
    status: {"description": text, "content": {MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}}}
    for status, text in (
        ("4XX", "Refused, or impossible as it was asked; the problem document says why."),
        ("5XX", "It could not be done now, or went wrong."),
    )
}
"""What every path may answer. Given to the router, so that FastAPI documents no failures of its own kind."""

_SCHEME = {"type": "http", "scheme": "bearer", "description": "Made by `reachy-agent tokens make NAME`."}

_KEY = {
    "name": HEADER,
    "in": "header",
    "required": False,
    "description": "New for each act, the same for its repetition, which is then answered and not done again.",
    "schema": {"type": "string", "minLength": 1, "maxLength": LONGEST_KEY},
}


def install(application: FastAPI) -> None:
    """Makes the application describe its tokens, its problem documents and its idempotency keys too."""
    described = application.openapi

    def openapi() -> dict[str, Any]:
        if application.openapi_schema is None:
            _complete(described())
        return described()

    application.openapi = openapi  # type: ignore[method-assign] # as FastAPI would have it done


def _complete(schema: dict[str, Any]) -> None:
    components = schema.setdefault("components", {})
    components.setdefault("schemas", {})["Problem"] = Problem.model_json_schema()
    components["securitySchemes"] = {"token": _SCHEME}
    schema["security"] = [{"token": []}, {}]  # none is needed where only this machine reaches it
    for path, operations in schema["paths"].items():
        if "post" in operations and path != STOP:
            operations["post"].setdefault("parameters", []).append(_KEY)
