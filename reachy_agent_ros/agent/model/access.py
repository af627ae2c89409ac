"""The way to a model: quick or deep by how hard the request is, and whichever endpoint answers."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from reachy_agent_ros.agent.model import sdk
from reachy_agent_ros.agent.model.difficulty import HARD, difficulty
from reachy_agent_ros.agent.model.endpoint import Endpoint
from reachy_agent_ros.agent.model.endpoint_link import EndpointLink
from reachy_agent_ros.agent.model.self_tests import SelfTests
from reachy_agent_ros.agent.model.tier import Tier
from reachy_agent_ros.core.errors import AgentError, ErrorCode

if TYPE_CHECKING:
    from reachy_agent_ros.agent.model.task_model import TaskModel


class ModelAccess:
    """Gives out the model for a task. Use it from one event loop.

    When all endpoints of the tier that a request belongs to have failed, those of the other tier are asked: any
    answer is better than none.

    Args:
        quick: For most requests; one endpoint, or several in order.
        deep: For hard ones; without any, all are quick.
        self_tests: Where results of self-tests are kept; without, every start tests again.
    """

    def __init__(self, quick: Endpoint | Tier, deep: Tier | None = None, self_tests: SelfTests | None = None) -> None:
        self._quick = Tier((quick,)) if isinstance(quick, Endpoint) else quick
        self._deep = deep or Tier()
        tests = self_tests or SelfTests()
        both = (*self._quick.endpoints, *self._deep.endpoints)
        self._links = {endpoint: EndpointLink(endpoint, tests) for endpoint in both if endpoint.configured}

    @property
    def endpoint(self) -> Endpoint:
        """The one that is preferred, not configured if there is none."""
        return next(iter(self._links), Endpoint())

    @property
    def configured(self) -> bool:
        """Whether there is an endpoint at all."""
        return bool(self._links)

    @property
    def links(self) -> tuple[EndpointLink, ...]:
        """All endpoints, the quick ones first."""
        return tuple(self._links.values())

    @property
    def status(self) -> str:
        """For people: the protocol in use, or why there is none; of each endpoint where there are several."""
        if len(self._links) == 1:
            return self.links[0].status
        return "; ".join(f"{link.endpoint.model or link.endpoint.shown}: {link.status}" for link in self.links) or (
            "none configured"
        )

    @property
    def asked(self) -> bool:
        """Whether any endpoint was asked yet."""
        return any(link.asked for link in self.links)

    @property
    def available(self) -> bool:
        """Whether any endpoint answered when it was last asked."""
        return any(link.available for link in self.links)

    async def model(self, text: str = "", tokens: int | None = None) -> TaskModel:
        """The model for a task, reached.

        Args:
            text: What the person asks for, to choose between quick and deep.
            tokens: Read and written by all calls together at most; None for what its tier may use.

        Raises:
            AgentError: `MODEL_UNAVAILABLE` or `MODEL_FAILED`, saying why.
        """
        if not self.configured:
            raise AgentError(ErrorCode.MODEL_UNAVAILABLE, "No language model is configured.")
        await sdk.load()
        from reachy_agent_ros.agent.model.task_model import TaskModel

        first, second = self._quick, self._deep
        if second.endpoints and (not first.endpoints or difficulty(text) >= HARD):
            first, second = second, first
        order = dict.fromkeys((*first.endpoints, *second.endpoints))
        links = [self._links[endpoint] for endpoint in order if endpoint in self._links]
        budget = first.budget if tokens is None else replace(first.budget, tokens=min(tokens, first.budget.tokens))
        return await TaskModel.ready(links, budget)

    async def close(self) -> None:
        """Closes the connections."""
        for link in self.links:
            await link.close()
