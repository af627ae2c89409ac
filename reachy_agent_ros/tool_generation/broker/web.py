"""The verb that fetches a page."""

from __future__ import annotations

import base64
from typing import Annotated, Any

from pydantic import Field

from reachy_agent_ros.core.arguments import ToolArguments
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.tool_generation.broker.allowance import FETCHES
from reachy_agent_ros.tool_generation.broker.lease import Lease
from reachy_agent_ros.tool_generation.broker.run import Run
from reachy_agent_ros.tool_generation.broker.verb import Verb
from reachy_agent_ros.tool_generation.need import Need

_Header = Annotated[str, Field(max_length=200)]


class Get(ToolArguments):
    """An address, headers, and s to wait for the whole answer; null is as long as one may."""

    url: str = Field(min_length=1)
    headers: dict[str, _Header] = Field(default_factory=dict, max_length=10)
    timeout: float | None = Field(None, gt=0.0)


def _get(arguments: Get, run: Run, _lease: Lease) -> Any:
    run.spend("pages fetched", FETCHES)
    run.record.fetched.append(arguments.url)
    try:
        page = run.equipment.web.get(arguments.url, arguments.headers, arguments.timeout, run.context.cancel)
    except AgentError as error:
        if error.code is ErrorCode.INVALID_ARGUMENTS:
            raise run.refused(error.code, error.message) from error
        raise
    body = base64.b64encode(page.body).decode()
    return {"status": page.status, "url": page.url, "headers": dict(page.headers), "body": body}


VERBS: dict[str, Verb[Any]] = {"get": Verb(Get, _get, Need.WEB)}
