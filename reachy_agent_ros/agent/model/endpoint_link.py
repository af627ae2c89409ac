"""The way to one endpoint: probed when first needed, left alone for a while when it fails, longer each time."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from reachy_agent_ros.agent.model import sdk
from reachy_agent_ros.agent.model.endpoint import Endpoint
from reachy_agent_ros.agent.model.self_tests import SelfTests
from reachy_agent_ros.core.errors import AgentError, ErrorCode

if TYPE_CHECKING:
    from reachy_agent_ros.agent.model.client import EndpointClient
    from reachy_agent_ros.agent.model.endpoint_model import EndpointModel
    from reachy_agent_ros.agent.model.server_facts import ServerFacts


NOT_ASKED = "not asked yet"
"""What is known of an endpoint at first."""

FIRST_REST = 2.0
"""Seconds after the first failure."""

LONGEST_REST = 60.0
"""Seconds after many: a server that comes back is found within about a minute and a half."""


class EndpointLink:
    """One endpoint, with what is known of it. Use it from one event loop.

    Args:
        endpoint: Where the model is.
        self_tests: What is known of models.
    """

    def __init__(self, endpoint: Endpoint, self_tests: SelfTests) -> None:
        self.endpoint = endpoint
        self.health = EndpointHealth()
        self.facts: ServerFacts | None = None
        self._self_tests = self_tests
        self._client: EndpointClient | None = None
        self._model: EndpointModel | None = None
        self._lock = asyncio.Lock()
        self._problem = NOT_ASKED

    @property
    def asked(self) -> bool:
        """Whether it was ever asked."""
        return self._problem != NOT_ASKED

    @property
    def available(self) -> bool:
        """Whether it answered when last asked."""
        return self._model is not None and not self._problem

    @property
    def status(self) -> str:
        """For people: the protocol in use, or what is wrong."""
        return self._problem or (self._model.protocol.value if self._model else "")

    async def model(self) -> EndpointModel:
        """Its model, after a probe the first time.

        Raises:
            AgentError: `MODEL_UNAVAILABLE` or `MODEL_FAILED`, saying why.
        """
        async with self._lock:
            if self._model is None:
                try:
                    self._model = await self._probed()
                except AgentError as error:
                    self.failed(error)
                    raise
                self.succeeded()
            elif self._model.context is None:
                await self._learn_context()
            return self._model

    def succeeded(self) -> None:
        """Notes an answer."""
        self.health.succeeded()
        self._problem = ""

    def failed(self, error: AgentError) -> None:
        """Notes a failure. What a model wrote badly says nothing about its server's health."""
        self._problem = error.message
        if error.code in (ErrorCode.MODEL_UNAVAILABLE, ErrorCode.MODEL_FAILED):
            self.health.failed()

    async def test_again(self) -> EndpointModel:
        """Its model after a new probe, whatever is known; raises as `model` does."""
        async with self._lock:
            self._self_tests.forget(self.endpoint)
            self._model = None
        return await self.model()

    async def close(self) -> None:
        """Closes the connections."""
        if self._client is not None:
            await self._client.close()

    async def _probed(self) -> EndpointModel:
        await sdk.load()
        from reachy_agent_ros.agent.model.client import EndpointClient
        from reachy_agent_ros.agent.model.endpoint_model import EndpointModel, probe
        from reachy_agent_ros.agent.model.server_facts import server_facts

        self.facts = await server_facts(self.endpoint)
        self._client = self._client or EndpointClient(self.endpoint)
        protocol = await probe(self.endpoint, self._client, self.facts, self._self_tests)
        return EndpointModel(self.facts.model, self._client, protocol, self.facts.context)

    async def _learn_context(self) -> None:
        """Asks Ollama again: it knows the context only once the model is loaded."""
        if self.facts is None or self.facts.server != "ollama" or self._model is None:
            return
        from reachy_agent_ros.agent.model.server_facts import OllamaServer, context_of

        try:
            running = await OllamaServer(self.endpoint).running()
            if running is not None:
                self._model.context = context_of(self.facts.model, running, None)
        except AgentError as error:
            self.failed(error)
            raise
        self.facts = replace(self.facts, context=self._model.context)


class EndpointHealth:
    """Failures of one endpoint.

    Rests grow twofold, each multiplied by a chance between 0.5 and 1.5, so that several robots do not ask a server
    that has just come back all at once (exponential back-off with jitter).

    Args:
        clock: Seconds, monotonic.
        chance: Gives a number between two others.
    """

    def __init__(
        self, clock: Callable[[], float] = time.monotonic, chance: Callable[[float, float], float] = random.uniform
    ) -> None:
        self._clock = clock
        self._chance = chance
        self._failures = 0
        self._again = 0.0

    @property
    def rest(self) -> float:
        """Seconds until it should be asked again, 0 if it may be now."""
        return max(0.0, self._again - self._clock()) if self._failures else 0.0

    def failed(self) -> None:
        """Notes a failure."""
        # The exponent is bounded: 2.0 to the power of some thousand failures is no float any more.
        rest = min(LONGEST_REST, FIRST_REST * 2.0 ** min(self._failures, 16))
        self._failures += 1
        self._again = self._clock() + rest * self._chance(0.5, 1.5)

    def succeeded(self) -> None:
        """Notes an answer: all failures are forgotten."""
        self._failures = 0
