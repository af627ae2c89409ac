"""Tools for the phrases that the robot has learned from people: `list_learned` and `forget_learned`."""

from __future__ import annotations

import asyncio
from typing import Any

from reachy_agent_ros.agent.toolbox.toolbox import OwnTool
from reachy_agent_ros.core.arguments import NoArguments
from reachy_agent_ros.nlu.facts.fact_language import fact_languages
from reachy_agent_ros.nlu.facts.fact_words import FactReplies
from reachy_agent_ros.nlu.learned import LearnedPhrases
from reachy_agent_ros.tools.protocol.tools import ToolCall

_MOST_LISTED = 6
"""Maximum number of phrases in a reply."""


def learned_tools(learned: LearnedPhrases) -> list[OwnTool[Any]]:
    """Returns the tools `list_learned` and `forget_learned`.

    Args:
        learned: Phrases that people have taught the robot.
    """

    async def list_learned(_arguments: NoArguments, call: ToolCall) -> dict[str, Any]:
        phrases = [one.phrase for one in await asyncio.to_thread(learned.all)]
        return {"phrases": phrases, "sentence": _listed(phrases, _replies(call))}

    async def forget_learned(_arguments: NoArguments, call: ToolCall) -> dict[str, Any]:
        count = await asyncio.to_thread(learned.forget_all)
        words = _replies(call)
        return {"forgotten": count, "sentence": words.learned_forgotten if count else words.nothing_learned}

    return [
        OwnTool(
            "list_learned",
            "Lists the phrases whose meaning the robot has learned from people.",
            NoArguments,
            list_learned,
            specialist="memory",
        ),
        OwnTool(
            "forget_learned",
            "Permanently forgets all phrases whose meaning the robot has learned, if the person asks for it.",
            NoArguments,
            forget_learned,
            specialist="memory",
        ),
    ]


def _replies(call: ToolCall) -> FactReplies:
    return fact_languages()[call.language or "en"].words.replies


def _listed(phrases: list[str], words: FactReplies) -> str:
    if not phrases:
        return words.nothing_learned
    shown = [f'"{phrase}"' for phrase in phrases[:_MOST_LISTED]]
    more = [words.more.format(count=len(phrases) - _MOST_LISTED)] if len(phrases) > _MOST_LISTED else []
    return words.learned.format(phrases=", ".join([*shown, *more]))
