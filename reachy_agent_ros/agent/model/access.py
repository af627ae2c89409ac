"""Access to a language model: quick or deep by how hard the request is, and whichever endpoint answers."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from reachy_agent_ros.agent.model import sdk
from reachy_agent_ros.agent.model.endpoint import Endpoint, EndpointTier
from reachy_agent_ros.agent.model.endpoint_link import EndpointLink
from reachy_agent_ros.agent.model.self_tests import SelfTests
from reachy_agent_ros.core.errors import AgentError, ErrorCode

if TYPE_CHECKING:
    from reachy_agent_ros.agent.model.task_model import TaskModel


HARD = 0.5
"""Difficulty from which a request goes to the deep model."""

_SIGNS = (
    (0.5, re.compile(r"\b(?:why|explain|compare|prove|derive|summari[sz]e|analy[sz]e|plan|design|debug)\b")),
    (0.5, re.compile(r"\b(?:code|program|function|script|algorithm|equation|regex)\b|```|\bdef \w+\(")),
    (0.3, re.compile(r"\bstep by step\b|\bin detail\b|\bthink (?:hard|carefully)\b|\bpros and cons\b")),
    (0.25, re.compile(r"\b(?:if|unless|until|while|whenever|otherwise|except|depending)\b")),
    (0.25, re.compile(r"\d+(?:\.\d+)?\s*(?:[-+*/^%]|plus|minus|times|divided by|percent of)\s*\d+")),
)
_ANOTHER_STEP = re.compile(r"\b(?:then|after that|afterwards|finally|next)\b|;")
_STEP = 0.2
_WORDS_OF_A_HARD_REQUEST = 80


class ModelAccess:
    """Gives out the model for a task. Use it from one event loop.

    When all endpoints of the tier that a request belongs to have failed, those of the other tier are asked: any
    answer is better than none.

    Args:
        quick: For most requests; one endpoint, or several in order.
        deep: For hard ones; without any, all are quick.
        self_tests: Where results of self-tests are kept; without, every start tests again.
    """

    def __init__(
        self, quick: Endpoint | EndpointTier, deep: EndpointTier | None = None, self_tests: SelfTests | None = None
    ) -> None:
        self._quick = EndpointTier((quick,)) if isinstance(quick, Endpoint) else quick
        self._deep = deep or EndpointTier()
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


def difficulty(text: str) -> float:
    """Estimates how hard a request is.

    Signs add up: a word that asks for reasons or for code is worth 0.5, a wish for detail 0.3, a condition or a sum
    0.25 each, every further step ("then") 0.2, and the length one for 80 words. It reads English; in any other
    language only the length counts, so most requests stay with the quick model, which is the cheaper mistake.

    Args:
        text: What the person said.

    Returns:
        0 (a greeting) to 1; from `HARD` on it is for the deep model.
    """
    lowered = text.lower()
    signs = sum(weight for weight, sign in _SIGNS if sign.search(lowered))
    steps = _STEP * len(_ANOTHER_STEP.findall(lowered))
    length = len(lowered.split()) / _WORDS_OF_A_HARD_REQUEST
    return min(1.0, signs + steps + length)
