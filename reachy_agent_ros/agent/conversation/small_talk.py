"""Answers small talk without a language model, with a fixed phrase, a list of abilities or the result of a tool."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from reachy_agent_ros.agent import action_reports, phrases
from reachy_agent_ros.agent import small_talk_replies as replies
from reachy_agent_ros.agent.conversation.turn import Turn
from reachy_agent_ros.agent.conversation.turn_tools import REFLEX, TurnTools
from reachy_agent_ros.nlu.decision import Action
from reachy_agent_ros.nlu.personal_facts import fact_key, name_in, said_to_person
from reachy_agent_ros.nlu.small_talk import SmallTalk, Topic
from reachy_agent_ros.nlu.vocabulary import vocabulary_of
from reachy_agent_ros.tools.protocol.tools import ToolDescription

_COMMON = frozenset(("my", "our", "the", "a", "is", "are", "called", "of", "i"))
_MOST_FACTS = 3
_RECALL = Action("recall", {})


class SmallTalkAnswers:
    """Answers small talk without a language model.

    Args:
        robot_name: Name of the robot in its replies.
        choose: Chooses one of several replies.
    """

    def __init__(self, robot_name: str, choose: Callable[[Sequence[str]], str] = random.choice) -> None:
        self._robot_name = robot_name
        self._choose = choose
        self._choice = replies.ReplyChoice(choose)

    async def answer(self, turn: Turn, tools: TurnTools, talk: SmallTalk) -> bool:
        """Adds the reply to small talk to a turn.

        Args:
            turn: Turn that receives the reply.
            tools: Tools of the turn.
            talk: What the person says.

        Returns:
            Whether a reply was added. Commands such as "again" get no reply, nor does a question about the time if the
            clock fails.
        """
        reply, source = await self._reply(tools, talk)
        if not reply:
            return False
        turn.result.agent = REFLEX
        turn.reply(replies.greeted(reply, talk.greets), *source)
        return True

    async def recall(self, turn: Turn, tools: TurnTools, talk: SmallTalk) -> bool:
        """Replies with a fact from the memory. Returns whether the memory contains a suitable fact."""
        facts = await _facts(tools, talk.fact)
        if facts:
            turn.reply(_told(facts), *tools.source_of_others([_RECALL]))
        return bool(facts)

    async def _reply(self, tools: TurnTools, talk: SmallTalk) -> tuple[str, tuple[str, str]]:
        """Returns the reply. If the reply contains external text, also returns its tool and its provenance labels."""
        own = ("", "")
        if talk.topic in (Topic.TIME, Topic.DATE):
            told = await _result(tools, Action("current_time", {}))
            worded = replies.time_of if talk.topic is Topic.TIME else replies.date_of
            return worded(told["sentence"]) if told else "", own
        if talk.topic is Topic.REMEMBER:
            fact = {"key": fact_key(talk.fact), "text": talk.fact}
            stored = await _result(tools, Action("remember", fact))
            if stored is None:
                return replies.NO_MEMORY, own
            name = name_in(talk.fact)
            return replies.met(name) if name else replies.remembered(said_to_person(talk.fact)), own
        if talk.topic is Topic.FORGET:
            return await _forgotten(tools, talk.fact) if talk.fact else replies.FORGETS_ONE, own
        if talk.topic is Topic.RECALL:
            return await _recalled(tools, talk.fact)
        if talk.topic is Topic.ABILITIES:
            names = [tool.name for tool in tools.catalogue()]
            return phrases.abilities(names, self._choose(phrases.EXAMPLES)), own
        listing = list_reply(talk.topic, tools.catalogue())
        reply = self._choice.reply(talk.topic) if talk.topic in replies.REPLIES else ""
        return listing or reply.replace("{name}", self._robot_name), own


def list_reply(topic: Topic, catalogue: Sequence[ToolDescription]) -> str:
    """Returns a reply that lists the robot's dances or feelings; empty for other topics."""
    vocabulary = vocabulary_of({tool.name: tool.schema for tool in catalogue})
    if topic is Topic.DANCES:
        return replies.list_of("dances", vocabulary.dances, 'Say "dance", or the name of one.')
    if topic is Topic.FEELINGS:
        return replies.list_of("feelings", vocabulary.emotions, 'Say "show me", and one of them.')
    return ""


def trick(catalogue: Sequence[ToolDescription]) -> Action | None:
    """Chooses a random dance or emotion to perform; None if no dance or emotion is available."""
    vocabulary = vocabulary_of({tool.name: tool.schema for tool in catalogue})
    tricks = [Action("dance", {"dance": name}) for name in vocabulary.dances]
    tricks += [Action("express_emotion", {"emotion": name}) for name in vocabulary.emotions]
    return random.choice(tricks) if tricks else None


async def _forgotten(tools: TurnTools, fact: str) -> str:
    key = fact_key(fact)
    found = await _result(tools, Action("recall", {"query": fact, "kinds": ["fact"], "limit": _MOST_FACTS}))
    if found is None:
        return replies.NO_MEMORY
    if all(_key_and_text(one)[0].casefold() != key.casefold() for one in found["results"]):
        return replies.NOTHING_TO_FORGET  # without asking for approval
    action = Action("forget", {"what": key})
    error = (await tools.act(1, action)).error
    return replies.forgotten(said_to_person(fact)) if error is None else action_reports.failed(action, error)


async def _recalled(tools: TurnTools, about: str) -> tuple[str, tuple[str, str]]:
    """Returns a reply with facts from the memory and their source, or a reply without a source that none are known."""
    facts = await _facts(tools, about)
    if not facts:
        return replies.NO_MEMORY if facts is None else replies.NOT_KNOWN, ("", "")
    return _told(facts), tools.source_of_others([_RECALL])


async def _facts(tools: TurnTools, about: str) -> Sequence[str] | None:
    """Returns facts from the memory in the person's words; None if the memory fails.

    Args:
        tools: Tools of the turn.
        about: Subject; empty for the person.
    """
    query = about or "facts about the person"
    found = await _result(tools, replace(_RECALL, arguments={"query": query, "kinds": ["fact"], "limit": _MOST_FACTS}))
    if found is None:
        return None
    results = found["results"]
    known = [one for one in results if _answers(one, about)][:1] if about else results
    return [_key_and_text(one)[1].rstrip(".") for one in known]


def _told(facts: Sequence[str]) -> str:
    name = name_in(facts[0])
    return replies.named(name) if name and len(facts) == 1 else f"You told me: {'; '.join(map(said_to_person, facts))}."


def _key_and_text(result: Mapping[str, Any]) -> tuple[str, str]:
    key, _, text = str(result["text"]).partition(": ")
    return key, text


def _answers(result: Mapping[str, Any], about: str) -> bool:
    """Returns whether a fact answers a question: "I like tea" does not answer a question about a dog."""
    asked, told = (re.findall(r"\w+", text.lower()) for text in (about, str(result["text"])))
    subject = next((word for word in asked if word not in _COMMON), "")
    return bool(result["score"] >= replies.LEAST_SCORE and subject in told)


async def _result(tools: TurnTools, action: Action) -> dict[str, Any] | None:
    """Calls a tool and returns its result; None if the call failed."""
    outcome = await tools.act(0, action)
    if outcome.error is not None:
        return None
    result: dict[str, Any] = json.loads(outcome.result_json)
    return result
