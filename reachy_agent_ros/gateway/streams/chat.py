"""Server-sent events of `POST /api/v1/chat/stream`: a model for the data of each event name."""

from __future__ import annotations

from pydantic import BaseModel, Field

from reachy_agent_ros.gateway.models.conversation import ChatAnswer
from reachy_agent_ros.gateway.problem import Problem


class ChatStep(BaseModel):
    """Step of a running turn."""

    text: str = Field(description="Part of the reply, result of a tool, or reason for waiting.")
    name: str = Field(description="Name of the tool or agent.")
    arguments: str = Field(description="Arguments of a started tool, a JSON object.")
    turn_id: str = Field(description="Id of the turn, as in `GET /traces`.")


class ChatEventData(BaseModel):
    """Data of each event by event name. The last event is `answer` or `problem`."""

    token: ChatStep
    tool_started: ChatStep
    tool_ended: ChatStep
    handoff: ChatStep
    waiting: ChatStep
    queued: ChatStep
    answer: ChatAnswer
    problem: Problem
