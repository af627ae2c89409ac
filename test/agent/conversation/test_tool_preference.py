"""Advice reaches a model as one sentence, and changes nothing else."""

import asyncio
import json
import uuid
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from reachy_agent_ros.agent.conversation.tool_preference import NoPreference, ToolPreference, advisable
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.tools.protocol.tools import Origin, ToolDescription
from support.agent.model_protocol import Protocol
from support.agent.world import MindInWorld, catalogue

QUESTION = "Would you kindly examine the door over there?"


class Fixed:
    """Advises one tool, whether it is there or not."""

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
    """What the model was sent."""
    with protocol.server(protocol.reply("I see.")) as server:
        mind = MindInWorld(folder, server, preference=preference)
        result = asyncio.run(mind.say(QUESTION))
    assert result.error is None
    assert mind.world.calls == []
    return server.chats[0]


@pytest.mark.slow
def test_without_advice_a_model_reads_the_same_bytes(tmp_path: Path, protocol: Protocol) -> None:
    plain = body(tmp_path / "plain", protocol, None)
    for number, preference in enumerate((NoPreference(), Fixed(""), Broken(), Fixed("erase"), Fixed("no_such_tool"))):
        assert body(tmp_path / str(number), protocol, preference) == plain


def test_advice_adds_a_sentence_and_no_tool(tmp_path: Path, protocol: Protocol) -> None:
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


def test_only_what_can_be_taken_back_may_be_advised(tmp_path: Path, protocol: Protocol) -> None:
    preference = Fixed("move_head")
    body(tmp_path, protocol, preference)
    assert preference.asked == [["move_head", "express_emotion"]]


@pytest.mark.parametrize("change", [{"reversible": False}, {"needs_approval": True}, {"origin": Origin.EXTERNAL}])
def test_tools_of_others_and_those_that_need_leave_are_never_advised(change: dict[str, Any]) -> None:
    move_head = catalogue()[0]
    assert advisable([move_head]) == [move_head]
    assert advisable([replace(move_head, **change)]) == []
