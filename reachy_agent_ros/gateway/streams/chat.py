"""Server-sent events of `POST /api/v1/chat/stream`: a model for the data of each event name."""

from __future__ import annotations

from pydantic import BaseModel, Field

from reachy_agent_ros.gateway.models.conversation import ChatAnswer
from reachy_agent_ros.gateway.problem import Problem


class ChatStep(BaseModel):
    """One thing that happened in a turn that goes on."""

    text: str = Field(description="A piece of the reply, a tool's result, or what the turn waits for.")
    name: str = Field(description="Tool or agent.")
    arguments: str = Field(description="Of a tool that started, a JSON object.")


class ChatEventData(BaseModel):
    """Data of each event by its name; `answer` or `problem` is the last one."""

    token: ChatStep
    tool_started: ChatStep
    tool_ended: ChatStep
    handoff: ChatStep
    waiting: ChatStep
    queued: ChatStep
    answer: ChatAnswer
    problem: Problem
