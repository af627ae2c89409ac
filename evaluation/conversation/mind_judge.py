"""Comparison of an exchange with its expected result."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from evaluation.conversation.mind_exchange import Exchange
from evaluation.conversation.mind_log import MindLog
from evaluation.conversation.mind_script import GUARDED
from reachy_agent_ros.agent.conversation.prompt_context import unbriefed
from reachy_agent_ros.core import names


@dataclass(frozen=True)
class Seen:
    """Observations of one exchange.

    Attributes:
        log: Log of everything that the agent published.
        requests: Requests to the model, in order.
        unsaid: Number of scripted responses of the model that were never requested.
        differently: Differences between the log and what late subscribers received during a question and at the end.
        granted: Permissions that were granted before the exchange.
    """

    log: MindLog
    requests: Sequence[dict[str, Any]]
    unsaid: int
    differently: Sequence[str]
    granted: str

    def in_order(self, exchange: Exchange) -> bool:
        """Returns whether the agent states are as expected. Short states of a restarted process may be missing."""
        seen = self.log.history[names.AGENT_STATE]
        if not exchange.killed:
            return tuple(seen) == exchange.states
        left = iter(seen)
        return all(state in left for state in exchange.states)

    def again(self, exchange: Exchange) -> int:
        """Returns the number of tool calls in excess of the required calls."""
        more = Counter(_made(self.log.tools)) - Counter(_made(exchange.tools))
        return sum(more.values())

    def unasked(self, exchange: Exchange) -> int:
        """Returns the number of tool calls without the required approval. Each approval covers one call."""
        made = Counter(_made(self.log.tools))
        asked = Counter(filter(None, self.log.history[names.APPROVALS]))
        given = {tool: min(asked[tool], 1) if exchange.yes else 0 for tool in GUARDED}
        return sum(max(0, made[tool] - given[tool]) for tool in GUARDED if tool not in self.granted.split(", "))


def faults(exchange: Exchange, seen: Seen) -> Iterator[str]:
    """Yields one sentence for each difference between the observations and the expected result."""
    log = seen.log
    if not seen.in_order(exchange):
        yield from _differs("the states", tuple(log.history[names.AGENT_STATE]), exchange.states)
    yield from _differs("the plans", tuple(log.history[names.PLAN]), exchange.plans)
    yield from _differs("the tools", tuple(log.tools), exchange.tools)
    yield from _differs("the grants", log.now.get(names.GRANTS), exchange.granted)
    yield from _differs("what waits for a person", log.now.get(names.APPROVALS), "")
    yield from _differs("the persona", log.persona, exchange.persona)
    yield from _differs("the errors", log.errors, [exchange.error] if exchange.error else [])
    yield from _differs("the unsaid answers of the model", seen.unsaid, 0)
    yield from _differs("the warnings in the diagnostics", sorted(log.warnings), [])
    yield from seen.differently
    if not any(exchange.reply in reply for reply in log.replies):
        yield f"the replies are {log.replies}, without {exchange.reply!r}"
    yield from _told(exchange, seen.requests)


def _told(exchange: Exchange, requests: Sequence[dict[str, Any]]) -> Iterator[str]:
    if not requests:
        if exchange.model:
            yield "the model was not asked"
        return
    said = str([message["content"] for message in requests[0]["messages"] if message["role"] == "user"][-1])
    context = said.removeprefix(unbriefed(said))
    if exchange.known not in context:
        yield f"the model read {context!r}, without {exchange.known!r}"
    last = [unbriefed(str(message["content"])) for message in requests[-1]["messages"]]
    if not any(exchange.told in message for message in last):
        yield f"the model did not read {exchange.told!r}"
    if exchange.untold and any(exchange.untold in message for message in last):
        yield f"the model read {exchange.untold!r}"


def _differs(what: str, found: object, expected: object) -> Iterator[str]:
    if found != expected:
        yield f"{what}: {found}, not {expected}"


def _made(tools: Sequence[str]) -> list[str]:
    """Returns the successful tool calls. A failed or rejected call, which ends in "!", may be repeated."""
    return [tool for tool in tools if not tool.endswith("!")]
