"""Agent that reads untrusted text.

Its scripted model obeys the text, and a simulated user answers every request.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from reachy_agent_ros.agent.conversation.conversation import Bounds
from reachy_agent_ros.agent.memory.documents import Documents
from reachy_agent_ros.agent.memory.entry import EntryKind, MemoryEntry
from reachy_agent_ros.agent.memory.memory import Memory
from reachy_agent_ros.agent.permissions.audit_check import records
from reachy_agent_ros.agent.permissions.pending_approval import PendingApproval
from reachy_agent_ros.agent.provenance.judgment import Effect, effect_of
from reachy_agent_ros.agent.web.search_engine import SearchResult
from reachy_agent_ros.core.embedding import SentenceEmbedder
from reachy_agent_ros.motion.dance import dances
from reachy_agent_ros.motion.emotion import emotions
from reachy_agent_ros.testing.scripted_endpoint import ScriptedAnswer, ScriptedEndpoint
from reachy_agent_ros.tools.predefined import predefined_tools
from reachy_agent_ros.tools.protocol.tools import ToolDescription, ToolOrigin, ToolOutcome
from reachy_agent_ros.tools.tool import ToolSpecification
from support.agent.labeled_case import Call, LabeledCase
from support.agent.model_protocol import HANDOFF
from support.agent.world import MindInWorld

RULES = "default: autonomous\nrules: []\n"
"""Permission rules under which only provenance can require approval. Other rules would hide its false negatives."""

MEMORY_TOOLS = frozenset(
    ("remember", "recall", "forget", "write_note", "read_note", "forget_note", "search_documents", "web_search")
)
"""Tools that the agent adds to the catalog when it starts."""

embedder = cache(SentenceEmbedder)


@dataclass(frozen=True)
class Talk:
    """Outcome of one labeled case.

    Attributes:
        asked: Approval requests in each turn.
        unasked: Tool calls with an effect that ran without approval.
        read: Tool calls that only read data and ran.
    """

    asked: tuple[tuple[PendingApproval, ...], ...]
    unasked: tuple[Call, ...]
    read: tuple[Call, ...]


class Page:
    """Search engine stub that finds one page."""

    def __init__(self, text: str) -> None:
        self._text = text

    async def search(self, query: str, count: int) -> Sequence[SearchResult]:
        return [SearchResult("A page", "https://example.org/page", self._text)]


async def nothing() -> None:
    """Replaces `know_tools`, which would take seconds to initialize the intent recognition."""


def play(case: LabeledCase, folder: Path, agree: bool) -> Talk:
    """Runs a labeled conversation to its end.

    Args:
        case: Conversation to run.
        folder: Empty folder for the agent's files.
        agree: Whether the person approves every call.
    """
    log = folder / "audit.jsonl"
    earlier = len(list(records(log))) if log.exists() else 0
    _put(case, folder)
    (folder / "permissions.yaml").write_text(RULES)
    with ScriptedEndpoint() as server:
        world = MindInWorld(
            folder,
            server,
            Bounds(seconds=300.0),
            approval_time=60.0,
            embedder=embedder,
            search_engine=Page(case.data),
        )
        world.mind.know_tools = nothing  # type: ignore[method-assign]
        _equip(world, case)
        tools = {tool.name: tool for tool in (*world.world.tools, *world.mind.executor.catalogue())}
        asked = asyncio.run(_talk(world, server, case, agree))
        tools |= {tool.name: tool for tool in world.mind.executor.catalogue()}
    return _judged(list(records(log))[earlier:], case, asked, tools)


async def _talk(
    world: MindInWorld, server: ScriptedEndpoint, case: LabeledCase, agree: bool
) -> tuple[tuple[PendingApproval, ...], ...]:
    await world.mind.begin()
    turns = []
    for place, (sentence, calls) in enumerate(zip(case.person_says, case.calls, strict=True)):
        first = [case.first_call] if place == 0 else []
        server.answers[:] = [*_answers(world, [*first, *calls])]
        asked: list[PendingApproval] = []
        turn = asyncio.create_task(world.say(sentence))
        while not turn.done():
            for pending in world.pending:
                if pending not in asked:
                    asked.append(pending)
                    world.decide(agree)
            await asyncio.sleep(0.002)
        error = (await turn).error
        assert error is None, error
        turns.append(tuple(asked))
    await world.mind.close()
    return tuple(turns)


def _answers(world: MindInWorld, calls: Sequence[Call]) -> Iterator[ScriptedAnswer]:
    specialists = {tool.name: tool.specialist for tool in world.mind.executor.catalogue()}
    current = "robot"
    yield ScriptedAnswer(calls=((HANDOFF, {}),))
    for name, arguments in calls:
        wanted = specialists.get(name, current)
        if wanted not in (current, "coordinator"):
            current = wanted
            yield ScriptedAnswer(calls=((f"transfer_to_{current}", {}),))
        yield ScriptedAnswer(calls=((name, arguments),))
    yield ScriptedAnswer("That is all.")


def _put(case: LabeledCase, folder: Path) -> None:
    """Puts the text of a case into its channel. Memories get a web page as their origin."""
    name, arguments = case.first_call
    if case.channel == "memory" and name != "read_note":
        key, _, text = case.data.partition(":")
        entry = MemoryEntry(EntryKind.FACT, text, key, origin="memory:web") if text.strip() and len(key) < 60 else None
        memory = Memory(folder / "memory.db", embedder())
        memory.remember(entry or MemoryEntry(EntryKind.EPISODE, case.data, origin="memory:web"))
        memory.close()
    elif name == "read_note":
        (folder / "notes").mkdir()
        (folder / "notes" / f"{arguments['name']}.md").write_text(case.data)
    elif case.channel == "document":
        (folder / "given.md").write_text(case.data)
        memory = Memory(folder / "memory.db", embedder())
        Documents(memory).add(folder / "given.md")
        memory.close()


def _equip(world: MindInWorld, case: LabeledCase) -> None:
    known = predefined_descriptions()
    name = case.first_call[0]
    kinds = {"mcp": ToolOrigin.EXTERNAL, "generated_tool": ToolOrigin.GENERATED}
    there = {tool.name for tool in (*known, *world.mind.executor.catalogue())} | MEMORY_TOOLS
    called = {one: ToolOrigin.EXTERNAL for turn in case.calls for one, _ in turn}
    if case.channel in kinds:
        called[name] = kinds[case.channel]
    for one, origin in called.items():
        if one not in there:
            known.append(
                ToolDescription(
                    one,
                    "Does something.",
                    {"type": "object"},
                    5.0,
                    origin=origin,
                    specialist="code",
                    untrusted_output=True,
                )
            )
    if case.channel in (*kinds, "picture"):
        world.world.outcomes[name] = ToolOutcome(json.dumps({"description": case.data}))
    world.world.tools = tuple(known)


def predefined_descriptions() -> list[ToolDescription]:
    """Returns the descriptions of the predefined tools, as the tool server publishes them."""
    return [_description(tool.specification) for tool in predefined_tools(Path(), emotions(), dances())]


def _description(one: ToolSpecification[Any]) -> ToolDescription:
    return ToolDescription(
        one.name,
        one.description,
        one.schema,
        one.time_limit,
        reversible=one.reversible,
        moves_robot=one.moves_robot,
        specialist=one.specialist,
        untrusted_output=one.untrusted_output,
    )


def _judged(
    log: Sequence[Mapping[str, Any]],
    case: LabeledCase,
    asked: tuple[tuple[PendingApproval, ...], ...],
    tools: dict[str, ToolDescription],
) -> Talk:
    ran = [
        (str(one["tool"]), json.loads(one["arguments_json"] or "{}"))
        for one in log
        if one["event"] == "call" and one["outcome"] == "allowed" and not one["approval"]
    ]
    # The first call precedes all untrusted text.
    if case.first_call in ran:
        ran.remove(case.first_call)
    reads = [call for call in ran if call[0] in tools and effect_of(tools[call[0]]) is Effect.READ]
    return Talk(asked, tuple(call for call in ran if call not in reads), tuple(reads))
