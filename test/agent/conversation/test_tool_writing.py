"""Generation of a missing tool within a turn, in both tool protocols."""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from reachy_agent_ros.agent.conversation.tool_writing import (
    TEMPERATURES,
    ToolOrder,
    WrittenTool,
    wishes_tool,
    written_tool,
)
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.testing.scripted_endpoint import ScriptedAnswer, ScriptedEndpoint
from reachy_agent_ros.tools.protocol.tools import ToolDescription, ToolOutcome
from support.agent.model_protocol import Protocol
from support.agent.world import MindInWorld, catalogue, until


@pytest.mark.parametrize(
    "text",
    [
        "Write yourself a tool that turns a temperature in degrees Celsius into degrees Fahrenheit.",
        "I want you to have a tool that counts the vowels in a word.",
        "I want a tool that works out the median of a list of numbers; without any numbers it should refuse.",
        "Make yourself a tool for the area of a circle from its radius.",
        "could you please build me a small new tool which waves the left antenna?",
        "I would like another tool to greet people.",
        "Please CREATE A TOOL called blink",
        "I'd like you to have a tool that hums",
        "I do not know the answer. Write a tool that finds it.",
    ],
)
def test_recognizes_request_to_write_tool(text: str) -> None:
    assert wishes_tool(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "what tools do you have?",
        "I need a tool, the screwdriver",
        "do not write a tool that takes photos",
        "Please don't make a tool for that.",
        "never ever build another tool that moves",
        "who made a tool like this?",
        "take a photo every second for five seconds",
        "use the tool that counts vowels",
        "what is on the table looks like a tool for the garden",
    ],
)
def test_other_sentence_is_not_a_request_to_write_tool(text: str) -> None:
    assert not wishes_tool(text)


TEXTS = {"type": "object", "properties": {"source": {"type": "string"}, "explanation": {"type": "string"}}}
WRITE = ToolDescription("write_tool", "Writes a tool.", TEXTS, 30.0, specialist="code")
DICE = ToolDescription("roll_dice", "Rolls a dice.", {"type": "object", "properties": {}}, 5.0, specialist="code")
ASKED = "would you kindly roll a dice for me"
REFUSED = AgentError(ErrorCode.VALIDATION_FAILED, "line 3: There is no module 'dice'.")
UNREADABLE = AgentError(ErrorCode.INVALID_ARGUMENTS, "Case 1 cannot both expect a result and raise ValueError.")


def result(**about: Any) -> ToolOutcome:
    verdicts = [{"stage": "cases", "ok": True, "reason": ""}]
    written = {"name": "roll_dice", "version": 1, "registered": False, "waiting_for_review": False}
    return ToolOutcome(json.dumps({**written, "verdicts": verdicts, **about}))


def write(protocol: Protocol, attempt: int = 0) -> ScriptedAnswer:
    return protocol.call(
        "write_tool", {"source": f"def roll_dice() -> dict: ...  # {attempt}", "explanation": "A dice."}
    )


def to_code(protocol: Protocol) -> ScriptedAnswer:
    return protocol.call("transfer_to_code", {})


def writer(folder: Path, server: ScriptedEndpoint, *outcomes: ToolOutcome) -> MindInWorld:
    """Agent for which each attempt to write a tool has a given outcome. Registered tools are added to the catalog."""
    mind = MindInWorld(folder, server)
    mind.world.tools = (*catalogue(), WRITE)
    ends = iter(outcomes)

    def attempt() -> None:
        mind.world.outcomes["write_tool"] = outcome = next(ends)
        if json.loads(outcome.result_json).get("registered"):
            mind.world.tools = (*catalogue(), WRITE, DICE)

    mind.world.effects["write_tool"] = attempt
    return mind


def last(server: ScriptedEndpoint) -> str:
    return str(server.chats[-1]["messages"][-1]["content"])


def demanded(chat: dict[str, Any]) -> str:
    """Returns the name of the tool that a request forces the model to call, or an empty string."""
    chosen = chat.get("tool_choice")
    if isinstance(chosen, dict):
        return str(chosen["function"]["name"])
    forms = chat.get("response_format", {}).get("json_schema", {}).get("schema", {}).get("anyOf", [])
    return str(forms[0]["properties"]["tool"]["const"]) if len(forms) == 1 else ""


def test_request_to_write_tool_forces_model_to_write_and_repair_tool(tmp_path: Path, protocol: Protocol) -> None:
    answers = [write(protocol, 0), write(protocol, 1), protocol.call("roll_dice", {}), protocol.reply("It is a five.")]
    with protocol.server(*answers) as server:
        mind = writer(tmp_path, server, ToolOutcome("{}", REFUSED), result(registered=True))
        told = asyncio.run(mind.say("please write yourself a tool that rolls a dice, and roll it"))
        server.assert_complete()
    assert (told.error, told.agent) == (None, "code")
    assert [demanded(chat) for chat in server.chats] == ["write_tool", "write_tool", "", ""]
    assert [chat["temperature"] for chat in server.chats] == [0.0, TEMPERATURES[1], 0.0, 0.0]


