"""Link to one endpoint, which is probed on first use. Retries use exponential backoff."""

from __future__ import annotations

import asyncio
import importlib
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
"""Initial status of an endpoint."""

FIRST_REST = 2.0
"""Pause after the first failure, s."""

LONGEST_REST = 60.0
"""Maximum pause, s: with jitter, a server that has recovered is detected within about a minute and a half."""


class EndpointLink:
    """Connection to an endpoint, with the state of the server and the model. Not thread-safe: use from one event loop.

    Args:
        endpoint: Endpoint of the model.
        self_tests: Stored results of self-tests.
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
        self._is_silent = False

    @property
    def asked(self) -> bool:
        """Whether the model has been requested, or the last check of the endpoint failed."""
        return self._problem != NOT_ASKED

    @property
    def available(self) -> bool:
        """Whether the endpoint answered its last request."""
        return self._model is not None and not self._problem

    @property
    def status(self) -> str:
        """Readable description of the tool protocol in use, or of the endpoint's problem."""
        return self._problem or (self._model.protocol.value if self._model else "")

    @property
    def silence(self) -> str:
        """Reason why the last request found no server or no model, as a sentence; empty if the request succeeded."""
        return self._problem if self._is_silent else ""

    async def check(self) -> bool:
        """Returns whether the server answers and offers the model. Does not load the model, which may take minutes."""
        module = await asyncio.to_thread(importlib.import_module, "reachy_agent_ros.agent.model.server_facts")
        try:
            await module.server_facts(self.endpoint)
        except AgentError as error:
            self.failed(error)
            return False
        if self._is_silent:
            self.succeeded()
            self._problem = "" if self._model else NOT_ASKED
        return True

    async def model(self) -> EndpointModel:
        """Returns the model. The first call probes the endpoint.

        Raises:
            AgentError: `MODEL_UNAVAILABLE` or `MODEL_FAILED`: the model cannot be used. The message gives the reason.
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
        """Records that the endpoint answered."""
        self.health.succeeded()
        self._problem = ""
        self._is_silent = False

    def failed(self, error: AgentError) -> None:
        """Records a failed request. An error in the text of a model does not count as a failure of the server."""
        self._problem = error.message
        self._is_silent = error.code is ErrorCode.MODEL_UNAVAILABLE
        if error.code in (ErrorCode.MODEL_UNAVAILABLE, ErrorCode.MODEL_FAILED):
            self.health.failed()

    async def test_again(self) -> EndpointModel:
        """Deletes the stored self-test results and probes the endpoint again. Returns the model, like `model`."""
        async with self._lock:
            self._self_tests.forget(self.endpoint)
            self._model = None
        return await self.model()

    async def close(self) -> None:
        """Closes the connections to the endpoint."""
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
        """Requests the context length from Ollama again, because Ollama knows it only after it has loaded the model."""
        if self.facts is None or self.facts.server != "ollama" or self._model is None:
            return
        from reachy_agent_ros.agent.model.ollama_server import OllamaServer, context_of

        try:
            running = await OllamaServer(self.endpoint).running()
            if running is not None:
                self._model.context = context_of(self.facts.model, running, None)
        except AgentError as error:
            self.failed(error)
            raise
        self.facts = replace(self.facts, context=self._model.context)


class EndpointHealth:
    """Exponential backoff with jitter after failures of one endpoint.

    Each pause is twice as long as the previous one, up to `LONGEST_REST`, multiplied by a random factor between 0.5 and
    1.5, so that several robots do not send requests at the same moment to a server that has recovered.

    Args:
        clock: Monotonic clock, s.
        chance: Returns a random number between two limits.
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
        """Remaining time (s) until the next request should be sent to the endpoint; 0 if no wait is needed."""
        return max(0.0, self._again - self._clock()) if self._failures else 0.0

    def failed(self) -> None:
        """Records a failure, which lengthens the pause before the next request."""
        # The exponent is limited, because 2.0 to the power of a thousand failures overflows.
        rest = min(LONGEST_REST, FIRST_REST * 2.0 ** min(self._failures, 16))
        self._failures += 1
        self._again = self._clock() + rest * self._chance(0.5, 1.5)

    def succeeded(self) -> None:
        """Records that the endpoint answered, which resets the failure count."""
        self._failures = 0
