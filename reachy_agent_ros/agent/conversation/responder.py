"""Responds to a sentence with a recognized command, small talk or a model's reply."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

from reachy_agent_ros.agent import action_reports, phrases, small_talk_replies
from reachy_agent_ros.agent.conversation.dialogue import Dialogue
from reachy_agent_ros.agent.conversation.recognized_actions import carry_out
from reachy_agent_ros.agent.conversation.repetition import Repetition
from reachy_agent_ros.agent.conversation.small_talk import SmallTalkAnswers, trick
from reachy_agent_ros.agent.conversation.told_facts import ToldFacts
from reachy_agent_ros.agent.conversation.turn import Turn
from reachy_agent_ros.agent.conversation.turn_tools import REFLEX, TurnTools
from reachy_agent_ros.agent.jobs.job import JobState
from reachy_agent_ros.agent.permissions.tool_executor import ToolExecutor
from reachy_agent_ros.agent.traces.trace import SpanKind
from reachy_agent_ros.nlu.apprenticeship import Apprenticeship
from reachy_agent_ros.nlu.clarification import choose
from reachy_agent_ros.nlu.decision import DEFER, PAUSE, Action, Decision, DecisionKind
from reachy_agent_ros.nlu.intent_recognizer import IntentRecognizer
from reachy_agent_ros.nlu.perception import thing_asked_for
from reachy_agent_ros.nlu.personal_facts import thing_to_locate
from reachy_agent_ros.nlu.small_talk import COURTESIES, PLAIN, SmallTalk, Topic, asks_for_reason

_FOUND_BY_SIGHT = frozenset(("analyze_scene", "find_object"))
"""Tools that answer a question about a thing only if no person has told the answer."""

_RESUME = Action("resume", {})

_LIST_JOBS = Action("list_jobs", {})

_STATE_TOOLS = frozenset(("get_robot_state",))
"""Tools that answer "what are you doing?" if there are no background jobs."""

_SMALL_TALK_TOOLS = frozenset(("current_time", "remember", "recall"))

_ABOUT_FACTS = frozenset(("remember", "recall"))
"""Tools for sentences that may tell a fact or ask for one."""

_WARM_UP_PATIENCE = 60.0
"""Time that a sentence waits for the recognizer, s. Its warm-up takes 2 to 10 s after the start, and several times as
long on a small or busy computer."""


class Responder:
    """Responds with recognized commands or a model's reply. Not thread-safe: use from one event loop.

    Args:
        reflexes: Intent recognizer.
        dialogue: Language model dialogue.
        executor: Executes tools, subject to permissions.
        robot_name: Name of the robot in its own replies.
        has_own_style: Whether the persona has a style of its own, so that a model answers greetings too.
        repetition: Conversations in which the robot repeats the next sentence.

    Attributes:
        halted: Whether the robot was stopped or paused and has not acted since, so that "go on" continues its motion.
            Writable.
    """

    def __init__(
        self,
        reflexes: IntentRecognizer,
        dialogue: Dialogue,
        executor: ToolExecutor,
        robot_name: str,
        has_own_style: Callable[[], bool] = lambda: False,
        repetition: Repetition | None = None,
    ) -> None:
        self._repetition = repetition or Repetition()
        self._reflexes = reflexes
        self._dialogue = dialogue
        self._executor = executor
        self._apprenticeship = Apprenticeship(reflexes)
        self._asked: dict[str, tuple[str, Decision]] = {}
        self._has_own_style = has_own_style
        self._small_talk = SmallTalkAnswers(robot_name)
        self._told_facts = ToldFacts()
        self._latest: dict[str, Decision] = {}
        self._completed: dict[str, tuple[str, Sequence[Action]]] = {}
        self._announced = ""
        self.halted = False

    def reflex(self, text: str) -> Decision:
        """Returns the recognizer's decision for a sentence, independent of the conversation."""
        return self._reflexes.decide(text, self._executor.catalogue())

    def decide(self, turn: Turn) -> Decision:
        """Returns the recognizer's decision for a turn, which may answer the robot's last clarifying question."""
        with turn.trace.span(SpanKind.REFLEX, REFLEX) as span:
            asked_text, asked = self._asked.pop(turn.request.session_id, ("", None))
            chosen = None if asked is None else choose(turn.request.text, asked)
            decision = chosen or self._repeated(turn) or self._recognized(turn)
            if decision.actions[:1] == (_RESUME,) and not self.halted:  # "go on" may be meant for the conversation
                decision = DEFER
            latest = self._latest.get(turn.request.session_id)
            if decision.kind is DecisionKind.DEFER and latest is not None:
                decision = self._reflexes.continued(latest.actions, turn.request.text)
            span.summary = decision.kind.value
        if chosen is not None:
            self._apprenticeship.learn(asked_text, chosen.actions)
        return decision

    def _repeated(self, turn: Turn) -> Decision | None:
        """Returns the decision to say the sentence, if a person has asked for that and does not say stop."""
        if not self._repetition.due(turn.request.session_id) or self._recognized(turn).stops:
            return None
        return Decision(DecisionKind.ACT, (Action("speak", {"text": turn.request.text}),), confidence=1.0)

    async def decide_when_warm(self, turn: Turn) -> Decision:
        """Returns the decision for a turn. For an unknown sentence, first waits until the recognizer has warmed up.

        Without the wait, a command in another language would be answered as small talk in the first seconds after the
        start. If a model is configured, the sentence does not wait, because the model understands it.
        """
        decision, text = self.decide(turn), turn.request.text
        if decision.kind is not DecisionKind.DEFER or self._reflexes.warm.is_set() or self._dialogue.has_model:
            return decision
        talk = self._reflexes.small_talk.read(text)
        if talk is not None and talk.topic is not Topic.TIMER:  # most sentences about timers are commands
            return decision
        await asyncio.to_thread(self._reflexes.warm.wait, _WARM_UP_PATIENCE)
        turn.decision = None
        return self.decide(turn)

    async def respond(self, turn: Turn, tools: TurnTools, decision: Decision) -> None:
        """Executes the recognized actions, or answers the sentence if no command was recognized.

        Args:
            turn: Turn that receives the reply.
            tools: Tools of the turn.
            decision: Decision from `decide`. Its stop, if any, has been carried out already.

        Raises:
            AgentError: `STORAGE_FAILED`: the turn could not be stored.
        """
        if decision.kind is not DecisionKind.ACT:
            await turn.request.deeds.end()
        if await self._tells_jobs(turn, tools, decision) or await self._tells_fact(turn, tools, decision):
            await self._dialogue.remember(turn)
            return
        is_for_model = decision.is_guess and self._dialogue.has_model
        if decision.kind is DecisionKind.DEFER or is_for_model or self._is_small_talk(turn.request.text, decision):
            await self._converse(turn, tools)
            return
        turn.result.agent = REFLEX
        if await self._remembers_answer(turn, tools, decision):
            await self._dialogue.remember(turn)
            return
        if decision.kind is DecisionKind.ASK:
            self._asked[turn.request.session_id] = (turn.request.text, decision)
            turn.reply(decision.question)
            await self._dialogue.remember(turn)
            return
        await self._act(turn, tools, decision)

    def note_announcement(self, text: str) -> None:
        """Remembers what the robot has just announced, because a person may ask why."""
        self._announced = text

    def tools_asked_for(self, turn: Turn, clause: str) -> list[str]:
        """Returns the tools that the recognizer would call for a part of the turn's sentence."""
        decision = self._recognized(turn) if clause == turn.request.text else self.reflex(clause)
        return [action.tool for action in decision.actions] if decision.kind is DecisionKind.ACT else []

    async def close(self) -> None:
        """Waits until learned phrasings are saved to disk."""
        await self._apprenticeship.close()

    def _recognized(self, turn: Turn) -> Decision:
        if turn.decision is None:
            turn.decision = self.reflex(turn.request.text)
        return turn.decision

    async def _converse(self, turn: Turn, tools: TurnTools) -> None:
        """Answers a sentence that is not a command. Answers small talk with a fixed phrase, the rest with a model."""
        text, session_id = turn.request.text, turn.request.session_id
        talk = self._reflexes.small_talk.read(text)
        if talk is not None and talk.topic is Topic.AGAIN and session_id in self._latest:
            await self._act(turn, tools, self._latest[session_id])
            return
        if talk is not None and self._is_plain(talk) and await self._small_talk.answer(turn, tools, talk):
            await self._dialogue.remember(turn)
            return
        if not self._dialogue.has_model and await self._told_facts.respond(turn, tools):
            await self._dialogue.remember(turn)
            return
        await self._dialogue.answer(turn, text, tools, partial(self._answer_without_model, turn, tools))
        if turn.result.model_calls:  # "again" may now mean something that the model did
            self._latest.pop(session_id, None)
            self._completed.pop(session_id, None)
            self.halted = False
        if turn.result.error is None:
            self._apprenticeship.observed(text, tools.made, self._executor.catalogue())

    def _is_small_talk(self, text: str, decision: Decision) -> bool:
        """Returns whether a sentence gets a small-talk reply instead of the result of the recognized tools."""
        tools = {action.tool for action in decision.actions}
        return bool(tools) and tools <= _SMALL_TALK_TOOLS and self._reflexes.small_talk.read(text) is not None

    async def _tells_fact(self, turn: Turn, tools: TurnTools, decision: Decision) -> bool:
        """Keeps a fact that a sentence tells, or answers a question about one. Returns whether it is about a fact."""
        is_about = decision.kind is DecisionKind.ACT and {action.tool for action in decision.actions} <= _ABOUT_FACTS
        return is_about and await self._told_facts.respond(turn, tools, known_only=self._dialogue.has_model)

    async def _tells_jobs(self, turn: Turn, tools: TurnTools, decision: Decision) -> bool:
        """Answers "what are you doing?" with the background jobs. Returns whether there are any.

        In the other languages, a template recognizes the question, because small talk is English.
        """
        talk = self._reflexes.small_talk.read(turn.request.text)
        is_asked = talk is not None and talk.topic is Topic.ACTIVITY
        if not is_asked or any(action.tool not in _STATE_TOOLS for action in decision.actions):
            return False
        outcome = await tools.act(0, _LIST_JOBS)
        result = json.loads(outcome.result_json)
        if outcome.error is not None or not any(JobState(job["state"]).is_active for job in result["jobs"]):
            return False
        turn.result.agent = REFLEX
        turn.reply(result["sentence"], *tools.source_of_others([_LIST_JOBS]))
        return True

    async def _remembers_answer(self, turn: Turn, tools: TurnTools, decision: Decision) -> bool:
        """Answers a question about a thing, such as "where are my keys?", if a person has told the answer."""
        if len(decision.actions) != 1 or decision.actions[0].tool not in _FOUND_BY_SIGHT:
            return False
        return await self._told_facts.answer(turn, tools, known_only=True) or await self._recalls(turn, tools)

    async def _recalls(self, turn: Turn, tools: TurnTools) -> bool:
        """Answers a question about a fact or the place of a thing from the memory, if a person has told it."""
        talk = self._reflexes.small_talk.read(turn.request.text)
        thing = thing_to_locate(turn.request.text)
        if thing is not None:
            talk = SmallTalk(Topic.RECALL, fact=thing)
        return talk is not None and talk.topic is Topic.RECALL and await self._small_talk.recall(turn, tools, talk)

    def _is_plain(self, talk: SmallTalk) -> bool:
        """Returns whether small talk is answered without a model even if a model is configured."""
        return talk.topic in PLAIN or (talk.topic in COURTESIES and not self._has_own_style())

    async def _answer_without_model(self, turn: Turn, tools: TurnTools) -> bool:
        """Answers a sentence for which no model is available. Returns whether there is an answer."""
        text = turn.request.text
        if self._dialogue.has_model and await self._told_facts.respond(turn, tools):
            return True
        if thing_to_locate(text) is not None and await self._recalls(turn, tools):
            return True
        reply = self._refusal(text) or (self._reason(turn) if asks_for_reason(text) else "")
        if self._recognized(turn).actions[:1] == (_RESUME,):
            reply = phrases.NOTHING_TO_CONTINUE
        if not reply:
            talk = await asyncio.to_thread(self._reflexes.small_talk.read_similar, text)
            if talk is not None:
                return await self._answer_small_talk(turn, tools, talk)
            if self._reflexes.has_known_word(text):
                return False
            reply = small_talk_replies.NOT_UNDERSTOOD
        turn.reply(reply)
        return True

    def _reason(self, turn: Turn) -> str:
        """Returns the answer to "why did you say that?" or "why did you do that?"."""
        if self._announced:
            return action_reports.reason_of_announcement(self._announced)
        return action_reports.reason(*self._last_done(turn))

    def _last_done(self, turn: Turn) -> tuple[str, Sequence[Action]]:
        """Returns the last command of the conversation, and the actions that it caused if they succeeded."""
        return self._completed.get(turn.request.session_id, ("", ()))

    def _refusal(self, text: str) -> str:
        """Returns the reply to a forbidden command or a request for an unknown object; empty for other sentences."""
        if self._reflexes.forbids(text, self._executor.catalogue()):
            return small_talk_replies.REFRAINS
        thing = thing_asked_for(text)
        return phrases.unknown_thing(thing) if thing else ""

    async def _answer_small_talk(self, turn: Turn, tools: TurnTools, talk: SmallTalk) -> bool:
        """Answers small talk. Returns whether there is an answer."""
        match talk.topic:
            case Topic.AGAIN:
                turn.reply(small_talk_replies.NOTHING_TO_REPEAT)
            case Topic.LAST_ACTION:
                turn.reply(action_reports.last_done(self._last_done(turn)[1]))
            case Topic.TRICK:
                shown = trick(self._executor.catalogue())
                if shown is None:
                    return False
                await carry_out(turn, tools, [shown], False)
            case _:
                return await self._small_talk.answer(turn, tools, talk)
        return True

    async def _act(self, turn: Turn, tools: TurnTools, decision: Decision) -> None:
        actions = decision.actions[1:] if decision.stops else decision.actions
        if any(action.tool == "dance" for action in actions):
            self._reflexes.danced()
        if actions:
            self._latest[turn.request.session_id] = replace(decision, actions=actions, remainder="")
        if decision.stops:
            told = phrases.PAUSED if decision.actions[0].tool == PAUSE else phrases.STOPPED
            turn.reply(f"{told} " if actions else told)
        if not decision.steers:
            self.halted = decision.stops and not actions
        done = await carry_out(turn, tools, actions, decision.wants_description) if actions else ""
        if action_reports.changes_something(actions):
            self._announced = ""
            self._completed[turn.request.session_id] = (turn.request.text, () if done is None else actions)
        if decision.remainder and done is not None:
            turn.end_sentence()
            turn.reply(" ")
            message = f"{turn.request.text}\n[Already done by reflex: {done}]"
            await self._dialogue.answer(turn, message, tools)
        else:
            await self._dialogue.remember(turn)