@pytest.mark.parametrize("refusal", [REFUSED, UNREADABLE], ids=["source", "cases"])
def test_model_writes_repairs_and_uses_tool_in_one_turn(
    tmp_path: Path, protocol: Protocol, refusal: AgentError
) -> None:
    answers = [
        to_code(protocol),
        write(protocol, 0),
        write(protocol, 1),
        protocol.call("roll_dice", {}),
        protocol.reply("It is a five."),
    ]
    with protocol.server(*answers) as server:
        mind = writer(tmp_path, server, ToolOutcome("{}", refusal), result(registered=True))
        told = asyncio.run(mind.say(ASKED))
        server.assert_complete()
    assert (told.error, told.reply.strip(), told.agent) == (None, "It is a five.", "code")
    assert mind.world.called == ["write_tool", "write_tool", "roll_dice"]
    refused, registered = (str(chat["messages"][-1]["content"]) for chat in server.chats[2:4])
    assert refusal.message in refused
    assert "Repair what is wrong and call write_tool again, up to 3 times." in refused
    assert "Now use roll_dice for the request; the code specialist has it." in registered


def test_new_tool_is_used_by_its_specialist(tmp_path: Path, protocol: Protocol) -> None:
    answers = [
        *(to_code(protocol), write(protocol), protocol.call("transfer_to_web", {})),
        *(protocol.call("roll_dice", {}), protocol.reply("It is a five.")),
    ]
    with protocol.server(*answers) as server:
        mind = writer(tmp_path, server, result(registered=True))

        def written() -> None:
            mind.world.outcomes["write_tool"] = result(registered=True)
            mind.world.tools = (*catalogue(), WRITE, replace(DICE, specialist="web"))

        mind.world.effects["write_tool"] = written
        told = asyncio.run(mind.say(ASKED))
    assert (told.error, told.agent) == (None, "web")
    assert mind.world.called == ["write_tool", "roll_dice"]
    assert "the web specialist has it" in str(server.chats[2]["messages"])


@pytest.mark.slow
@pytest.mark.parametrize("changed", [True, False], ids=["another source each time", "the same source"])
def test_model_gets_three_attempts_to_repair_tool(tmp_path: Path, protocol: Protocol, changed: bool) -> None:
    attempts = [write(protocol, number * changed) for number in range(5)]
    with protocol.server(to_code(protocol), *attempts, protocol.reply("It needs a module that I lack.")) as server:
        mind = writer(tmp_path, server, *[ToolOutcome("{}", REFUSED)] * 4)
        told = asyncio.run(mind.say(ASKED))
        server.assert_complete()
    assert told.error is None
    assert mind.world.called == ["write_tool"] * 4
    leads = [str(chat["messages"][-1]["content"]) for chat in server.chats[2:]]
    ends = ["up to 3 times", "up to 2 times", "once more", "Do not try again", "after 3 repairs"]
    assert all(end in lead for end, lead in zip(ends, leads, strict=True))
    assert sum("what was refused before" in lead for lead in leads) == (0 if changed else 2)
    assert [chat["temperature"] for chat in server.chats[1:5]] == list(TEMPERATURES)


@pytest.mark.parametrize(
    ("outcome", "lead"),
    [
        (result(waiting_for_review=True), "A person has to review it before it can be used: tell them so."),
        (result(), "Repair what is wrong and call write_tool again, up to 3 times."),
    ],
)
def test_turn_reports_that_tool_was_not_registered(
    tmp_path: Path, protocol: Protocol, outcome: ToolOutcome, lead: str
) -> None:
    with protocol.server(to_code(protocol), write(protocol), protocol.reply("It is not there yet.")) as server:
        asyncio.run(writer(tmp_path, server, outcome).say(ASKED))
    assert lead in last(server)


def test_reports_tool_error_that_model_cannot_repair(tmp_path: Path, protocol: Protocol) -> None:
    off = AgentError(ErrorCode.SANDBOX_UNAVAILABLE, "There is no sandbox.")
    with protocol.server(to_code(protocol), write(protocol), protocol.reply("I cannot write any.")) as server:
        asyncio.run(writer(tmp_path, server, ToolOutcome("{}", off)).say(ASKED))
    assert "There is no sandbox." in last(server)
    assert "Repair" not in last(server)


def test_next_model_step_waits_until_new_tool_is_in_catalogue(tmp_path: Path, protocol: Protocol) -> None:
    answers = [to_code(protocol), write(protocol), protocol.call("roll_dice", {}), protocol.reply("It is a five.")]
    with protocol.server(*answers) as server:
        mind = writer(tmp_path, server)
        mind.world.effects.clear()
        mind.world.outcomes["write_tool"] = result(registered=True)

        async def talk() -> None:
            turn = asyncio.create_task(mind.say(ASKED))
            await until(lambda: mind.world.called == ["write_tool"])
            mind.world.tools = (*mind.world.tools, DICE)
            assert (await turn).error is None

        asyncio.run(talk())
    assert mind.world.called == ["write_tool", "roll_dice"]


