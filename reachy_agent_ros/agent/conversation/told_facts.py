"""Remembers what people tell about themselves, others and things, and answers questions about it, without a model."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from reachy_agent_ros.agent.conversation.turn import Turn
from reachy_agent_ros.agent.conversation.turn_tools import REFLEX, TurnTools
from reachy_agent_ros.agent.small_talk_replies import LEAST_SCORE
from reachy_agent_ros.nlu.decision import Action
from reachy_agent_ros.nlu.facts.fact_language import fact_languages
from reachy_agent_ros.nlu.facts.fact_reader import Reading, read_question, read_statements
from reachy_agent_ros.nlu.facts.statement import ABOUT, SPEAKER, Question, Statement
from reachy_agent_ros.nlu.personal_facts import name_in, said_to_person

_ENGLISH = "en"

_MOST_LISTED = 6
"""Maximum number of facts in a reply. A longer list would be tiring to listen to."""

_MOST_CONVERSATIONS = 100
"""Maximum number of conversations whose last sentence is kept."""

_OF_THINGS = frozenset(("location", "color"))
"""Relations of things that the robot may see, so that another part answers if nobody has told the answer."""

_OF_NAMES = frozenset((ABOUT, "kind"))
"""Relations that a question about somebody famous asks for, "who is Ada Lovelace?", so that a model answers it."""


class ToldFacts:
    """Remembers statements and answers questions about them. Not thread-safe: use from one event loop."""

    def __init__(self) -> None:
        self._before: dict[str, Reading] = {}

    async def respond(self, turn: Turn, tools: TurnTools, known_only: bool = False) -> bool:
        """Stores the statements of a turn, or answers its question; see `answer`. Returns whether there is a reply."""
        if await self.answer(turn, tools, known_only):
            return True
        session_id = turn.request.session_id
        reading = read_statements(turn.request.text, self._before.pop(session_id, None))
        self._before[session_id] = reading
        if len(self._before) > _MOST_CONVERSATIONS:
            del self._before[next(iter(self._before))]
        if not reading.statements:
            return False
        turn.result.agent = REFLEX
        turn.reply(await _remembered(tools, reading.statements))
        return True

    async def answer(self, turn: Turn, tools: TurnTools, known_only: bool = False) -> bool:
        """Answers the question of a turn from the memory. Returns whether there is a reply.

        Args:
            turn: Turn that receives the reply.
            tools: Tools of the turn.
            known_only: Whether there is no reply if the answer is not known.
        """
        question = read_question(turn.request.text, self._before.get(turn.request.session_id))
        if question is None:
            return False
        facts = await _stated(tools, question)
        if facts is None and not known_only:
            turn.reply(fact_languages()[question.language].words.replies.no_memory)
            return True
        if not facts and (known_only or _may_be_general(question)):
            return False
        turn.result.agent = REFLEX
        recall = Action("recall", {})
        turn.reply(_answer(facts or (), question.language), *(tools.source_of_others([recall]) if facts else ("", "")))
        return True


async def _remembered(tools: TurnTools, statements: Sequence[Statement]) -> str:
    """Stores statements. Returns the confirmation, or that the memory fails."""
    last = statements[-1]
    words = fact_languages()[last.language].words.replies
    for index, statement in enumerate(statements):
        action = Action("remember", {"key": statement.key, "text": statement.text})
        if (await tools.act(index, action)).error is not None:
            return words.no_memory
    if len(statements) == 1 and last.relation == "name" and last.entity.name == SPEAKER and not last.negated:
        return words.met.format(name=last.value)
    return words.remembered.format(facts=_listed([one.text for one in statements], last.language))


async def _stated(tools: TurnTools, question: Question) -> Sequence[Mapping[str, Any]] | None:
    """Returns the results of a search that state the answer to a question; None if the memory fails."""
    outcome = await tools.act(0, Action("recall", {"query": question.text, "kinds": ["fact"], "limit": 10}))
    if outcome.error is not None:
        return None
    result = json.loads(outcome.result_json)
    facts: Sequence[Mapping[str, Any]] = result["results"][: result.get("stated", 0)]
    return facts or [fact for fact in result["results"] if _may_answer(fact, question)]


def _may_be_general(question: Question) -> bool:
    """Returns whether a question may have an answer that nobody told the robot."""
    is_name = bool(question.mention) and question.mention.casefold() == question.subject
    return question.relation in _OF_THINGS or (is_name and question.relation in _OF_NAMES)


def _may_answer(fact: Mapping[str, Any], question: Question) -> bool:
    """Returns whether words that the rules do not understand are about what a question asks for."""
    text = str(fact["text"]).partition(": ")[2]
    noun = question.mention.casefold().split()[-1:]
    is_about = bool(noun) and noun[0] in re.findall(r"\w+", text.casefold())
    return is_about and fact["score"] >= LEAST_SCORE and not read_statements(text).statements


def _answer(facts: Sequence[Mapping[str, Any]], language: str) -> str:
    """Words the answer to a question. Says which facts the person did not tell."""
    words = fact_languages()[language].words.replies
    if not facts:
        return words.unknown
    texts = [(str(fact["text"]).partition(": ")[2], bool(fact["origin"])) for fact in facts]
    told, read = ([text for text, is_labeled in texts if is_labeled is labeled] for labeled in (False, True))
    if len(texts) == 1 and told and name_in(told[0]):
        return words.named.format(name=name_in(told[0]))
    parts = [words.told.format(facts=_listed(told, language))] if told else []
    parts += [words.elsewhere.format(facts=_listed(read, language))] if read else []
    return " ".join(parts)


def _listed(texts: Sequence[str], language: str) -> str:
    """Joins facts in the person's words. English ones are worded from the robot's point of view, others are quoted."""
    words = fact_languages()[language].words.replies
    said = [text.rstrip(".!") for text in texts[:_MOST_LISTED]]
    shown = [said_to_person(text) if language == _ENGLISH else words.quote.format(fact=text) for text in said]
    more = [words.more.format(count=len(texts) - _MOST_LISTED)] if len(texts) > _MOST_LISTED else []
    return "; ".join([*shown, *more])
