"""Tests of replies to sentences: answers to approval requests, and uncertain commands."""

import asyncio
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest

from reachy_agent_ros.agent.conversation.turn_request import TurnResult, TurnSource
from reachy_agent_ros.agent.permissions.audit_check import records
from reachy_agent_ros.agent.permissions.principal import UNKNOWN, Decides, Principal
from reachy_agent_ros.core.errors import ErrorCode
from reachy_agent_ros.nlu.decision import Action, Decision, DecisionKind
from reachy_agent_ros.nlu.intent_recognizer import IntentRecognizer
from support.agent.model_protocol import Protocol
from support.agent.world import MindInWorld, until

RULES = """
extends: standard
rules:
  - {tools: move_head, tier: confirm}
"""
PHONE = Principal("token:phone#1f0c92ab", True)
DESK = Principal("token:desk#77aa01cd", True)


class Asked:
    """Conversation in which a request that was made with an access token waits for approval."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.mind = MindInWorld(folder)

    async def ask(self, principal: Principal) -> asyncio.Task[TurnResult]:
        turn = asyncio.create_task(self.mind.say("look left", source=TurnSource.REMOTE, principal=principal))
        await until(lambda: self.mind.pending)
        return turn

    async def answer(self, text: str, principal: Principal, source: TurnSource = TurnSource.REMOTE) -> TurnResult:
        return await self.mind.say(text, source=source, principal=principal)

    def decided_by(self) -> list[str]:
        written = records(self.folder / "audit.jsonl")
        return [one["decided_by"] for one in written if one["event"] == "answer" and one["outcome"] != "rejected"]


def play(folder: Path, scene: Callable[[Asked], Coroutine[Any, Any, None]]) -> None:
    (folder / "permissions.yaml").write_text(RULES)
    asyncio.run(scene(Asked(folder)))


def test_access_token_cannot_approve_its_own_request_in_chat(tmp_path: Path) -> None:
    async def scene(asked: Asked) -> None:
        turn = await asked.ask(PHONE)
        refused = await asked.answer("yes", PHONE)
        assert refused.error is not None
        assert refused.error.code is ErrorCode.DECISION_NOT_ALLOWED
        assert "tokens allow phone approve-own" in refused.reply
        assert asked.mind.world.called == []
        assert (await asked.answer("yes", DESK)).error is None
        assert (await turn).error is None
        assert asked.mind.world.called == ["move_head"]
        assert asked.decided_by() == ["chat by token:desk#77aa01cd in the conversation 'default'"]

    play(tmp_path, scene)


@pytest.mark.parametrize("word", ["yes", "no"])
def test_access_token_without_permission_cannot_approve_request_of_another_token(tmp_path: Path, word: str) -> None:
    async def scene(asked: Asked) -> None:
        turn = await asked.ask(PHONE)
        refused = await asked.answer(word, Principal(DESK.name, True, Decides.NOTHING))
        assert refused.error is not None
        assert refused.error.code is ErrorCode.DECISION_NOT_ALLOWED
        assert len(asked.mind.pending) == 1
        turn.cancel()
        await turn

    play(tmp_path, scene)


def test_access_token_can_reject_its_own_request(tmp_path: Path) -> None:
    async def scene(asked: Asked) -> None:
        turn = await asked.ask(PHONE)
        assert (await asked.answer("no", PHONE)).error is None
        ended = await turn
        assert ended.error is not None
        assert ended.error.code is ErrorCode.APPROVAL_DENIED

    play(tmp_path, scene)


def test_person_near_robot_may_approve_request_of_access_token(tmp_path: Path) -> None:
    async def scene(asked: Asked) -> None:
        turn = await asked.ask(PHONE)
        assert (await asked.answer("yes", UNKNOWN, TurnSource.SPOKEN)).error is None
        assert (await turn).error is None
        assert asked.decided_by() == ["speech in the conversation 'default'"]

    play(tmp_path, scene)


def test_speech_through_gateway_cannot_approve_request_of_same_access_token(tmp_path: Path) -> None:
    async def scene(asked: Asked) -> None:
        turn = await asked.ask(PHONE)
        refused = await asked.answer("yes", PHONE, TurnSource.SPOKEN)
        assert refused.error is not None
        assert refused.error.code is ErrorCode.DECISION_NOT_ALLOWED
        turn.cancel()
        await turn

    play(tmp_path, scene)


def test_console_without_access_token_may_approve_its_own_request(tmp_path: Path) -> None:
    async def scene(asked: Asked) -> None:
        console = Principal("gateway without a token")
        turn = await asked.ask(console)
        assert (await asked.answer("yes", console)).error is None
        assert (await turn).error is None
        assert asked.decided_by() == ["chat by gateway without a token in the conversation 'default'"]

    play(tmp_path, scene)


GUESS = Decision(
    DecisionKind.ASK,
    alternatives=((Action("move_head", {"yaw_deg": 30.0}),),),
    question="Should I look to the left?",
    confidence=0.6,
)


@pytest.fixture
def uncertain(monkeypatch: pytest.MonkeyPatch) -> None:
    """Makes every sentence an uncertain command."""
    monkeypatch.setattr(IntentRecognizer, "decide", lambda *_: GUESS)


@pytest.mark.usefixtures("uncertain")
def test_uncertain_command_is_left_to_model(tmp_path: Path, protocol: Protocol) -> None:
    with protocol.server(protocol.reply("There is nothing on that side.")) as server:
        mind = MindInWorld(tmp_path, server)
        result = asyncio.run(mind.say("anything over there"))
    assert result.reply.strip() == "There is nothing on that side."
    mind.close()


@pytest.mark.usefixtures("uncertain")
def test_robot_without_model_asks_about_uncertain_command(tmp_path: Path) -> None:
    mind = MindInWorld(tmp_path)
    assert asyncio.run(mind.say("anything over there")).reply == "Should I look to the left?"
    mind.close()
