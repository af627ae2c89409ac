"""Selects a quick or a deep model by the difficulty of the request, and falls back to other endpoints."""

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
"""Minimum difficulty of requests that use the deep model."""

_SIGNS = (
    (0.5, re.compile(r"\b(?:why|explain|compare|prove|derive|summari[sz]e|analy[sz]e|plan|design|debug)\b")),
    (0.5, re.compile(r"\b(?:code|program|function|script|algorithm|equation|regex)\b|```|\bdef \w+\(")),
    (0.3, re.compile(r"\bstep by step\b|\bin detail\b|\bthink (?:hard|carefully)\b|\bpros and cons\b")),
    (0.25, re.compile(r"\b(?:if|unless|until|while|whenever|otherwise|except|depending)\b")),
    (0.25, re.compile(r"(?<!\d)\d++(?:\.\d+)?\s*(?:[-+*/^%]|plus|minus|times|divided by|percent of)\s*\d+")),
)
_ANOTHER_STEP = re.compile(r"\b(?:then|after that|afterwards|finally|next)\b|;")
_STEP = 0.2
_WORDS_OF_A_HARD_REQUEST = 80


class ModelAccess:
    """Selects the model for each task. Not thread-safe: use from one event loop.

    If all endpoints of a request's tier fail, those of the other tier are used: any answer is better than none.

    Args:
        quick: One endpoint, or a tier of several, for most requests.
        deep: Endpoints for difficult requests; None to use the quick ones.
        self_tests: Stored results of self-tests; None to test again after every start.
    """

    def __init__(
        self, quick: Endpoint | EndpointTier, deep: EndpointTier | None = None, self_tests: SelfTests | None = None
    ) -> None:
        self._quick = EndpointTier((quick,)) if isinstance(quick, Endpoint) else quick
        self._deep = deep or EndpointTier()
        tests = self_tests or SelfTests()
        both = (*self._quick.endpoints, *self._deep.endpoints)
        self._links = {endpoint: EndpointLink(endpoint, tests) for endpoint in both if endpoint.configured}
        self._is_checked = False

    @property
    def endpoint(self) -> Endpoint:
        """Preferred endpoint, or an empty `Endpoint` if none is configured."""
        return next(iter(self._links), Endpoint())

    @property
    def configured(self) -> bool:
        """Whether at least one endpoint is configured."""
        return bool(self._links)

    @property
    def links(self) -> tuple[EndpointLink, ...]:
        """Links to all endpoints, the quick ones first."""
        return tuple(self._links.values())

    @property
    def status(self) -> str:
        """One clause per endpoint: the tool protocol in use, or the reason why the endpoint cannot be used."""
        if len(self._links) == 1:
            return self.links[0].status
        return "; ".join(f"{link.endpoint.model or link.endpoint.shown}: {link.status}" for link in self.links) or (
            "none configured"
        )

    @property
    def asked(self) -> bool:
        """Whether the model of any endpoint has been requested, or the last check of an endpoint failed."""
        return any(link.asked for link in self.links)

    @property
    def available(self) -> bool:
        """Whether any endpoint answered its last request."""
        return any(link.available for link in self.links)

    @property
    def checked(self) -> bool:
        """Whether `check` has finished at least once. Also true if no endpoint is configured."""
        return self._is_checked or not self.configured

    @property
    def problem(self) -> str:
        """Reasons why no endpoint answers, as sentences. Empty if an endpoint answers or no endpoint is configured."""
        reasons = [link.silence for link in self.links]
        return " ".join(reasons) if all(reasons) else ""

    async def check(self) -> None:
        """Checks the endpoints in order until one answers. Afterwards, `problem` describes the result."""
        try:
            for link in self.links:
                if await link.check():
                    break
        finally:
            self._is_checked = True

    async def model(self, text: str = "", tokens: int | None = None) -> TaskModel:
        """Returns the model for a task, after contacting endpoints until one answers.

        Args:
            text: Words of the person, which determine whether the quick or the deep model is used.
            tokens: Maximum number of input and output tokens of all calls. The limit of the tier applies if it is lower
                or `tokens` is None.

        Raises:
            AgentError: `MODEL_UNAVAILABLE` or `MODEL_FAILED`: no endpoint can be used. The message gives the reason.
        """
        if not self.configured:
            raise AgentError(ErrorCode.MODEL_UNAVAILABLE, "No language model is configured.")
        await sdk.load()
        from reachy_agent_ros.agent.model.task_model import TaskModel

        first, second = self._quick, self._deep
        if second.endpoints and (not first.endpoints or difficulty(text) >= HARD):
            first, second = second, first
        budget = first.budget if tokens is None else replace(first.budget, tokens=min(tokens, first.budget.tokens))
        tiers = {"quick": self._in_order(self._quick, self._deep), "deep": self._in_order(self._deep, self._quick)}
        return await TaskModel.ready(self._in_order(first, second), budget, tiers)

    def _in_order(self, first: EndpointTier, second: EndpointTier) -> list[EndpointLink]:
        order = dict.fromkeys((*first.endpoints, *second.endpoints))
        return [self._links[endpoint] for endpoint in order if endpoint in self._links]

    async def close(self) -> None:
        """Closes the connections to all endpoints."""
        for link in self.links:
            await link.close()


def difficulty(text: str) -> float:
    """Estimates the difficulty of a request.

    The signs add up: 0.5 each for words that ask for reasons and for code, 0.3 for a request for detail, 0.25 each for
    a condition and a calculation, 0.2 for every further step ("then"), and 1 for every 80 words of length. The words
    are English. In other languages mostly the length counts, so the quick model is usual: the cheaper mistake.

    Args:
        text: Words of the person.

    Returns:
        Difficulty, 0 (a greeting) to 1. Requests with a difficulty of at least `HARD` use the deep model.
    """
    lowered = text.lower()
    signs = sum(weight for weight, sign in _SIGNS if sign.search(lowered))
    steps = _STEP * len(_ANOTHER_STEP.findall(lowered))
    length = len(lowered.split()) / _WORDS_OF_A_HARD_REQUEST
    return min(1.0, signs + steps + length)
