"""The way to the model: probed when first needed, and again as long as nobody answers."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.mind.model import sdk
from reachy_agent_ros.mind.model.endpoint import Endpoint

if TYPE_CHECKING:
    from reachy_agent_ros.mind.model.client import EndpointClient
    from reachy_agent_ros.mind.model.endpoint_model import EndpointModel


class ModelAccess:
    """Gives out the endpoint's model. Use it from one event loop.

    Args:
        endpoint: Where the model is.
    """

    def __init__(self, endpoint: Endpoint) -> None:
        self.endpoint = endpoint
        self._client: EndpointClient | None = None
        self._lock = asyncio.Lock()
        self._model: EndpointModel | None = None
        self._problem = "not asked yet" if endpoint.configured else "none configured"

    @property
    def configured(self) -> bool:
        """Whether there is an endpoint at all."""
        return self.endpoint.configured

    @property
    def status(self) -> str:
        """For people: the protocol in use, or why there is none."""
        return self._problem if self._model is None else self._model.protocol.value

    @property
    def available(self) -> bool:
        """Whether the model has answered."""
        return self._model is not None

    async def model(self) -> EndpointModel:
        """The model, after a probe the first time.

        Raises:
            AgentError: `MODEL_UNAVAILABLE` or `MODEL_FAILED`, saying why.
        """
        if not self.configured:
            raise AgentError(ErrorCode.MODEL_UNAVAILABLE, "No language model is configured.")
        async with self._lock:
            if self._model is None:
                self._model = await self._probed()
            return self._model

    async def close(self) -> None:
        """Closes the connections."""
        if self._client is not None:
            await self._client.close()

    async def _probed(self) -> EndpointModel:
        await sdk.load()
        from reachy_agent_ros.mind.model.client import EndpointClient
        from reachy_agent_ros.mind.model.endpoint_model import EndpointModel
        from reachy_agent_ros.mind.model.probe import probe

        if self._client is None:
            self._client = EndpointClient(self.endpoint)
        try:
            protocol = await probe(self.endpoint, self._client)
        except AgentError as error:
            self._problem = error.message
            raise
        return EndpointModel(self.endpoint.model, self._client, protocol)
