"""Services for settings that people change while the agent runs: the plan review mode and the persona."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any

from rclpy.node import Node
from reachy_agent_msgs.srv import ListPersonas, SetPersona, SetPlanReview

from reachy_agent_ros.agent.planning.review import PlanReview
from reachy_agent_ros.agent.robot_agent import RobotAgent
from reachy_agent_ros.core import names
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.ros.agent.agent_messages import persona_message
from reachy_agent_ros.ros.rclpy_ext.event_loop import EventLoop
from reachy_agent_ros.ros.rclpy_ext.service_server import SlowService


class SettingsServices:
    """Service servers for the plan review mode and the persona.

    Requests run on the agent's event loop, and file access in threads.

    Args:
        node: Node that serves the services.
        agent: Agent whose settings are read and changed.
        loop: Event loop of the agent.
        changed: Called when the settings may have changed.
    """

    def __init__(self, node: Node, agent: RobotAgent, loop: EventLoop, changed: Callable[[], None]) -> None:
        self._agent = agent
        self._loop = loop
        self._changed = changed
        served: tuple[tuple[type, str, Callable[[Any], Any]], ...] = (
            (SetPlanReview, names.SET_PLAN_REVIEW, self._set_plan_review),
            (ListPersonas, names.LIST_PERSONAS, self._list_personas),
            (SetPersona, names.SET_PERSONA, self._set_persona),
        )
        self._services = [SlowService(node, kind, name, self._on_loop(work)) for kind, name, work in served]

    def _on_loop(self, work: Callable[[Any], Any]) -> Callable[[Any], Future[Any]]:
        return lambda request: self._loop.submit(work(request))

    async def _set_plan_review(self, request: SetPlanReview.Request) -> SetPlanReview.Response:
        if request.review not in iter(PlanReview):
            message = f"Invalid plan review mode {request.review}: expected 0 to {max(PlanReview)}."
            raise AgentError(ErrorCode.INVALID_ARGUMENTS, message)
        self._agent.review = PlanReview(request.review)
        self._changed()
        return SetPlanReview.Response()

    async def _list_personas(self, _request: ListPersonas.Request) -> ListPersonas.Response:
        active = self._agent.persona.name
        listed = await asyncio.to_thread(self._agent.personas.listed)
        found = [one.persona for one in listed if one.persona is not None]
        return ListPersonas.Response(personas=[persona_message(one, one.name == active) for one in found])

    async def _set_persona(self, request: SetPersona.Request) -> SetPersona.Response:
        await self._agent.become(request.name)
        self._changed()
        return SetPersona.Response()
