"""Turns that start with speech."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest

from reachy_agent_ros.agent.conversation.attention import Attention, AttentionRules, OpenedBy
from reachy_agent_ros.agent.conversation.spoken_turns import SpokenTurns, Understood
from reachy_agent_ros.agent.conversation.turn_request import TurnRequest, TurnResult
from reachy_agent_ros.agent.conversation.voice import GRACE
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.tools.protocol.tools import ToolOutcome
from support.agent.world import MindInWorld, until
from support.recognitions import count_recognitions

LEFT = ("move_head", {"yaw_deg": 30.0}, None)
RIGHT = ("move_head", {"yaw_deg": -30.0}, None)


class Room:
    """Robot with simulated speech input. Each utterance takes 1 s and is followed by a pause of 0.5 s."""

    def __init__(self, directory: Path, early: bool = True, always: bool = False) -> None:
        self.mind = MindInWorld(directory)
        self.world = self.mind.world
        self.now = 100.0
        self.ignored: list[str] = []
        self.results: dict[uuid.UUID, TurnResult] = {}
        self.attention = Attention(AttentionRules(("Reachy",), always=always))
        self.turns = SpokenTurns(
            self.mind.conversation,
            self._take_turn,
            lambda _utterance, reason: self.ignored.append(reason),
            self.attention,
            early,
            lambda: self.now,
        )

    def utterance(
        self, text: str, after: Understood | None = None, rejected: bool = False, client: str = ""
    ) -> Understood:
        self.now += 1.5
        began = self.now - 1.0 if after is None else after.began
        replaces = after.utterance_id if after else None
        return Understood(text, uuid.uuid4(), replaces, began, began + 1.0, rejected, client=client)

    def draft(self, heard: Understood, text: str) -> None:
        self.turns.draft(Understood(text, heard.utterance_id, heard.replaces, heard.began, heard.ended))

    async def say(self, text: str) -> TurnResult:
        """Says a sentence without partial transcripts, and waits for the result of the resulting turn."""
        heard = self.utterance(text)
        self.turns.hear(heard)
        return await self.result(heard)

    async def result(self, heard: Understood) -> TurnResult:
        await until(lambda: heard.utterance_id in self.results)
        return self.results[heard.utterance_id]

    async def _take_turn(self, request: TurnRequest) -> TurnResult:
        result = await self.mind.conversation.converse(request, self.mind.events.append, self.mind.spans.append)
        self.results[request.turn_id] = result
        return result


@pytest.fixture
def room(tmp_path: Path) -> Room:
    return Room(tmp_path)


def play(scene: Callable[[], Coroutine[Any, Any, None]]) -> None:
    asyncio.run(asyncio.wait_for(scene(), 20.0))


def test_sentence_with_wake_name_starts_turn_with_utterance_id(room: Room) -> None:
    async def scene() -> None:
        result = await room.say("Reachy, look left.")
        assert result.reply == "I looked to the left."

    play(scene)
    assert room.world.calls == [LEFT]
    assert room.world.spoken == ["I looked to the left."]


def test_agent_reports_why_speech_is_ignored(room: Room) -> None:
    async def scene() -> None:
        room.turns.hear(room.utterance("Look left."))
        room.turns.draft(room.utterance("Look left."))
        room.turns.hear(room.utterance("Reachy."))

    play(scene)
    assert room.world.calls == []
    assert room.ignored == ["not meant for the robot", "its name alone"]
    assert room.attention.opened_by(room.now) is OpenedBy.NAME


@pytest.mark.parametrize(
    ("drafts", "final", "decided"),
    [
        (["Reachy, look left."], "Reachy, look left.", ["Reachy, look left.", "Look left."]),
        (["Look left.", "Look left."], "Look left.", ["Look left."]),
        (["Look", "Look left"], "Look left and nod.", ["Look", "Look left", "Look left and nod."]),
        (["Stop!"], "Stop!", ["Stop!"]),
        ([], "Stop!", ["Stop!"]),
    ],
)
@pytest.mark.parametrize("always", [True, False])
def test_recognizes_intent_of_each_partial_transcript_only_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, always: bool, drafts: list[str], final: str, decided: list[str]
) -> None:
    room, counted = Room(tmp_path, always=always), count_recognitions(monkeypatch)

    async def scene() -> None:
        heard = room.utterance(final)
        for text in drafts:
            room.draft(heard, text)
        room.turns.hear(heard)
        await until(lambda: heard.utterance_id in room.results or room.ignored)

    play(scene)
    assert counted.commands == dict.fromkeys(decided, 1)


def test_recognizes_intent_again_for_same_text_in_next_utterance(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    counted = count_recognitions(monkeypatch)

    async def scene() -> None:
        for _ in range(2):
            await room.say("Stop!")

    play(scene)
    assert counted.commands == {"Stop!": 2}


def test_spoken_stop_works_without_wake_name(room: Room) -> None:
    async def scene() -> None:
        assert (await room.say("Stop!")).reply == "I stopped."

    play(scene)
    assert room.world.holds == 1


def test_speech_is_addressed_to_robot_during_and_after_button_press(room: Room) -> None:
    async def scene() -> None:
        room.attention.press()
        await room.say("Look left.")
        room.attention.release(room.now)
        await room.say("Look right.")

    play(scene)
    assert room.world.calls == [LEFT, RIGHT]


def test_reply_to_robot_works_without_wake_name(room: Room) -> None:
    async def scene() -> None:
        await room.say("Reachy, look left.")
        room.now += 30.0
        room.turns.answered()
        await room.say("Look right.")

    play(scene)
    assert room.world.calls == [LEFT, RIGHT]


def test_reversible_command_starts_at_pause_and_runs_once(room: Room) -> None:
    async def scene() -> None:
        heard = room.utterance("Reachy, look left.")
        room.draft(heard, "Reachy, look left.")
        await until(lambda: room.world.calls == [LEFT])
        room.turns.hear(heard)
        result = await room.result(heard)
        assert (result.reply, result.tools_called) == ("I looked to the left.", ["move_head"])

    play(scene)
    assert room.world.calls == [LEFT]


def test_irreversible_command_waits_for_final_transcript(room: Room) -> None:
    async def scene() -> None:
        heard = room.utterance("Reachy, take a photo.")
        room.draft(heard, heard.text)
        room.draft(room.utterance(""), "Reachy, look left and tell me what you see.")
        room.draft(room.utterance(""), "Reachy, turn left.")

    play(scene)
    assert room.world.calls == []


def test_only_stop_starts_at_pause_if_early_actions_are_disabled(tmp_path: Path) -> None:
    room = Room(tmp_path, early=False)

    async def scene() -> None:
        room.draft(room.utterance(""), "Reachy, look left.")
        room.draft(room.utterance(""), "Stop!")
        await until(lambda: room.world.holds == 1)

    play(scene)
    assert room.world.calls == []


def test_continued_sentence_replaces_early_action(room: Room) -> None:
    room.world.lasting = {"move_head"}

    async def scene() -> None:
        heard = room.utterance("Reachy, look left, no, right.")
        room.draft(heard, "Reachy, look left.")
        await until(lambda: room.world.calls == [LEFT])
        room.world.lasting = set()
        room.turns.hear(heard)
        result = await room.result(heard)
        assert result.reply == "I looked to the right."

    play(scene)
    assert room.world.calls == [LEFT, RIGHT]
    assert room.world.cancelled == ["move_head"]


def test_continued_sentence_adds_remaining_actions(room: Room) -> None:
    async def scene() -> None:
        heard = room.utterance("Reachy, look left and show joy.")
        room.draft(heard, "Reachy, look left.")
        await until(lambda: room.world.calls)
        room.turns.hear(heard)
        assert (await room.result(heard)).reply == "I looked to the left and showed joy."

    play(scene)
    assert room.world.called == ["move_head", "express_emotion"]


def test_final_transcript_without_command_cancels_early_action(room: Room) -> None:
    room.world.lasting = {"move_head"}

    async def scene() -> None:
        heard = room.utterance("Reachy, look left of the harbour there is an old house.")
        room.draft(heard, "Reachy, look left.")
        await until(lambda: room.world.calls)
        room.turns.hear(heard)
        await room.result(heard)

    play(scene)
    assert room.world.cancelled == ["move_head"]


def test_rejected_utterance_cancels_early_action(room: Room) -> None:
    room.world.lasting = {"move_head"}

    async def scene() -> None:
        heard = room.utterance("Reachy, look left.", rejected=True)
        room.draft(heard, heard.text)
        await until(lambda: room.world.calls)
        room.turns.hear(heard)
        await until(lambda: room.world.cancelled)

    play(scene)
    assert room.results == {}


def test_continued_utterance_replaces_running_turn(room: Room) -> None:
    room.world.lasting = {"move_head"}

    async def scene() -> None:
        first = room.utterance("Reachy, look left.")
        room.turns.hear(first)
        await until(lambda: room.world.calls == [LEFT])
        room.world.lasting = set()
        second = room.utterance("Reachy, look left. No, right.", after=first)
        room.turns.hear(second)
        assert (await room.result(second)).reply == "I looked to the right."
        cancelled = (await room.result(first)).error
        assert cancelled is not None
        assert cancelled.code is ErrorCode.CANCELED

    play(scene)
    assert room.world.calls == [LEFT, RIGHT]


def test_continued_utterance_does_not_repeat_completed_action(room: Room) -> None:
    async def scene() -> None:
        first = room.utterance("Reachy, look left.")
        room.turns.hear(first)
        await room.result(first)
        second = room.utterance("Reachy, look left. And show joy.", after=first)
        room.turns.hear(second)
        assert (await room.result(second)).reply == "I looked to the left and showed joy."

    play(scene)
    assert room.world.called == ["move_head", "express_emotion"]


def test_spoken_stop_runs_once_at_first_pause(room: Room) -> None:
    room.world.lasting = {"move_head"}

    async def scene() -> None:
        moving = room.utterance("Reachy, look left.")
        room.turns.hear(moving)
        await until(lambda: room.world.calls)
        stop = room.utterance("Stop!")
        room.draft(stop, "Stop!")
        room.draft(stop, "Stop! Stop!")
        await until(lambda: room.world.cancelled)
        assert room.world.holds == 1

    play(scene)


def test_speech_during_reply_ends_turn_and_opens_attention(room: Room) -> None:
    room.world.lasting = {"move_head"}

    async def scene() -> None:
        moving = room.utterance("Reachy, look left.")
        room.turns.hear(moving)
        await until(lambda: room.world.calls)
        room.now += 60.0
        room.turns.interrupted(stop=False)
        await until(lambda: room.world.cancelled)
        assert room.world.holds == 0
        assert room.attention.opened_by(room.now) is OpenedBy.DIALOGUE
        room.turns.interrupted(stop=True)
        await until(lambda: room.world.holds == 1)

    play(scene)


def test_robot_does_not_speak_while_user_pauses(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    # The clock is stopped, because on a busy machine the report would expire before the end of the turn.
    clock = [0.0]
    monkeypatch.setattr(room.mind.conversation.floor, "_clock", lambda: clock[0])

    async def scene() -> None:
        room.turns.listen(True)
        result = await room.say("Reachy, look left.")
        assert result.reply == "I looked to the left."
        assert room.world.spoken == []
        room.turns.listen(False)
        clock[0] += GRACE
        await until(lambda: room.world.spoken == ["I looked to the left."])

    play(scene)


def test_turn_reports_failed_early_action(room: Room) -> None:
    refused = AgentError(ErrorCode.OUT_OF_ENVELOPE, "Too far.")
    room.world.outcomes["move_head"] = ToolOutcome("{}", refused)

    async def scene() -> None:
        heard = room.utterance("Reachy, look left and show joy.")
        room.draft(heard, heard.text)
        await until(lambda: room.world.calls)
        room.turns.hear(heard)
        result = await room.result(heard)
        assert result.error == refused
        assert result.reply == "I could not turn my head: too far."

    play(scene)
    assert room.world.called == ["move_head"]


def test_no_action_starts_early_during_another_turn(room: Room) -> None:
    room.world.lasting = {"move_head"}

    async def scene() -> None:
        room.turns.hear(room.utterance("Reachy, look left."))
        await until(lambda: room.world.calls)
        room.draft(room.utterance(""), "Reachy, show joy.")
        await asyncio.sleep(0)
        assert room.world.called == ["move_head"]
        room.turns.interrupted(stop=False)

    play(scene)


@pytest.mark.parametrize("how", ["the client", "the gateway"])
def test_disconnected_client_ends_only_its_own_turns(room: Room, how: str) -> None:
    room.world.lasting = {"move_head"}

    async def scene() -> None:
        gone = room.utterance("Reachy, look left.", client="one")
        room.turns.hear(gone)
        await until(lambda: room.world.calls)
        stays = room.utterance("Reachy, show joy.", client="two" if how == "the client" else "")
        room.turns.hear(stays)
        if how == "the client":
            room.turns.leave("one")
        else:
            room.turns.lose_clients()
        ended = await room.result(gone)
        assert ended.error is not None
        assert ended.error.code is ErrorCode.CANCELED
        assert (await room.result(stays)).error is None

    play(scene)


def test_late_speech_of_disconnected_client_can_only_stop_robot(room: Room) -> None:
    async def scene() -> None:
        room.turns.leave("one")
        room.turns.hear(room.utterance("Reachy, look left.", client="one"))
        await until(lambda: room.ignored)
        stop = room.utterance("Reachy, stop.", client="one")
        room.turns.hear(stop)
        assert (await room.result(stop)).reply == "I stopped."

    play(scene)
    assert room.world.called == []
