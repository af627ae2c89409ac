"""Model of one task, with a budget and fallback endpoints."""

from __future__ import annotations

import asyncio
import logging
import random
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import aclosing
from copy import copy
from dataclasses import replace

from agents.items import TResponseStreamEvent
from openai import APIStatusError
from openai.types.responses import ResponseCompletedEvent, ResponseTextDeltaEvent

from reachy_agent_ros.agent.model.budget import Budget, BudgetWatch, ModelCounters
from reachy_agent_ros.agent.model.endpoint_link import EndpointLink
from reachy_agent_ros.agent.model.endpoint_model import EndpointModel
from reachy_agent_ros.agent.model.errors import MODEL_EXCEPTIONS, agent_error, is_busy
from reachy_agent_ros.agent.model.request import ModelRequest, RequestModel
from reachy_agent_ros.agent.model.responses import text_delta, usage_of
from reachy_agent_ros.agent.model.self_tests import ToolProtocol
from reachy_agent_ros.core.errors import AgentError, ErrorCode

STARTING_OVER = "... Sorry, I lost the thread. Let me start again. "
"""Phrase that is spoken when another endpoint restarts an answer that was already partly spoken."""

BUSY_WAIT = 0.5
"""Time before a busy server is asked again, s; multiplied by a random factor between 0.5 and 1.5."""

_log = logging.getLogger(__name__)


class TaskModel(RequestModel):
    """Model that tries endpoints in order until one answers.

    Args:
        links: Endpoints in order, at least one.
        budget: Budget of the task.
        counters: Counters of the task.
        tiers: Endpoints in order, by name of the tier, for agents that use a specific tier.
    """

    def __init__(
        self,
        links: Sequence[EndpointLink],
        budget: Budget,
        counters: ModelCounters,
        tiers: Mapping[str, Sequence[EndpointLink]] | None = None,
    ) -> None:
        self.counters = counters
        self._links = links
        self._tiers = tiers or {}
        self._watch = BudgetWatch(budget, counters)
        self._protocol = ToolProtocol.JSON_SCHEMA

    @classmethod
    async def ready(
        cls,
        links: Sequence[EndpointLink],
        budget: Budget,
        tiers: Mapping[str, Sequence[EndpointLink]] | None = None,
    ) -> TaskModel:
        """Contacts the endpoints in order until one answers, and returns the model of the task.

        Raises:
            AgentError: Error of the first endpoint, if none can be reached.
        """
        counters = ModelCounters()
        problem: AgentError | None = None
        for link in worth_asking(links):
            try:
                model = await link.model()
            except AgentError as error:
                problem = problem or error
                continue
            counters.fallbacks += problem is not None
            task = cls(links, budget, counters, tiers)
            task._protocol = model.protocol
            return task
        raise problem or AgentError(ErrorCode.MODEL_UNAVAILABLE, "No language model is configured.")

    @property
    def protocol(self) -> ToolProtocol:
        """Tool protocol of the endpoint that was reached when the task began."""
        return self._protocol

    def of_tier(self, name: str) -> TaskModel:
        """Returns a model that prefers the endpoints of a tier, with the budget and counters of this task.

        Args:
            name: "quick" or "deep"; empty for the endpoints of the request.
        """
        model = copy(self)
        model._links = self._tiers.get(name, self._links)
        return model

    async def stream(self, request: ModelRequest) -> AsyncGenerator[TResponseStreamEvent, None]:
        """Streams the answer.

        Raises:
            AgentError: `BUDGET_EXCEEDED`, or the error of the last endpoint.
        """
        request = replace(request, counters=self.counters)
        links = worth_asking(self._links)
        spoken = ""
        for number, link in enumerate(links, 1):
            self._watch.require_tokens()
            try:
                answer = self._asked(link, request, last=number == len(links))
                async with aclosing(self._watch.within(answer)) as events:
                    async for event in events:
                        spoken += event.delta if isinstance(event, ResponseTextDeltaEvent) else ""
                        yield event
                return
            except MODEL_EXCEPTIONS as error:
                failure = agent_error(error)
                if failure.code is ErrorCode.BUDGET_EXCEEDED:
                    raise failure from error
                link.failed(failure)
                if number == len(links):
                    raise failure from error
            self.counters.fallbacks += 1
            _log.warning("%s failed, trying the next endpoint: %s", link.endpoint.shown, failure.message)
            if spoken.strip():
                yield text_delta(STARTING_OVER)

    async def _asked(
        self, link: EndpointLink, request: ModelRequest, last: bool
    ) -> AsyncGenerator[TResponseStreamEvent, None]:
        model = await link.model()
        asked, allowed = request.model_settings.max_tokens, link.endpoint.max_tokens
        settings = replace(request.model_settings, max_tokens=max(asked or 0, allowed))
        request = replace(request, model_settings=settings)
        try:
            async with aclosing(self._sent(model, request, link)) as events:
                async for event in events:
                    yield event
        except APIStatusError as error:  # raised before the first piece
            if not (last and is_busy(error)):
                raise
            self.counters.retries += 1
            await asyncio.sleep(BUSY_WAIT * random.uniform(0.5, 1.5))
            async with aclosing(self._sent(model, request, link)) as events:
                async for event in events:
                    yield event

    async def _sent(
        self, model: EndpointModel, request: ModelRequest, link: EndpointLink
    ) -> AsyncGenerator[TResponseStreamEvent, None]:
        self.counters.calls += 1
        async with aclosing(model.stream(request)) as events:
            async for event in events:
                if isinstance(event, ResponseCompletedEvent):
                    link.succeeded()
                    used = usage_of(event)
                    self.counters.input_tokens += used.input_tokens
                    self.counters.output_tokens += used.output_tokens
                yield event


def worth_asking(links: Sequence[EndpointLink]) -> list[EndpointLink]:
    """Returns the endpoints that are not paused after a failure.

    If all endpoints are paused, returns the endpoint whose pause ends first.
    """
    awake = [link for link in links if link.health.rest == 0.0]
    return awake or sorted(links, key=lambda link: link.health.rest)[:1]