def test_reports_tool_that_never_appears_in_catalogue(
    tmp_path: Path, protocol: Protocol, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("reachy_agent_ros.agent.conversation.tool_writing.ARRIVAL_TIME", 0.05)
    with protocol.server(to_code(protocol), write(protocol), protocol.reply("It is not there.")) as server:
        mind = writer(tmp_path, server)
        mind.world.effects.clear()
        mind.world.outcomes["write_tool"] = result(registered=True)
        asyncio.run(mind.say(ASKED))
    assert "roll_dice is registered, but cannot be used yet" in last(server)


ORDER = ToolOrder("roll a dice", '[{"args": {"sides": 6}, "expect": {"shown": 1}}]')


def test_tool_order_provides_test_cases_and_forbids_call_of_new_tool(tmp_path: Path, protocol: Protocol) -> None:
    with protocol.server(write(protocol), protocol.reply("It is there.")) as server:
        mind = writer(tmp_path, server, result(registered=True))
        told = asyncio.run(mind.say(ORDER.text, order=ORDER))
        server.assert_complete()
    assert (told.error, told.agent) == (None, "code")
    assert [arguments["cases"] for _, arguments, _ in mind.world.calls] == [json.loads(ORDER.cases)]
    assert demanded(server.chats[0]) == "write_tool"
    assert "do not call it" in last(server)


def test_tool_order_that_resembles_command_is_sent_to_model(tmp_path: Path, protocol: Protocol) -> None:
    order = ToolOrder("Stop now. Look left.")
    with protocol.server(write(protocol), protocol.reply("It is there.")) as server:
        mind = writer(tmp_path, server, result(registered=True))
        asyncio.run(mind.say(order.description, order=order))
    assert (mind.world.called, mind.world.holds) == (["write_tool"], 0)


def test_approval_request_shows_test_cases_of_tool_order(tmp_path: Path, protocol: Protocol) -> None:
    with protocol.server(write(protocol), protocol.reply("It is there.")) as server:
        mind = writer(tmp_path, server, result(waiting_for_review=True))
        mind.world.tools = (*catalogue(), replace(WRITE, needs_approval=True))

        async def talk() -> None:
            turn = asyncio.create_task(mind.say(ORDER.text, order=ORDER))
            await until(lambda: mind.pending)
            assert json.loads(mind.pending[0].arguments_json)["cases"] == json.loads(ORDER.cases)
            mind.decide(True)
            assert (await turn).error is None

        asyncio.run(talk())
    ((_, arguments, approval_id),) = mind.world.calls
    assert arguments["cases"] == json.loads(ORDER.cases)
    assert approval_id is not None


def test_tool_order_survives_restart_while_waiting_for_approval(tmp_path: Path, protocol: Protocol) -> None:
    async def ask(mind: MindInWorld) -> None:
        turn = asyncio.create_task(mind.say(ORDER.text, order=ORDER))
        await until(lambda: mind.pending)
        await mind.mind.close()
        await turn

    async def go_on(mind: MindInWorld) -> None:
        (turn,) = mind.take_up()
        await until(lambda: mind.pending)
        mind.decide(True)
        await turn

    with protocol.server(write(protocol), protocol.reply("It is there.")) as server:
        minds = []
        for step in (ask, go_on):
            mind = writer(tmp_path, server, result(waiting_for_review=True))
            mind.world.tools = (*catalogue(), replace(WRITE, needs_approval=True))
            asyncio.run(step(mind))
            minds.append(mind)
        server.assert_complete()
    assert minds[0].world.calls == []
    assert [arguments["cases"] for _, arguments, _ in minds[1].world.calls] == [json.loads(ORDER.cases)]


@pytest.mark.parametrize("arguments", ["", "{", "[]", "null", '"source"'])
def test_tool_order_leaves_malformed_arguments_unchanged(arguments: str) -> None:
    assert ORDER.with_cases(arguments) == arguments


def test_tool_order_without_test_cases_keeps_test_cases_of_model() -> None:
    assert ToolOrder("roll a dice").with_cases('{"cases":[]}') == '{"cases":[]}'


def test_reads_name_and_version_of_written_tool_from_outcome() -> None:
    made = result(result="Version 1 of roll_dice is registered.", registered=True)
    assert written_tool(made) == WrittenTool("roll_dice", 1, False, "Version 1 of roll_dice is registered.")
    assert written_tool(ToolOutcome("{}", REFUSED)) is None


def test_code_specialist_has_larger_output_limit(tmp_path: Path, protocol: Protocol) -> None:
    with protocol.server(to_code(protocol), write(protocol), protocol.reply("It is there.")) as server:
        asyncio.run(writer(tmp_path, server, result(registered=True)).say(ASKED))
    coordinator, code, _ = server.chats
    assert (coordinator["max_tokens"], code["max_tokens"]) == (512, 2048)
    assert "who writes it." in coordinator["messages"][0]["content"]
    assert "write it with write_tool" in code["messages"][0]["content"]
