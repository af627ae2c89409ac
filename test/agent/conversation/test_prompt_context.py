import asyncio
import json
import uuid
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reachy_agent_ros.agent.conversation.prompt_context import (
    PromptContext,
    ToolPreference,
    advisable,
    unbriefed,
)
from reachy_agent_ros.agent.provenance.label import LabeledText
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.tools.protocol.tools import ToolDescription, ToolOrigin
from support.agent.model_protocol import Protocol
from support.agent.world import MindInWorld, catalogue


def photographer(*contexts: Callable[[str, str], LabeledText]) -> PromptContext:
    return PromptContext(lambda: "Take photos.", lambda tool: tool == "take_photo", contexts)


LINES = st.text(st.characters(exclude_characters="<>", exclude_categories=["Cs"]))


@pytest.mark.slow
@given(st.text(), LINES)
def test_prompt_context_can_be_removed_from_message(words: str, known: str) -> None:
    briefing = photographer(lambda _session, _message: LabeledText(known))
    briefed, _ = asyncio.run(briefing.briefed(words, "one"))
    assert briefed.startswith(words)
    assert known in briefed
    if known:
        assert unbriefed(briefed) == words


def test_message_that_resembles_prompt_context_is_unchanged() -> None:
    words = "what is\n\n<context>\n for?"
    assert unbriefed(words) == words
    briefing = photographer(lambda _session, _message: LabeledText("It is late."))
    assert unbriefed(asyncio.run(briefing.briefed(words, "one"))[0]) == words


def test_prompt_omits_unreadable_context() -> None:
    def broken(_session: str, _message: str) -> LabeledText:
        raise AgentError(ErrorCode.STORAGE_FAILED, "The disk is gone.")

    contexts = [broken, lambda session, _message: LabeledText(f"Known of {session}.")]
    assert "Known of one." in asyncio.run(photographer(*contexts).briefed("Hello.", "one"))[0]
    assert asyncio.run(photographer(broken).briefed("Hello.", "one"))[0] == "Hello."


def test_model_receives_only_tools_allowed_by_persona() -> None:
    briefing = photographer()
    assert [tool.name for tool in briefing.offered(catalogue())] == ["take_photo"]
    assert briefing.manner == "Take photos."


QUESTION = "Would you kindly examine the door over there?"


class Fixed:
    """Stub of the tool preference that always suggests the same tool, even if the tool is not available."""

    def __init__(self, tool: str) -> None:
        self.tool = tool
        self.asked: list[list[str]] = []

    def advise(self, turn_id: uuid.UUID, text: str, tools: Sequence[ToolDescription]) -> str:
        self.asked.append([tool.name for tool in tools])
        return self.tool


class Broken:
    def advise(self, turn_id: uuid.UUID, text: str, tools: Sequence[ToolDescription]) -> str:
        raise AgentError(ErrorCode.STORAGE_FAILED, "The disk is gone.")


def body(folder: Path, protocol: Protocol, preference: ToolPreference | None) -> dict[str, object]:
    """Returns the body of the first request to the model."""
    with protocol.server(protocol.reply("I see.")) as server:
        mind = MindInWorld(folder, server, preference=preference)
        result = asyncio.run(mind.say(QUESTION))
    assert result.error is None
    assert mind.world.calls == []
    return server.chats[0]


@pytest.mark.slow
def test_prompt_is_unchanged_without_usable_tool_suggestion(tmp_path: Path, protocol: Protocol) -> None:
    plain = body(tmp_path / "plain", protocol, None)
    for number, preference in enumerate((Fixed(""), Broken(), Fixed("erase"), Fixed("no_such_tool"))):
        assert body(tmp_path / str(number), protocol, preference) == plain


def test_tool_suggestion_adds_sentence_to_prompt_but_no_tool(tmp_path: Path, protocol: Protocol) -> None:
    plain, advised = (
        body(tmp_path / str(number), protocol, preference)
        for number, preference in enumerate((None, Fixed("express_emotion")))
    )
    messages, others = advised.pop("messages"), plain.pop("messages")
    assert advised == plain
    assert isinstance(messages, list)
    assert isinstance(others, list)
    assert messages[:-1] == others[:-1]
    assert "consider express_emotion of the robot specialist" in json.dumps(messages[-1])


def test_prompt_suggests_only_reversible_tools(tmp_path: Path, protocol: Protocol) -> None:
    preference = Fixed("move_head")
    body(tmp_path, protocol, preference)
    assert preference.asked == [["move_head", "express_emotion"]]


@pytest.mark.parametrize("change", [{"reversible": False}, {"needs_approval": True}, {"origin": ToolOrigin.EXTERNAL}])
def test_prompt_never_suggests_external_tools_or_tools_that_need_approval(change: dict[str, Any]) -> None:
    move_head = catalogue()[0]
    assert advisable([move_head]) == [move_head]
    assert advisable([replace(move_head, **change)]) == []
